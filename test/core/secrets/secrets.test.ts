import { describe, expect, it } from "vitest";
import { fitsDomain, wrongDomain } from "../../../src/core/secrets/secret-domains.ts";
import { wrongSecretName } from "../../../src/core/secrets/secret-names.ts";
import { wrongSecretValue } from "../../../src/core/secrets/secret-values.ts";
import { readTotpKey, totpAt } from "../../../src/core/secrets/totp.ts";
import { surroundingsOf } from "../../../src/tools/shell/running/surroundings.ts";

const base32 = (text: string): string => {
  const bits = [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[Number.parseInt(five.padEnd(5, "0"), 2)])
    .join("");
};

describe("the key of a second factor", () => {
  // RFC 6238, appendix B.
  const keys = {
    SHA1: "12345678901234567890",
    SHA256: "12345678901234567890123456789012",
    SHA512: "1234567890123456789012345678901234567890123456789012345678901234",
  };
  it.each([
    [59, "94287082", "46119246", "90693936"],
    [1111111109, "07081804", "68084774", "25091201"],
    [1111111111, "14050471", "67062674", "99943326"],
    [1234567890, "89005924", "91819424", "93441116"],
    [2000000000, "69279037", "90698825", "38618901"],
    [20000000000, "65353130", "77737706", "47863826"],
  ])("gives the codes of RFC 6238 at %i", (seconds, ...codes) => {
    const given = Object.entries(keys).map(([algorithm, key]) => {
      const read = readTotpKey(`otpauth://totp/A:b?secret=${base32(key)}&algorithm=${algorithm}&digits=8&period=30`);
      return read && totpAt(read, seconds * 1000);
    });
    expect(given).toEqual(codes);
  });

  it("is read as pages show it", () => {
    const key = readTotpKey("jbsw y3dp-ehpk 3pxp");
    expect(key).toEqual({
      key: Buffer.from("Hello!\u00de\u00ad\u00be\u00ef", "latin1"),
      algorithm: "sha1",
      digits: 6,
      period: 30,
    });
    expect(key && totpAt(key, 0)).toMatch(/^\d{6}$/);
  });

  it.each([
    "",
    "not base32!",
    "otpauth://hotp/a?secret=JBSWY3DPEHPK3PXP",
    "otpauth://totp/a",
    "otpauth://totp/a?secret=JBSWY3DPEHPK3PXP&digits=60",
  ])("is not read of %j", (text) => expect(readTotpKey(text)).toBeUndefined());
});

describe("where a secret may go", () => {
  it.each([
    ["*.github.com", "github.com", true],
    ["*.github.com", "api.github.com", true],
    ["*.github.com", "a.b.GITHUB.com.", true],
    ["*.github.com", "evilgithub.com", false],
    ["*.github.com", "github.com.evil.com", false],
    ["github.com", "api.github.com", false],
    ["www.google.com", "www.google.evil.com", false],
    ["münchen.de", "xn--mnchen-3ya.de", true],
    ["[::1]", "::1", true],
  ])("%s: %s is %s", (pattern, host, fits) => {
    expect(wrongDomain(pattern)).toBeUndefined();
    expect(fitsDomain(pattern, { host, port: 443 })).toBe(fits);
  });

  it("is at the usual ports, or at the one that is said", () => {
    const at = (pattern: string) =>
      [443, 80, 8443].filter((port) => fitsDomain(pattern, { host: "git.example.org", port }));
    expect(at("git.example.org")).toEqual([443, 80]);
    expect(at("git.example.org:8443")).toEqual([8443]);
    expect(at("*.example.org:443")).toEqual([443]);
  });

  it("is what the address leads to, whatever stands before it", () => {
    const { hostname } = new URL("https://github.com@evil.com/");
    expect(fitsDomain("*.github.com", { host: hostname, port: 443 })).toBe(false);
  });

  it.each([
    "www.google.*",
    "*",
    "*.com",
    "*.*.com",
    "git*.com",
    "user@github.com",
    "https://github.com",
    "github.com/x",
    "",
    "a b",
    "*.127.0.0.1",
  ])("cannot be said by %j", (pattern) => expect(wrongDomain(pattern)).toEqual(expect.any(String)));
});

describe("a secret", () => {
  it.each([
    "PATH",
    "path",
    "LD_PRELOAD",
    "NODE_OPTIONS",
    "BASH_ENV",
    "GIT_SSH_COMMAND",
    "GIT_CONFIG_KEY_0",
    "http_proxy",
    "SSH_ASKPASS",
    "PYTHONPATH",
    "a-b",
    "1A",
    "",
    "A".repeat(65),
  ])("cannot have the name %j", (name) => expect(wrongSecretName(name)).toEqual(expect.any(String)));

  it.each([
    "GITHUB_TOKEN",
    "NODE_AUTH_TOKEN",
    "NPM_TOKEN",
    "GIT_TOKEN",
    "github_password",
    "google_bu_2fa_code",
    "OPENAI_API_KEY",
    "PGPASSWORD",
  ])("can have the name %j", (name) => expect(wrongSecretName(name)).toBeUndefined());

  it("has no name of what every command gets", () => {
    const settings = { env: { PATH: "/bin", LC_TIME: "C" }, shellEnv: [], shellPath: [] };
    const { env } = surroundingsOf(settings, ["/w"], { network: true, sandbox: true });
    expect(Object.keys(env).filter((name) => wrongSecretName(name) === undefined)).toEqual([]);
  });

  it.each([
    "",
    "short",
    "password",
    "Password123!",
    "changeme",
    "localhost",
    "keyboard",
    "482913",
    "aaaaaaaaaaaa",
    "12345",
    "  padded-value",
    "with\u0000nul-inside",
    "node_modules",
    "package.json",
    "README.md",
    "src/index.ts",
    "./src/core/secrets",
    "/usr/local/bin",
    "127.0.0.1",
    "127.0.0.1:8080",
    "api.example.org",
    "localhost:3000",
    "https://",
    "postgresql://",
    "http://localhost:3000",
    "https://oauth2.googleapis.com/token",
    "2026-11-26",
    "20261126",
    "2026-11-26T10:11:12Z",
    "26.11.2026",
    "12:34:56",
    "abcdef".repeat(20),
    `${"-=".repeat(40)}s3cr3t`,
  ])("cannot be %j", (value) => expect(wrongSecretValue("TOKEN", value)).toEqual(expect.any(String)));

  it.each([
    "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
    "hunter2-hunter2",
    "s3cr3t",
    "correct horse battery staple",
    "82910473",
    "hunter2/x",
    "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.Sfl-KxwRJSMeKKF2QT4fw",
    "https://hooks.slack.com/services/T00000000/B00000000/a8Xk2Lq9Zr5Tn3Vb7Wc1Yd6F",
    "https://user:hunter2@example.org/",
    "postgres://app:s3cr3t@db.example.org:5432/app",
    "https://example.org/hook?token=a8Xk2Lq9",
    "correct-horse-battery-staple",
    "123e4567-e89b-12d3-a456-426614174000",
    "line one of it\nline two of it",
  ])("can be %j", (value) => expect(wrongSecretValue("TOKEN", value)).toBeUndefined());

  it("tells nothing of a value that it refuses", () => {
    for (const value of ["abc12", "keyboard", "482913"]) expect(wrongSecretValue("TOKEN", value)).not.toContain(value);
  });

  it("of a second factor is its key", () => {
    expect(wrongSecretValue("site_totp", "JBSWY3DPEHPK3PXP")).toBeUndefined();
    expect(wrongSecretValue("site_bu_2fa_code", "123456")).toMatch(/base32/);
  });
});
