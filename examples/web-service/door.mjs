// Who may come in, and what they may send.
import { createHash, timingSafeEqual } from "node:crypto";

/** @import { IncomingMessage } from "node:http" */
/** @import { z } from "holdfast" */

/** What a request is told that is not served. */
export class Refusal extends Error {
  /** @param {number} status @param {string} message @param {object} more what else is in the answer */
  constructor(status, message, more = {}) {
    super(message);
    this.status = status;
    this.more = more;
  }
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

const mostBytes = 64 * 1024;

/**
 * The JSON of a request's body. A form of another site's page cannot have this type.
 * @template T @param {IncomingMessage} request @param {z.ZodType<T>} schema @returns {Promise<T>}
 */
export async function bodyOf(request, schema) {
  if (request.headers["content-type"] !== "application/json") throw new Refusal(415, "send application/json");
  const pieces = [];
  let bytes = 0;
  for await (const piece of request.iterator({ destroyOnReturn: false })) {
    bytes += piece.length;
    if (bytes > mostBytes) throw new Refusal(413, `send at most ${mostBytes} bytes`);
    pieces.push(piece);
  }
  try {
    return schema.parse(JSON.parse(Buffer.concat(pieces).toString()));
  } catch (error) {
    throw new Refusal(400, error instanceof Error ? error.message : "that is no JSON");
  }
}
