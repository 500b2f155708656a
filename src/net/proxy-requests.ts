import type { IncomingMessage } from "node:http";
import { portOf } from "./addresses.ts";

/** A request for nothing that a proxy does, or one that can be read in two ways. */
export class WrongRequest extends Error {
  override readonly name = "WrongRequest";
}

/** More than that no browser sends, and no parser here leaves one out. */
const mostHeaders = 200;

// Keeps net 2.
/** Returns the target of a request for plain http: its whole address says it, and no other header. @throws WrongRequest */
export function targetOfRequest(asked: IncomingMessage): URL {
  checkHeaders(asked);
  const given = asked.url ?? "";
  if (!/^http:\/\/[^/?#@\\\s]+(?:[/?]|$)/iu.test(given) || !URL.canParse(given))
    throw new WrongRequest("a proxy is asked by a whole address, of http, without credentials");
  const coding = asked.headers["transfer-encoding"];
  if (coding !== undefined && coding.toLowerCase() !== "chunked") throw new WrongRequest("its body has another coding");
  return checkedPort(new URL(given));
}

/**
 * Returns the target of a tunnel: `host:port` and nothing else. As an address of https, for a browser's words in a tunnel are nearly
 * always that, and its proxy is then that of https. @throws WrongRequest
 */
export function targetOfConnect(asked: IncomingMessage): URL {
  checkHeaders(asked);
  const given = asked.url ?? "";
  const address = `https://${given}`;
  if (!/^(?:\[[\da-f:.]+\]|[^\s:/?#@\\[\]]+):[1-9]\d{0,4}$/iu.test(given) || !URL.canParse(address))
    throw new WrongRequest("a tunnel is asked for by host:port");
  return checkedPort(new URL(address));
}

/** Of protocols that could take a request for words of their own: what the standard of fetch calls bad ports. */
const badPorts = new Set([
  ...[
    1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  ],
  ...[
    111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  ],
  ...[540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061],
  ...[6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080],
]);

function checkedPort(url: URL): URL {
  if (badPorts.has(portOf(url))) throw new WrongRequest(`no browser goes to port ${portOf(url)}`);
  return url;
}

function checkHeaders({ rawHeaders }: IncomingMessage): void {
  if (rawHeaders.length > 2 * mostHeaders) throw new WrongRequest(`it has more than ${mostHeaders} headers`);
}

/** The headers that are between two connections and go no further. */
const ofConnection = [
  ...["connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "expect"],
  ...["proxy-authorization", "proxy-authenticate", "proxy-connection"],
];

/** Headers as they go on, each name before its value. @param host of a request: what its address says, whatever it says itself */
export function onwardHeaders(message: IncomingMessage, host?: string): string[] {
  const { rawHeaders, headers } = message;
  const named = (headers.connection ?? "").toLowerCase().split(/[\s,]+/u);
  const left = new Set([...ofConnection, ...named, ...(host === undefined ? [] : ["host"])]);
  // How long a body is no header may take away.
  left.delete("content-length");
  const kept = rawHeaders.filter((_, at) => !left.has((rawHeaders[at - (at % 2)] ?? "").toLowerCase()));
  return host === undefined ? kept : ["host", host, ...kept, "connection", "close", ...framing(message)];
}

/** Returns the header that is needed so that a body's end is said once: by its length, which goes on as it is, or in chunks. */
function framing({ headers, method = "GET" }: IncomingMessage): string[] {
  if (headers["transfer-encoding"] !== undefined) return ["transfer-encoding", "chunked"];
  return headers["content-length"] === undefined && !/^(?:GET|HEAD|OPTIONS)$/u.test(method)
    ? ["content-length", "0"]
    : [];
}
