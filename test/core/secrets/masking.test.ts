import { describe, expect, it } from "vitest";
import { createMasking } from "../../../src/core/secrets/masking.ts";

const value = 'g!t_Tok"en/é<9>&+ x\\';
const masking = createMasking([{ name: "TOKEN", value }]);
const tag = "<secret>TOKEN</secret>";

const escapedHtml = value
  .replaceAll("&", "&amp;")
  .replaceAll("<", "&lt;")
  .replaceAll(">", "&gt;")
  .replaceAll('"', "&quot;");
const lower = (text: string): string => text.replaceAll(/%[\dA-F]{2}/g, (code) => code.toLowerCase());
const bytes = Buffer.from(value);
const spacedHex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
const forms: Record<string, string> = {
  plain: value,
  "in JSON": JSON.stringify(value).slice(1, -1),
  "in JSON in JSON": JSON.stringify(JSON.stringify(value).slice(1, -1)).slice(1, -1),
  "in JSON with codes": value.replaceAll(/[^\w ]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`),
  "in an address": encodeURIComponent(value),
  "in an address in small letters": lower(encodeURIComponent(value)),
  "in a form": new URLSearchParams({ v: value }).toString().slice(2),
  "in an address in an address": encodeURIComponent(encodeURIComponent(value)),
  "in a page": escapedHtml,
  "in Markdown": value.replaceAll(/[_\\<>&+!]/g, (sign) => `\\${sign}`),
  "in hexadecimal": bytes.toString("hex"),
  "in large hexadecimal": bytes.toString("hex").toUpperCase(),
  "in hexadecimal with blanks": spacedHex,
  "in hexadecimal over lines": spacedHex.replace(" ", "\n "),
};
/** Without the signs at both ends that others have a part in. */
const core = (before: number): string => {
  const text = Buffer.concat([Buffer.from("#".repeat(before)), bytes]).toString("base64url");
  return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
};
for (const before of [0, 1, 2]) {
  forms[`in base64 behind ${before} bytes, url-safe`] = core(before);
  forms[`in base64 behind ${before} bytes`] = core(before).replaceAll("-", "+").replaceAll("_", "/");
}
forms["in base64 over lines"] = core(0).replaceAll(/.{5}/g, "$&\n").trim();

describe("masking", () => {
  it.each(Object.entries(forms))("replaces a value %s", (_, form) => {
    expect(masking.text(`é before ${form} after ${form}.`)).toBe(`é before ${tag} after ${tag}.`);
  });

  it.each(Object.entries(forms))("replaces a value %s wherever a stream is split", (_, form) => {
    const whole = Buffer.from(`before ${form} after`);
    for (let at = 0; at <= whole.length; at += 1) {
      const stream = masking.stream();
      const said = [stream.push(whole.subarray(0, at)), stream.push(whole.subarray(at)), stream.end()];
      expect(Buffer.concat(said).toString()).toBe(`before ${tag} after`);
    }
    const stream = masking.stream();
    const said = [...whole].map((byte) => stream.push(Buffer.from([byte])));
    expect(Buffer.concat([...said, stream.end()]).toString()).toBe(`before ${tag} after`);
  });

  it("gives out at once what is no part of a value, and keeps what may become one", () => {
    const stream = masking.stream();
    expect(stream.push(Buffer.from("lines\nand more: g!t_T")).toString()).toBe("lines\nand more: ");
    expect(stream.push(Buffer.from("ree\n")).toString()).toBe("g!t_Tree\n");
    expect(stream.end().toString()).toBe("");
  });

  it("leaves every other text as it is, half characters too", () => {
    const text = `\ud800 g!t_Tok"e ${core(0).slice(0, -1)} \u0000 \udc00`;
    expect(masking.text(text)).toBe(text);
    expect(createMasking([]).text("a b")).toBe("a b");
  });

  it("masks values that overlap as one, and the longer of two that begin alike", () => {
    const two = createMasking([
      { name: "SHORT", value: "alpha-beta" },
      { name: "LONG", value: "alpha-beta-gamma" },
      { name: "OTHER", value: "gamma-delta" },
    ]);
    expect(two.text("alpha-beta, alpha-beta-gamma, alpha-beta-gamma-delta")).toBe(
      "<secret>SHORT</secret>, <secret>LONG</secret>, <secret>LONG</secret>",
    );
  });

  it("masks a value of several lines line by line", () => {
    const key = "-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\nAQEFAASCBKcwggSjAgEAAoIB\n-----END KEY-----";
    const keys = createMasking([{ name: "KEY", value: key }]);
    expect(keys.text(key.replaceAll("\n", "\r\n"))).toBe("<secret>KEY</secret>");
    expect(keys.text("2: AQEFAASCBKcwggSjAgEAAoIB")).toBe("2: <secret>KEY</secret>");
  });

  it("takes the longest value there may be, and text that begins like one everywhere", () => {
    const long = createMasking([{ name: "LONG", value: "ab".repeat(256) }]);
    expect(long.text("a".repeat(2_000))).toBe("a".repeat(2_000));
    expect(long.text(`x${"ab".repeat(256)}y`)).toBe("x<secret>LONG</secret>y");
  });
});
