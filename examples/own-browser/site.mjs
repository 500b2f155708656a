// A site on this machine where one logs in with a password and a code of the moment (RFC 6238).
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

/** @import { AddressInfo } from "node:net" */

/** The code of a second factor. @param {string} key in base32 @param {number} now in milliseconds */
function codeOf(key, now) {
  const bits = [...key].map((sign) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(sign).toString(2).padStart(5, "0"));
  const bytes = (bits.join("").match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(now / 30_000)));
  const mac = createHmac("sha1", Buffer.from(bytes)).update(step).digest();
  const at = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

/** @param {{ password: string, key: string }} account */
export async function startSite({ password, key }) {
  const server = createServer(async (request, response) => {
    const sent = new URLSearchParams(await text(request));
    const codes = [0, 30_000].map((before) => codeOf(key, Date.now() - before));
    const isIn = sent.get("password") === password && codes.includes(sent.get("code") ?? "");
    const form = '<form action="/in"><input name="password"><input name="code"></form>';
    const body =
      request.url !== "/in" ? `Log in. ${form}` : isIn ? "You are in: 2 new letters." : "That was not right.";
    response.setHeader("content-type", "text/html; charset=utf-8").end(`<p>${body}</p>`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {AddressInfo} */ (server.address());
  return { host: `127.0.0.1:${port}`, close: () => server.close() };
}
