import { z } from "zod";
import { ToolRefusal } from "../../core/codes.ts";
import { isSending, readingMethods } from "../../core/http-methods.ts";

const sending = ["POST", "PUT", "PATCH", "DELETE"] as const;

const mostHeaders = 32;
const longestHeader = 8_192;
const longestBody = 1_000_000;

/** The fields of a request beyond its address. */
export const requestFields = {
  method: z
    .enum([...readingMethods, ...sending])
    .optional()
    .describe("Default GET."),
  headers: z.record(z.string(), z.string()).optional().describe("More of them."),
  body: z.string().optional().describe("Sent as it is."),
};

export interface RequestFields {
  method?: (typeof readingMethods)[number] | (typeof sending)[number] | undefined;
  headers?: Record<string, string> | undefined;
  body?: string | undefined;
}

/** The method, where the request asks the host to do something. */
export const methodSent = ({ method }: RequestFields): string | undefined => (isSending(method) ? method : undefined);

/** Tells whether it asks for the page by its address alone, as anybody would. */
export const isPlain = ({ method = "GET", headers = {}, body }: RequestFields): boolean =>
  method === "GET" && Object.keys(headers).length === 0 && body === undefined;

/**
 * The headers that are ours to say: on the framing of the message, by whom it goes and for whom, the forms that it may come in, and
 * anything that it asks for beside its method and address. With `-` for any other sign: behind a gateway `X_A` is often the same header
 * as `X-A`.
 */
const ours = [
  /^(?:host|content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|accept-encoding|proxy-.*|sec-.*)$/i,
  /^x-(?:http-method|http-method-override|method|method-override|http-host-override|host)$/i,
  /^x-(?:original|rewrite|override)-(?:url|uri|path|host|method)$/i,
  /^(?:x-)?forwarded(?:-.*)?$|^(?:x-real|x-client|x-cluster-client|true-client|cf-connecting)-ip$/i,
];

const isOurs = (name: string): boolean => ours.some((one) => one.test(name.replace(/[^0-9a-z]/gi, "-")));

/** Returns the fault of a request, for the model; undefined where it can be sent. Nothing of a value is told. */
export function requestComplaint({ method = "GET", headers = {}, body }: RequestFields): string | undefined {
  if (!isSending(method) && body !== undefined) return `a ${method} has no body`;
  if (Buffer.byteLength(body ?? "") > longestBody) return `the body is longer than ${longestBody} bytes`;
  const entries = Object.entries(headers);
  if (entries.length > mostHeaders) return `there are more than ${mostHeaders} headers`;
  const names = entries.map(([name]) => name.toLowerCase());
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) return `the header ${twice} stands there twice`;
  for (const [name, value] of entries) {
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/.test(name)) return `${JSON.stringify(name)} is no name of a header`;
    if (isOurs(name)) return `the header ${name} cannot be set`;
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value) || value.length > longestHeader)
      return `the header ${name} has line ends or other signs in it that no header has, or is longer than ${longestHeader} bytes`;
  }
  return undefined;
}

/** The same once secrets are in it. @throws ToolRefusal INVALID_ARGUMENT */
export function checkRequest(request: RequestFields): void {
  const wrong = requestComplaint(request);
  if (wrong !== undefined) throw new ToolRefusal("INVALID_ARGUMENT", wrong);
}
