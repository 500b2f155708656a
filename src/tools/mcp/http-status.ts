import { errnoOf } from "../../core/errno.ts";
import { isJsonObject, type Json } from "../../core/json.ts";
import { hostOf } from "../../net/addresses.ts";
import { AddressRefused } from "../../net/checked-fetch.ts";
import { NotReached } from "../../net/checked-stream.ts";
import type { ReachedEntry } from "./entry.ts";
import type { Challenge } from "./sign-in/sign-in.ts";

/** An answer that is none of the protocol. */
export interface Refused {
  status: number;
  /** The message of a JSON-RPC error in it, or the beginning of a short text; else empty. */
  said: string;
  /** Of a redirect: the host that it leads to, as a person reads it. */
  to?: string | undefined;
  /** The challenge that says how it wants to be asked by those who signed in; undefined where it does not say so. */
  challenge?: Challenge | undefined;
}

/** Of a server at which the person may sign in. */
export interface SignInState {
  command: string;
  /** Or was, until the server refused it. */
  isIn: boolean;
  /** The reason why it could not be made anew, where that was tried. */
  why?: string | undefined;
}

/** Returns the words of an answer beside its status, in one line. */
export function saidIn(body: Json | undefined, text: string, type: string): string {
  const error = isJsonObject(body) ? body["error"] : undefined;
  const message = isJsonObject(error) ? error["message"] : error;
  const said = typeof message === "string" ? message : type === "text/plain" ? text : "";
  return said.replace(/\s+/gu, " ").trim().slice(0, 300);
}

/**
 * Tells whether by that answer nothing was done: the request was not let in, not understood, or is to be made elsewhere just as it is. Any other one
 * may have come after what was asked for was done; so may other redirects, with which servers answer what they have done.
 */
export const isRefusal = (status: number): boolean =>
  [307, 308].includes(status) || (status >= 400 && status < 500 && ![408, 409, 499].includes(status));

/** Says what that answer means, and what to do about it. @param signIn undefined where the entry says itself what is sent */
export function statusWords(
  { status, said, to, challenge }: Refused,
  { headers }: Pick<ReachedEntry, "headers">,
  signIn?: SignInState,
): string {
  const more = said === "" ? "" : ` (${said})`;
  const isAsked = status === 401 || status === 403;
  const meaning = isAsked
    ? `: ${askedWords({ status, challenge }, Object.keys(headers), signIn)}`
    : meaningOf(status, to);
  return `it answered ${status}${more}${meaning}`;
}

function meaningOf(status: number, to: string | undefined): string {
  if (status === 404) return ": there is no MCP server at this path";
  if (status === 405 || status === 406)
    return ": it is no MCP server of streamable HTTP (the older kind, sse, is not spoken here)";
  if (status >= 300 && status < 400)
    return to === undefined
      ? ", a redirect that leads nowhere"
      : `, a redirect to ${to}, which is not followed: write that address into its entry, if it is meant`;
  return "";
}

function askedWords(
  { status, challenge }: Pick<Refused, "status" | "challenge">,
  headers: readonly string[],
  signIn: SignInState | undefined,
): string {
  if (signIn?.isIn === true) {
    if (challenge?.error === "insufficient_scope") return scopeWords(challenge.scopes, signIn.command);
    return status === 401
      ? `${signIn.why ?? "it does not take your sign-in"}: ${signIn.command}`
      : "your sign-in does not let you do that";
  }
  if (signIn !== undefined && challenge !== undefined) return `it wants you to sign in: ${signIn.command}`;
  return `${headerWords(headers)}${signIn === undefined ? "" : `; or, where it has people sign in: ${signIn.command}`}`;
}

/** A command to paste has no words of a server in it but plain ones, and few. */
function scopeWords(scopes: readonly string[], command: string): string {
  const wanted = "it wants further rights than your sign-in has";
  if (scopes.length === 0) return `${wanted}, and does not say which: ${command} --scope NAME asks for one`;
  const isPlain = scopes.every((scope) => /^\w[\w.:/-]*$/u.test(scope)) && scopes.join(" ").length <= 300;
  return isPlain && scopes.length <= 10
    ? `${wanted}: ${command} ${scopes.map((scope) => `--scope ${scope}`).join(" ")}`
    : `${wanted}, in words that are none for a command: ${command} --scope NAME asks for one, once for each`;
}

const headerWords = (headers: readonly string[]): string =>
  headers.length === 0
    ? `it wants to know who asks: give it a header in your own config.json, such as "headers": { "Authorization": "Bearer \${TOKEN}" }, and set TOKEN in your environment`
    : `it does not take ${headers.length === 1 ? "the header" : "the headers"} of its entry (${headers.join(", ")})`;

/** Says why nothing came, for a person. */
export function noAnswerWords(error: unknown, url: URL): string {
  const cause = error instanceof NotReached ? error.cause : error;
  if (cause instanceof AddressRefused)
    return `${cause.message}, which is no address of the internet: where that is meant, its entry in your own config.json says "private": true`;
  const errno = errnoOf(cause);
  if (errno === "ENOTFOUND" || errno === "EAI_AGAIN") return `the name ${hostOf(url)} is not found`;
  if (errno === "ECONNREFUSED") return `nothing answers at ${url.host}`;
  return cause instanceof Error ? cause.message || cause.name : String(cause);
}
