// Who may come in, what they may send, and what they are told who may not.
import { createHash, timingSafeEqual } from "node:crypto";
import { EventsGone, SessionBusy, UnknownSession } from "holdfast";

/** @import { IncomingMessage } from "node:http" */
/** @import { z } from "holdfast" */

/** What a request is told that is not served. */
export class Refusal extends Error {
  /** @param {number} status @param {string} message @param {number} [after] the number of the event from which on events can be had */
  constructor(status, message, after) {
    super(message);
    this.status = status;
    this.after = after;
  }
}

/** @param {unknown} error */
export function refusalOf(error) {
  if (error instanceof Refusal) return error;
  if (error instanceof UnknownSession) return new Refusal(404, error.message);
  if (error instanceof SessionBusy) return new Refusal(409, error.message);
  if (error instanceof EventsGone) return new Refusal(410, error.message, error.first - 1);
  console.error(error);
  return new Refusal(500, "the service failed; its log says how");
}

/**
 * A name that somebody else owns can be made to lead to this machine, and a page of another site can send requests here: neither may.
 * Programs that are no browsers send no Origin.
 * @param {IncomingMessage} request @param {number} port
 */
export function checkNames({ headers: { host = "", origin } }, port) {
  if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`)
    throw new Refusal(421, "this service is not known by that name");
  if (origin !== undefined && origin !== `http://${host}`)
    throw new Refusal(403, "another site's page may not ask this");
}

/** @param {IncomingMessage} request @param {string} token */
export function checkToken({ headers: { authorization = "" } }, token) {
  if (!timingSafeEqual(sha256(authorization), sha256(`Bearer ${token}`)))
    throw new Refusal(401, "the token is missing or not this service's: open the address that it printed");
}

const sha256 = (/** @type {string} */ text) => createHash("sha256").update(text).digest();

/**
 * The JSON of a request's body. A form of another site's page cannot have this type.
 * @template T @param {IncomingMessage} request @param {z.ZodType<T>} schema @returns {Promise<T>}
 */
export async function bodyOf(request, schema) {
  if (request.headers["content-type"] !== "application/json") throw new Refusal(415, "send application/json");
  let body = Buffer.alloc(0);
  for await (const piece of request.iterator({ destroyOnReturn: false })) {
    body = Buffer.concat([body, piece]);
    if (body.length > 65_536) throw new Refusal(413, "send at most 65536 bytes");
  }
  try {
    return schema.parse(JSON.parse(body.toString()));
  } catch (error) {
    throw new Refusal(400, error instanceof Error ? error.message : "that is no JSON");
  }
}
