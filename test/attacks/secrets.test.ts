import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { clearTextNotices } from "../../src/cli/clear-text.ts";
import { withoutCredentials } from "../../src/model/base-url.ts";
import { connectionFailure } from "../../src/model/failures.ts";
import { redact } from "../../src/records/redact.ts";
import { secretsIn } from "../../src/records/secrets.ts";
import { openPlace, type Place } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { RawStore } from "../support/raw-store.ts";

const clean = (text: string, env: Record<string, string> = {}): string => redact(text, secretsIn(env, [])).data;

describe("F25, an export hides", () => {
  it.each([
    ...["GH_PAT", "GITHUB_TOKEN", "SLACK_WEBHOOK_URL", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "GPG_PASSPHRASE"],
    ...["MYSQL_PWD", "PGPASSWORD", "SENTRY_DSN", "NPM_AUTH", "dbCredentials", "SESSION_COOKIE", "APP_JWT", "MY_PASS"],
    ...["DATABASE_URL", "REDIS_URL", "AZURE_STORAGE_CONNECTION_STRING", "githubToken", "AUTHORIZATION", "BOT_CREDS"],
  ])("what %s holds", (name) => {
    expect(clean("the s3cr3t-v4lue!", { [name]: "s3cr3t-v4lue" })).toBe(`the ‹${name}›!`);
  });

  it.each([
    ...["PATH", "PWD", "OLDPWD", "HOME", "LANG", "KEYBOARD", "KEYMAP", "AUTHOR", "PASSENGER", "EDITOR", "TERM", "SPAT"],
    ...["SSH_AUTH_SOCK", "PGPASSFILE", "AWS_SHARED_CREDENTIALS_FILE", "TOKENIZERS_PARALLELISM", "COMPASS", "API_URL"],
  ])("and leaves what %s holds", (name) => {
    expect(clean("an honest-value", { [name]: "honest-value" })).toBe("an honest-value");
  });

  it("and leaves the words of switches", () => {
    expect(clean("auth is enabled, required", { NODE_AUTH: "enabled", X_TOKEN: "required" })).toBe(
      "auth is enabled, required",
    );
  });

  it("passwords of addresses in any variable, as they stand there and decoded", () => {
    const env = { HTTPS_PROXY: "http://me:p%40ss-w0rd@proxy:8080", SERVICE: "https://tok3n-of-mine@host/" };
    expect(clean("p@ss-w0rd p%40ss-w0rd tok3n-of-mine", env)).toBe("‹HTTPS_PROXY› ‹HTTPS_PROXY› ‹SERVICE›");
  });

  it("passwords and tokens in addresses of any text, whoever's they are, and nothing of an honest address", () => {
    expect(clean("git clone https://bob:hunter2@host/r.git && psql postgres://u:p%2Fw@db:5432/x")).toBe(
      "git clone https://bob:‹URL_PASSWORD›@host/r.git && psql postgres://u:‹URL_PASSWORD›@db:5432/x",
    );
    expect(clean("https://ghp_0123456789abcdef@github.com/a")).toBe("https://‹URL_PASSWORD›@github.com/a");
    const honest = "ssh://git@host:22/a http://h:80/@x https://a/b?c=d:e@f mailto:a@b.c npm i x@1:2 //a:b";
    expect(clean(honest)).toBe(honest);
    expect(clean("://".repeat(200_000))).toHaveLength(600_000);
  });

  it("a value in base64, wherever it begins there, and in hexadecimal", () => {
    const value = "s3cr3t-v4lue~?>";
    for (const around of ["", "a", "ab", "user:"]) {
      for (const encoding of ["base64", "base64url", "hex"] as const) {
        const text = Buffer.from(`${around}${value}${around}`).toString(encoding);
        const shown = clean(`Basic ${text}`, { MY_KEY: value });
        expect(shown).toContain("‹MY_KEY›");
        expect(shown.length).toBeLessThan(text.length);
      }
    }
    expect(clean(Buffer.from(value).toString("hex").toUpperCase(), { MY_KEY: value })).toBe("‹MY_KEY›");
  });

  it("a value as addresses, pages and JSON in JSON have it", () => {
    const value = `s3cr3t/v4l'ue&<*> "x"`;
    const url = encodeURIComponent(value);
    const forms = [
      value,
      JSON.stringify(JSON.stringify({ key: value })),
      JSON.stringify(value).replaceAll("/", "\\/"),
      JSON.stringify(value).replace(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`),
      url,
      url.toLowerCase().replace("s3cr3t", "s3cr3t"),
      new URLSearchParams({ key: value }).toString(),
      "<b>s3cr3t/v4l&#39;ue&amp;&lt;*&gt; &quot;x&quot;</b>",
    ];
    for (const form of forms) expect(clean(form, { MY_KEY: value })).toMatch(/^[^0-9]*‹MY_KEY›[^0-9]*$/);
  });

  it("a key of many lines when it is listed line by line, and no line that is a frame", () => {
    const [one, two] = ["MIIEvQIBADANBgkqhkiG9w0B", "AQEFAASCBKcwggSjAgEAAoIB"];
    const key = `-----BEGIN PRIVATE KEY-----\n${one}\n${two}\n-----END PRIVATE KEY-----`;
    const listed = `     1\t-----BEGIN PRIVATE KEY-----\n     2\t${one}\n     3\t${two}\n+${one}`;
    const shown = "     1\t-----BEGIN PRIVATE KEY-----\n     2\t‹K_KEY›\n     3\t‹K_KEY›\n+‹K_KEY›";
    for (const given of [key, key.replaceAll("\n", "\\n"), JSON.stringify({ project: "shop", private_key: key })])
      expect(clean(listed, { K_KEY: given })).toBe(shown);
    expect(clean("project shop", { K_KEY: JSON.stringify({ project: "project shop", private_key: key }) })).toBe(
      "project shop",
    );
  });

  it("a value whose base64 or hexadecimal was broken into lines", () => {
    const value = "s3cr3t-".repeat(20);
    for (const encoding of ["base64", "hex"] as const) {
      const coded = Buffer.from(`me:${value}`).toString(encoding);
      for (const [width, between] of [
        [76, "\n"],
        [64, "\r\n"],
        [60, "\\n"],
        [76, "\n     2\t"],
      ] as const) {
        const text = coded.match(new RegExp(`.{1,${width}}`, "g"))?.join(between) ?? "";
        expect(clean(text, { MY_KEY: value })).toMatch(/^.{0,8}‹MY_KEY›.{0,4}$/);
      }
    }
  });

  it("a value of any size, and leaves lines of codes that hold none as they are", () => {
    const honest = `${"QUJD".repeat(19)}\n${"QUJD".repeat(19)}\nQUJD\n`;
    expect(clean(honest, { MY_KEY: "s3cr3t-v4lue ".repeat(3_000) })).toBe(honest);
  });

  it("what a cut has left of a value, from six characters on or half of a short one, in all its forms", () => {
    const value = `ghp_<"4n/0p>'q7~x1 z9`;
    const forms = [
      ...[value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value), "ghp_&lt;&quot;4n/0p&gt;&#39;q7~x1 z9"],
      ...[Buffer.from(value).toString("hex"), Buffer.from(value).toString("base64url")],
    ];
    for (const form of forms) {
      for (let length = 6; length < form.length; length += 1) {
        expect(clean(`run ${form.slice(0, length)}… x`, { MY_KEY: value })).toBe("run ‹MY_KEY›… x");
        expect(clean(`…${form.slice(-length)} x`, { MY_KEY: value })).toBe("…‹MY_KEY› x");
      }
      for (const end of ["", "\n[9 characters left out]\n", "\r\n"])
        expect(clean(`run ${form.slice(0, 12)}${end}`, { MY_KEY: value })).toBe(`run ‹MY_KEY›${end}`);
    }
    expect(clean("hunt… or hun…", { DB_PASSWORD: "hunter22" })).toBe("‹DB_PASSWORD›… or hun…");
    const long = Array.from({ length: 150 }, (_, at) => `k${at}`).join(".");
    expect(clean(`a:1:…${long.slice(100, 400)}…`, { MY_KEY: long })).toBe("a:1:…‹MY_KEY›…");
    expect(clean("clone https://bob:hunt… from http://host:80… ", {})).toBe(
      "clone https://bob:‹URL_PASSWORD›… from http://host:80… ",
    );
  });

  it("and leaves what anybody may write: words, the beginning of an address, the frame of a key", () => {
    const env = {
      DB_PASSWORD: "password1",
      WEBHOOK_URL: "https://hooks.example/a1b2c3",
      K_KEY: "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0B",
    };
    const honest = "https://… or password\n-----BEGIN PRIVATE KEY-----\nghp_… a password";
    expect(clean(honest, { ...env, GH_PAT: "ghp_0123456789" })).toBe(honest);
    expect(clean("https://hooks…", env)).toBe("https://hooks…");
    expect(clean("https://hooks.…", env)).toBe("‹WEBHOOK_URL›…");
    expect(clean("…".repeat(200_000), env)).toHaveLength(200_000);
    expect(clean("https:/".repeat(100_000), env)).toHaveLength(700_000);
  });

  it("and says what it did not look for", async () => {
    const place = await openPlace([says("Done.")]);
    const { session } = await place.json(["run", "use ghp_0123456789 and postgres://u:pw@db/x"]);
    const env = { GH_PAT: "ghp_0123456789" };
    const exported = await place.run(["sessions", "export", session], { env });
    expect(exported.stdout).toContain("use ‹GH_PAT› and postgres://u:‹URL_PASSWORD›@db/x");
    expect(exported.stderr).toContain("replaced GH_PAT 1 time by ‹GH_PAT›\nreplaced URL_PASSWORD 1 time");
    expect(exported.stderr).toContain("Not seen: all other secrets");
  });
});

test("F25, the password of OPENAI_BASE_URL is in no error", async () => {
  const body = { error: { message: "no such thing at /v1 for hunter2-of-mine" } };
  const place = await openPlace([404, 401, 400].map((status) => ({ status, body })));
  const real = place.server.url.replace("http://", "http://user:hunter2-of-mine@");
  const wrong = ["htp://user:hunter2-of-mine@host/v1", "http://user:hunter2-of-mine/x@host:port/v1"];
  for (const url of [`${real}?key=other-secret`, real, real, ...wrong]) {
    const ran = await place.run(["run", "hi", "--json"], { env: { OPENAI_BASE_URL: url } });
    expect([1, 41]).toContain(ran.code);
    expect(ran.stdout + ran.stderr).not.toMatch(/hunter2|other-secret/);
    expect(ran.stdout).toContain('"type":"error"');
  }
  const endpoint = { model: "m", baseUrl: withoutCredentials("https://user:hunter2@host:8443/v1/?key=x") };
  expect(connectionFailure("ECONNREFUSED", "", endpoint, undefined).message).toBe(
    "No connection to the model server at https://host:8443/v1 (ECONNREFUSED)",
  );
});

const wordsOf = {
  prompt: "PROMPT-of-mine-71",
  fact: "CONTENT-of-mine-72",
  reply: "REPLY-of-mine-73",
  old: "OLD-of-mine-74",
};

/** Which of the words are in the bytes of the store and its log. */
async function leftIn(place: Place): Promise<string[]> {
  const files = ["agent.db", "agent.db-wal"].map((name) =>
    readFile(join(place.home, name)).catch(() => Buffer.alloc(0)),
  );
  const bytes = Buffer.concat(await Promise.all(files));
  return Object.values(wordsOf).filter((word) => bytes.includes(word));
}

async function spoken(): Promise<{ place: Place; session: string; other: string }> {
  const place = await openPlace(
    [
      asks("write_file", { file_path: "a.txt", content: `${wordsOf.fact}\n` }),
      says(wordsOf.reply),
      says("And on."),
      says("Another."),
    ],
    { "a.txt": `${wordsOf.old}\n` },
  );
  const { session } = await place.json(["run", wordsOf.prompt, "--mode", "accept-edits"]);
  await place.run(["resume", session, "go on"]);
  const { session: other } = await place.json(["run", "something else"]);
  return { place, session, other };
}

test("F25, what a removed session said is in no byte of the store, and the others are whole", async () => {
  const { place, session, other } = await spoken();
  expect(await leftIn(place)).toEqual(expect.arrayContaining([wordsOf.prompt, wordsOf.reply]));
  const history = join(place.home, "history");
  await writeFile(
    history,
    [wordsOf.prompt, "something else", "go on"].map((line) => `${JSON.stringify(line)}\n`).join(""),
  );
  expect(await place.run(["sessions", "rm", session])).toMatchObject({
    code: 0,
    stderr: `removed ${session}\nand 2 lines of the chat's input history\n`,
  });
  expect(await readFile(history, "utf8")).toBe('"something else"\n');
  expect(await leftIn(place)).toEqual([]);
  expect((await place.run(["sessions", "show", other])).stdout).toContain("Another.");
  expect((await place.run(["sessions", "verify", other])).code).toBe(0);
});

test("F25, where another process reads the store the person is told that parts may stay, and the next removal takes them", async () => {
  const { place, session, other } = await spoken();
  const reader = new RawStore(join(place.home, "agent.db"));
  reader.exec("BEGIN");
  reader.all("SELECT count(*) FROM session");
  const removed = await place.run(["sessions", "rm", session]);
  expect(removed).toMatchObject({ code: 0, stderr: expect.stringContaining("parts of what was removed may stay") });
  reader.exec("COMMIT");
  reader.close();
  expect((await place.run(["sessions", "rm", other])).stderr).toBe(`removed ${other}\n`);
  expect(await leftIn(place)).toEqual([]);
});

describe("F25, http:// with a key", () => {
  const notices = (url: string, env: Record<string, string> = { OPENAI_API_KEY: "sk-x" }, model = "openai:m") =>
    clearTextNotices(model, { ...env, OPENAI_BASE_URL: url });

  it("to another machine is said at the start of a run, and nothing is asked", async () => {
    const place = await openPlace();
    const env = { OPENAI_BASE_URL: "http://192.0.2.1:9/v1", HTTP_PROXY: "http://127.0.0.1:9", NO_PROXY: undefined };
    await place.spawn(["run", "hi", "--json"], { env }).shows('"code":"clear_text"');
  });

  it.each(["http://192.0.2.1:9/v1", "HTTP://host.invalid/v1", "http://localhost.example.com/"])("%s", async (url) => {
    expect(await notices(url)).toMatchObject([{ code: "clear_text", text: expect.stringMatching(/ by http:\/\/:/) }]);
  });

  it("holds for a password in the address too, which is not repeated", async () => {
    const [notice] = await notices("http://me:hunter2@host.invalid/v1", {});
    expect(notice?.text).toMatch(/^the model server host\.invalid is/);
  });

  it.each([
    ["to this machine", () => notices("http://localhost:9/v1")],
    ["to this machine by another address of it", () => notices("http://[::1]:9/v1")],
    ["to this machine by a third one", () => notices("http://127.8.8.8/v1")],
    ["by https", () => notices("https://host.invalid/v1")],
    ["without a key", () => notices("http://host.invalid/v1", {})],
    ["with the demo as the model", () => notices("http://host.invalid/v1", { OPENAI_API_KEY: "sk-x" }, "demo")],
  ])("%s is nothing to say", async (_, told) => {
    expect(await told()).toEqual([]);
  });
});
