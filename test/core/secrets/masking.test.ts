import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { knownSecrets } from "../../../src/core/secrets/known-secrets.ts";
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
  "in hexadecimal over lines": spacedHex.replaceAll(/((?:.. ){3}..) /g, "$1\n "),
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

  const token = "npm_Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4zAB7C";
  const ofToken = createMasking([{ name: "TOKEN", value: token }]);
  const given = (stream: ReturnType<typeof ofToken.stream>, text: string): string =>
    stream.push(Buffer.from(text)).toString();

  it("gives out at once a line that ends as a value would begin in base64 or hexadecimal, whatever the line ends with", () => {
    const ends = [...Array(94).keys()].map((at) => String.fromCharCode(33 + at));
    const bytes = [...Array(256).keys()].map((byte) => byte.toString(16).padStart(2, "0"));
    for (const end of [...ends, ...bytes, ...bytes.map((byte) => byte.toUpperCase()), "6e70", "bnB"])
      for (const line of ["\n", "\r\n", "\n "]) {
        const text = `127.0.0.1:808${end}${line}`;
        expect(given(ofToken.stream(), text)).toBe(text);
      }
  });

  it("masks what is broken into lines wherever the first break is", () => {
    const text = Buffer.from(token).toString("base64").replace(/=+$/, "");
    for (let at = 1; at < 20; at += 1) {
      const broken = `${text.slice(0, at)}\n${text.slice(at)}`;
      expect(ofToken.text(`a ${broken}`)).toMatch(/^a <secret>TOKEN<\/secret>.?$/);
      const stream = ofToken.stream();
      const said = given(stream, `a ${broken.slice(0, at + 1)}`) + given(stream, broken.slice(at + 1));
      expect((said + stream.end().toString()).slice(0, 7)).toBe(
        at < 4 ? `a ${broken}`.slice(0, 2 + at + 1).padEnd(7, "<secret>") : "a <secr",
      );
    }
  });

  it("gives out what is too little to tell of a value where no more comes, keeps the rest, and masks what comes of one then", () => {
    const stream = ofToken.stream();
    expect(given(stream, "now npm_A")).toBe("now ");
    expect(stream.quiet().toString()).toBe("npm_A");
    expect(given(stream, `${token.slice(5)} then ${token.slice(0, 6)}`)).toBe("<secret>TOKEN</secret> then ");
    expect(stream.quiet().toString()).toBe("");
    expect(given(stream, "!\n")).toBe("npm_Ab!\n");
    const other = createMasking([{ name: "PIN", value: "s3cr3t" }]).stream();
    expect([given(other, "s3"), other.quiet().toString(), given(other, "s3c"), other.quiet().toString()]).toEqual([
      "",
      "s3",
      "",
      "",
    ]);
  });

  const pem = (): string =>
    `-----BEGIN PRIVATE KEY-----\n${randomBytes(2_350)
      .toString("base64")
      .match(/.{1,64}/g)
      ?.join("\n")}\n-----END PRIVATE KEY-----`;

  it("takes many long keys, which have all their forms, and texts that repeat what they begin with", () => {
    const keys = [...Array(40).keys()].map((at) => ({ name: `KEY_${at}`, value: pem() }));
    const many = createMasking(keys);
    for (const { name, value: key } of [keys[0], keys[39]].flatMap((one) => (one === undefined ? [] : [one]))) {
      for (const form of [
        key,
        JSON.stringify(key).slice(1, -1),
        Buffer.from(key).toString("hex"),
        Buffer.from(key).toString("base64"),
      ])
        expect(many.text(`a ${form} b`)).toMatch(new RegExp(`^a <secret>${name}</secret>.?=* b$`));
    }
    const text = "-----BEGIN PRIVATE KEY-----\n".repeat(8_000);
    expect(many.text(text)).toBe(text);
    const periodic = createMasking([{ name: "ABC", value: "abc".repeat(1_000) }]);
    expect(periodic.text(`${"abc".repeat(20_000)}.`)).toMatch(/^(?:<secret>ABC<\/secret>)+(?:abc)*\.$/);
  });

  it("masks of JSON its keys and of other lines those that only a key has, and no line that anybody writes", () => {
    const [first, second] = [randomBytes(48).toString("base64"), randomBytes(20).toString("hex")];
    const account = {
      type: "service_account",
      private_key_id: second,
      private_key: `-----BEGIN PRIVATE KEY-----\n${first}\n-----END PRIVATE KEY-----\n`,
      token_uri: "https://oauth2.googleapis.com/token",
      auth_provider_x509_cert_url: "https://www.googleapis.com/oauth2/v1/certs",
    };
    const json = JSON.stringify(account, undefined, 2);
    const masked = createMasking([{ name: "GCP", value: json }]);
    const honest = json.split("\n").filter((line) => !line.includes(first) && !line.includes(second));
    for (const line of [...honest, '"type": "service_account",', "https://oauth2.googleapis.com/token"])
      expect(masked.text(line)).toBe(line);
    expect(masked.text(`id ${second} of ${first}`)).toBe("id <secret>GCP</secret> of <secret>GCP</secret>");
    expect(masked.text(json)).toBe("<secret>GCP</secret>");
    const lines = createMasking([{ name: "ENV", value: `# settings of the service\nTOKEN_OF_IT=${token}` }]);
    expect(lines.text(`# settings of the service; TOKEN_OF_IT=${token}`)).toBe(
      "# settings of the service; <secret>ENV</secret>",
    );
  });
});

describe("the codes of a second factor", () => {
  const key = "JBSWY3DPEHPK3PXPJBSWY3DP";
  const known = (clock = () => 0, value = `otpauth://totp/a?secret=${key}&issuer=b`) =>
    knownSecrets([{ name: "site_totp", domains: [], value }], clock);

  it("are masked in streams that were begun before they were given out", () => {
    const secrets = known();
    const { masking } = secrets;
    const stream = masking.stream();
    const early = stream.push(Buffer.from("begun\n")).toString();
    const code = secrets.valueOf("site_totp");
    const late = stream.push(Buffer.from(`code ${code}\n`)).toString();
    expect(early + late + stream.end().toString()).toBe("begun\ncode <secret>site_totp</secret>\n");
  });

  it("are masked where they stand alone, also behind escapes and colours, and not within other numbers and words", () => {
    const secrets = known();
    const { masking } = secrets;
    const code = secrets.valueOf("site_totp");
    for (const [before, after] of [
      ["", ""],
      ["code=", "\n"],
      ["\\n", "\\n"],
      ["%3D", "%26"],
      ["\u001b[1m", "\u001b[0m"],
      ['"', '"'],
    ] as const)
      expect(masking.text(before + code + after)).toBe(`${before}<secret>site_totp</secret>${after}`);
    for (const honest of [`20${code}55`, `ab${code}cd`, `${code}7`, `v${code}`, `id ${code}x`])
      expect(masking.text(honest)).toBe(honest);
    expect(masking.text(Buffer.from(`x${code}`).toString("hex"))).toBe("78<secret>site_totp</secret>");
  });

  it.each([key, key.toLowerCase(), `${key.replace(/.{4}(?=.)/g, "$& ")}`])(
    "are of a key that is masked as %s",
    (form) => {
      for (const value of [
        `otpauth://totp/a?secret=${key.toLowerCase()}&issuer=b`,
        key.replace(/.{4}(?=.)/g, "$&-"),
        key,
      ])
        expect(known(() => 0, value).masking.text(`key ${form}.`)).toBe("key <secret>site_totp</secret>.");
    },
  );
});
