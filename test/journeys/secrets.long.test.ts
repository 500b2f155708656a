import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openPlace, type Place } from "../support/cli.ts";
import { type Answer, asks, says } from "../support/model-server.ts";
import { freely } from "../support/needs.ts";
import { filesWith, formsIn, keyTexts } from "../support/secret-forms.ts";

const value = 'gx7"Q/<v>&_ 9zK+t';
const file = (place: Place): string => join(place.home, "secrets", "secrets.json");

const set = (place: Place, name = "SITE_TOKEN", given = value, ...more: string[]) =>
  place.run(["secrets", "set", name, "--stdin", ...more], { stdin: `${given}\n` });

async function placeWith(answers: Answer[], ...rules: object[]): Promise<Place> {
  const place = await openPlace(answers);
  expect(await set(place)).toMatchObject({ code: 0 });
  if (rules.length > 0) await place.write("../home/policy.json", JSON.stringify({ rules }));
  return place;
}

/** What lies about anywhere but in the secrets' own place. */
const leftIn = (place: Place, ...more: string[]): string[] =>
  filesWith(dirname(place.home), [value, ...more], ["secrets"]);

const prints = [
  'printf "plain %s\\n" "$SITE_TOKEN"',
  'printf %s "$SITE_TOKEN" | base64',
  'printf "x%s" "$SITE_TOKEN" | base64 -w 8',
  'printf "xy%s" "$SITE_TOKEN" | base64 | tr "+/" "-_"',
  'printf %s "$SITE_TOKEN" | od -An -v -tx1',
  'printf %s "$SITE_TOKEN" | od -An -v -tx1 | tr -d " \\n"; echo',
  "node -e 'const v = process.env.SITE_TOKEN; console.log(encodeURIComponent(v), JSON.stringify({ v }))'",
  "node -e 'process.stderr.write(process.env.SITE_TOKEN.replaceAll(`&`, `&amp;`).replaceAll(`<`, `&lt;`) + `\\n`)'",
  // Half of it, and the rest later: the two pieces come one by one.
  'printf %s "$SITE_TOKEN" | head -c 7; sleep 0.2; printf %s "$SITE_TOKEN" | tail -c +8; echo',
].join("; ");

describe("agent secrets", () => {
  it("keeps values where their owner alone may read them, lists names and forgets", async () => {
    const place = await openPlace();
    const kept = await set(place, "SITE_TOKEN", value, "--domain", "*.example.org", "--domain", "localhost:8080");
    expect(kept).toMatchObject({ code: 0, stderr: "" });
    expect(kept.stdout).toContain(`SITE_TOKEN is kept in ${file(place)}, which you alone may read`);
    expect([statSync(dirname(file(place))).mode & 0o777, statSync(file(place)).mode & 0o777]).toEqual([0o700, 0o600]);
    await set(place, "site_totp", "JBSW Y3DP EHPK 3PXP");
    const lines = (await place.run(["secrets", "list", "--json"])).stdout.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { name: "SITE_TOKEN", domains: ["*.example.org", "localhost:8080"], kept: "file", totp: false },
      { name: "site_totp", domains: [], kept: "file", totp: true },
    ]);
    expect((await place.run(["secrets"])).stdout).toMatch(
      /SITE_TOKEN +\*\.example\.org, localhost:8080 +file\nsite_totp +anywhere +file, a code/,
    );
    expect(await place.run(["secrets", "rm", "SITE_TOKEN", "site_totp"])).toMatchObject({ code: 0 });
    expect(await place.run(["secrets", "list"])).toMatchObject({
      code: 0,
      stdout: "no secret is set: agent secrets set NAME\n",
    });
    expect(filesWith(dirname(place.home), value)).toEqual([]);
    expect(await place.run(["secrets", "rm", "SITE_TOKEN"])).toMatchObject({ code: 2 });
  });

  it("refuses what cannot be a secret, with the reason and without the value", async () => {
    const place = await openPlace();
    const refused = [
      await set(place, "PATH"),
      await set(place, "LD_PRELOAD"),
      await set(place, "NODE_OPTIONS"),
      await set(place, "TOKEN", "abc12"),
      await set(place, "TOKEN", "password"),
      await set(place, "TOKEN", value, "--domain", "www.google.*"),
      await place.run(["secrets", "set", "TOKEN", value]),
      await place.run(["secrets", "set", "TOKEN"]),
    ];
    expect(refused.map(({ code }) => code)).toEqual(refused.map(() => 2));
    const told = refused.map(({ stderr, stdout }) => stdout + stderr);
    expect(told[0]).toContain("programs take a variable of that name for one of their settings");
    expect(told[3]).toContain("fewer than 6 characters");
    expect(told[5]).toContain("www.google.evil.com");
    expect(told[6]).toContain("never as an argument");
    expect(told[7]).toContain("--stdin");
    expect(formsIn(told.join("\n"), value)).toEqual([]);
    expect(existsSync(dirname(file(place)))).toBe(false);
  });

  it("asks at the terminal without showing what is typed", async () => {
    const place = await openPlace();
    const pty = place.prints(["secrets", "set", "SITE_TOKEN"]);
    await pty.waitFor("value of SITE_TOKEN");
    pty.type(value);
    pty.key("enter");
    await pty.waitFor("SITE_TOKEN is kept in");
    expect(formsIn(pty.raw(), value)).toEqual([]);
    expect(readFileSync(file(place), "utf8")).toContain(JSON.stringify(value));
  });

  const asLink = (path: string): void => {
    renameSync(path, `${path}.real`);
    symlinkSync(`${path}.real`, path);
  };

  it.each([
    ["a link in the place of its file", asLink, "is a link"],
    ["a file that others may read", (path: string) => chmodSync(path, 0o640), "is open to others"],
    ["a folder that others may read", (path: string) => chmodSync(dirname(path), 0o755), "is open to others"],
    ["a folder that is a link", (path: string) => asLink(dirname(path)), "is a link"],
  ])("does not take %s", async (_, spoil, told) => {
    const place = await placeWith([says("Done.")]);
    spoil(file(place));
    for (const argv of [
      ["secrets", "list"],
      ["run", "do it"],
    ]) {
      const ran = await place.run(argv);
      expect(ran.code).toBe(52);
      expect(ran.stderr).toContain(told);
    }
    expect(await set(place)).toMatchObject({ code: 52 });
  });

  /** A place whose keyring does as these lines of a script say: `$1` is what is asked for, `$name` of which secret, `$kept` the keyring's folder. */
  function withKeyring(place: Place): { env: { PATH: string }; kept: string; does(script: string): void } {
    const [bin, kept] = [join(dirname(place.home), "bin"), join(dirname(place.home), "ring")];
    mkdirSync(bin);
    mkdirSync(kept);
    const does = (script: string) =>
      writeFileSync(join(bin, "secret-tool"), `#!/bin/sh\nkept=${kept}; for name; do :; done\n${script}\n`, {
        mode: 0o755,
      });
    return { env: { PATH: `${bin}:${place.env["PATH"]}` }, kept, does };
  }
  const keeps = 'case "$1" in store) cat > "$kept/$name";; lookup) cat "$kept/$name";; clear) rm "$kept/$name";; esac';

  it("loses no value where two set it at once", async () => {
    const place = await openPlace();
    const { env, kept, does } = withKeyring(place);
    // One is kept, slowly; the other is not taken, and would be cleared after the first was kept.
    does(`case "$1" in
      store) mkdir "$kept/first" || exit 1; cat > "$kept/$name";;
      lookup) cat "$kept/$name" && sleep 1;;
      clear) sleep 1.7; rm -f "$kept/$name";;
    esac`);
    const values = ["first-value-of-it", "second-value-of-it"];
    const both = values.map((stdin) => place.run(["secrets", "set", "SITE_TOKEN", "--stdin"], { stdin, env }));
    expect((await Promise.all(both)).map(({ code }) => code)).toEqual([0, 0]);
    const inRing = existsSync(join(kept, "SITE_TOKEN")) ? readFileSync(join(kept, "SITE_TOKEN"), "utf8") : "";
    const text = readFileSync(file(place), "utf8") + Buffer.from(inRing, "base64").toString();
    expect(values.filter((one) => text.includes(one))).not.toEqual([]);
  });

  it("begins and exports nothing while a value cannot be read and so not masked, unless the person lets it", async () => {
    const place = await openPlace([says("Done."), says("Done.")]);
    const { env, does } = withKeyring(place);
    does(keeps);
    await place.run(["secrets", "set", "SITE_TOKEN", "--stdin"], { stdin: value, env });
    const { session } = await place.json(["run", "do it"], { env });
    does("exec sleep 60");
    const told = "did not give the value of SITE_TOKEN: where it comes up it is not masked";
    for (const argv of [
      ["run", "do it"],
      ["sessions", "export", session],
    ]) {
      const refused = await place.run(argv, { env });
      expect([refused.code, refused.stdout]).toEqual([52, ""]);
      expect(refused.stderr).toContain(told);
      expect(refused.stderr).toContain("--unmasked-secrets");
      const allowed = await place.run([...argv, "--unmasked-secrets"], { env });
      expect(allowed.code).toBe(0);
      expect(allowed.stderr).toContain(told);
    }
    expect(place.server.requests).toHaveLength(2);
    expect(place.heard(1, 0)).toContain("- SITE_TOKEN; it cannot be read now: no call gets it");
  });

  it("uses the system's keyring where that answers, and the file where it hangs", async () => {
    const place = await openPlace();
    const { env, kept, does } = withKeyring(place);
    // Its words come as arguments, what is to be kept on stdin.
    does(`printf '%s\\n' "$*" >> $kept/asked; ${keeps}`);
    const ran = await place.run(["secrets", "set", "SITE_TOKEN", "--stdin"], { stdin: value, env });
    expect(ran.stdout).toContain("in the system's keyring, by secret-tool");
    expect(formsIn(readFileSync(join(kept, "asked"), "utf8"), value)).toEqual([]);
    expect(filesWith(place.home, value)).toEqual([]);
    expect(JSON.parse((await place.run(["secrets", "list", "--json"], { env })).stdout)).toMatchObject({
      kept: "keyring",
    });
    does("exec sleep 60");
    const later = await place.run(["secrets", "set", "OTHER_TOKEN", "--stdin"], { stdin: value, env });
    expect(later.stdout).toContain(`in ${file(place)}, which you alone may read (secret-tool did not take it)`);
    expect(await place.run(["secrets", "rm", "SITE_TOKEN"], { env })).toMatchObject({ code: 1 });
  });
});

describe("a file with a value in it", () => {
  it("is read and searched without any part of that, though the line is cut in its middle", async () => {
    const place = await placeWith([
      asks("read_file", { file_path: "long.txt" }),
      asks("grep", { pattern: "needle" }),
      says("Done."),
    ]);
    const lines = [
      `${"x".repeat(1_990)} ${value} x`,
      `needle ${"y".repeat(283)} ${value} ${"y".repeat(400)}`,
      `${"z".repeat(200)} ${value} ${"z".repeat(88)} needle ${"z".repeat(400)}`,
    ];
    await place.write("long.txt", lines.join("\n"));
    await place.json(["run", "read it"]);
    const heard = String(place.heard(1, -1)) + String(place.heard(2, -1));
    expect(heard).toContain("(cut to 2000 characters: line 1)");
    for (let at = 0; at + 4 <= value.length; at += 1) expect(heard).not.toContain(value.slice(at, at + 4));
    expect(heard).toMatch(/long.txt:3:….*needle/);
  });
});

describe("an export of what the person said", () => {
  it.each([
    ["--html", "it is &lt;secret&gt;SITE_TOKEN&lt;/secret&gt; &lt;b&gt;"],
    ["--md", "it is <secret>SITE_TOKEN</secret> "],
  ])("with %s has the tag as words, and says how often", async (form, shown) => {
    const place = await placeWith([says("Done.")]);
    const { session } = await place.json(["run", `it is ${value} <b>`]);
    const { code, stdout, stderr } = await place.run(["sessions", "export", session, form]);
    expect([code, formsIn(stdout, value)]).toEqual([0, []]);
    expect(stdout).toContain(shown);
    if (form === "--html") expect(stdout).not.toContain("<secret>");
    expect(stderr).toMatch(/replaced SITE_TOKEN \d+ times? by <secret>SITE_TOKEN<\/secret>/);
  });
});

describe("a file with a value in it, written", () => {
  it("does not lose that to the tag that the model was shown", async () => {
    const place = await placeWith([
      asks("read_file", { file_path: "a.env.txt" }),
      asks("write_file", { file_path: "a.env.txt", content: "A=<secret>SITE_TOKEN</secret>\nB=2\n" }),
      asks("edit_file", { file_path: "a.env.txt", old_string: "B=1", new_string: "B=2" }),
      asks("write_file", { file_path: "b.txt", content: "it is <secret>SITE_TOKEN</secret>\n" }),
      says("Done."),
    ]);
    await place.write("a.env.txt", `A=${value}\nB=1\n`);
    const ran = await place.json(["run", "set B to 2", "--mode", "accept-edits"]);
    expect(ran).toMatchObject({ code: 0, end: { calls: { error: 1, success: 3 } } });
    expect(place.heard(2, -1)).toContain("INVALID_ARGUMENT: a.env.txt holds the value of the secret SITE_TOKEN");
    expect(await place.read("a.env.txt")).toBe(`A=${value}\nB=2\n`);
    expect(await place.read("b.txt")).toBe("it is <secret>SITE_TOKEN</secret>\n");
  });
});

describe("a secret that is set while a chat is open", () => {
  it("is masked in what the chat exports, and in its next session", async () => {
    const place = await openPlace([says("Here I am."), asks("read_file", { file_path: "a.txt" }), says("Read.")], {
      "a.txt": `A=${value}\n`,
    });
    const pty = place.chat(["chat"]);
    const say = async (text: string, answer: string): Promise<void> => {
      await pty.waitFor((one) => one.screen().join("\n").includes("ask, or / for commands"));
      pty.type(text);
      await pty.waitFor(`❯ ${text}`);
      pty.key("enter");
      await pty.waitFor(answer);
    };
    await say(`it is ${value}`, "Here I am.");
    expect(await set(place)).toMatchObject({ code: 0 });
    await say("/export out.md", "before you give it away.");
    expect(await place.read("out.md")).toContain("it is <secret>SITE_TOKEN</secret>");
    await say("/new", "the one before is saved");
    await say("read it", "Read.");
    expect(place.heard(2, -1)).toContain("A=<secret>SITE_TOKEN</secret>");
    pty.key("ctrl-d");
    await pty.exit;
  });
});

describe("an undo", () => {
  it("puts a tag back in the place of a value: the person says so", async () => {
    const tag = "<secret>SITE_TOKEN</secret>";
    const place = await placeWith([
      asks("write_file", { file_path: "b.txt", content: `it is ${tag}\n` }),
      says("Written."),
      asks("edit_file", { file_path: "b.txt", old_string: tag, new_string: value }),
      says("Filled in."),
    ]);
    const { session } = await place.json(["run", "write it", "--mode", "accept-edits"]);
    await place.json(["resume", session, "fill it in", "--mode", "accept-edits"]);
    expect(await place.read("b.txt")).toBe(`it is ${value}\n`);
    expect(await place.json(["undo", session, "--yes"])).toMatchObject({ code: 0, end: { calls: { success: 1 } } });
    expect(await place.read("b.txt")).toBe(`it is ${tag}\n`);
  });
});

describe("a command with a secret", () => {
  const rule = { tool: "shell", command: "bash *", secrets: ["SITE_TOKEN"], decision: "allow", why: "it may" };
  const asksWith = (command: string, more: object = {}) => asks("shell", { command, secrets: ["SITE_TOKEN"], ...more });

  it("gets it as a variable, and nothing that is shown or kept has it in any form", async () => {
    const place = await placeWith([
      asksWith(prints),
      asksWith("echo begun; printf '%s\\n' \"$SITE_TOKEN\"; sleep 0.1", { background: true }),
      asks("shell_output", { id: "c2" }),
      asks("shell", { command: 'echo "[$SITE_TOKEN]"' }),
      // So long that it is kept beside its result, and packed.
      asksWith('for i in $(seq 2000); do echo "line $i of many"; done; printf "plain %s\\n" "$SITE_TOKEN"; echo ends'),
      says("Done."),
    ]);
    const key = "JBSWY3DPEHPK3PXP";
    await set(place, "site_totp", key);
    const first = await place.json(["run", "use it", "--mode", "full-auto", ...freely]);
    const { plan, verdict } = first.the("approval_requested").calls[0] ?? {};
    expect([first.code, verdict?.why]).toEqual([11, expect.stringContaining("it is given your secret SITE_TOKEN")]);
    expect(plan).toMatchObject({
      command: prints,
      warnings: expect.arrayContaining([expect.stringContaining("it gets your secret SITE_TOKEN, as $SITE_TOKEN")]),
    });
    const second = await place.json(["resume", first.session, "--approve", "all", "--mode", "full-auto", ...freely]);
    expect(second.code).toBe(11);
    const third = await place.json(["resume", first.session, "--approve", "all", "--mode", "full-auto", ...freely]);
    expect(third.code).toBe(11);
    const fourth = await place.json(["resume", first.session, "--approve", "all", "--mode", "full-auto", ...freely]);
    expect(fourth).toMatchObject({ code: 0, end: { text: "Done.", calls: { success: 5 } } });
    const heard = String(place.heard(1, -1));
    expect(heard.match(/<secret>SITE_TOKEN<\/secret>/g)?.length).toBe(10);
    expect(heard).toContain("plain <secret>SITE_TOKEN</secret>\n");
    expect(place.heard(3, -1)).toContain("begun\n<secret>SITE_TOKEN</secret>");
    expect(place.heard(4, -1)).toContain("[]");
    expect(place.heard(5, -1)).toContain("plain <secret>SITE_TOKEN</secret>\nends");
    expect(place.heard(0, 0)).toContain("# The person's secrets");
    const shown = [first, second, third, fourth].map(({ stdout, stderr }) => stdout + stderr).join("\n");
    const requests = JSON.stringify(place.server.requests.map(({ body }) => body));
    expect([formsIn(shown, value), formsIn(requests, value)]).toEqual([[], []]);
    for (const [command = "", ...more] of [["show"], ["export"], ["export", "--html"], ["export", "--md"]]) {
      const { code, stdout } = await place.run(["sessions", command, first.session, ...more]);
      expect([code, formsIn(stdout, value)]).toEqual([0, []]);
      expect(stdout).toContain("SITE_TOKEN");
    }
    expect(leftIn(place, ...keyTexts(key))).toEqual([]);
  });

  it("runs unasked where a rule of the person's names both, and only then", async () => {
    const place = await placeWith(
      [asksWith("bash -c 'echo $SITE_TOKEN'"), asksWith("echo $SITE_TOKEN | base64"), says("Done.")],
      { ...rule, command: "bash -c 'echo $SITE_TOKEN'" },
    );
    const ran = await place.json(["run", "use it", "--mode", "full-auto", ...freely]);
    expect(ran).toMatchObject({ code: 11, end: { calls: { success: 1 } } });
    expect(place.heard(1, -1)).toContain("<secret>SITE_TOKEN</secret>");
  });

  it.each([
    ["names the command alone", { tool: "shell", command: "printenv *", decision: "allow", why: "x" }],
    [
      "names another secret",
      { tool: "shell", command: "printenv *", secrets: ["OTHER_TOKEN"], decision: "allow", why: "x" },
    ],
    ["means another command", { tool: "shell", command: "id *", secrets: ["SITE_TOKEN"], decision: "allow", why: "x" }],
  ])("is asked about where a rule %s", async (_, other) => {
    const place = await placeWith([asksWith("printenv SITE_TOKEN"), says("Done.")], other);
    expect(await place.json(["run", "use it", "--mode", "full-auto", ...freely])).toMatchObject({ code: 11 });
  });

  it("is denied by a rule that names the secret", async () => {
    const place = await placeWith(
      [asksWith("printenv SITE_TOKEN"), asks("shell", { command: "printenv" }), says("Done.")],
      { tool: "shell", secrets: ["SITE_TOKEN"], decision: "deny", why: "never" },
    );
    const ran = await place.json(["run", "use it", "--mode", "full-auto", ...freely]);
    expect(ran).toMatchObject({ code: 10, end: { calls: { cancelled: 1, success: 1 } } });
  });

  it("is told what to write in the place of a tag, and what secrets there are", async () => {
    const place = await placeWith([
      asks("shell", { command: "curl -H <secret>SITE_TOKEN</secret> x" }),
      asks("shell", { command: "true", secrets: ["NO_SUCH"] }),
      asks("write_file", { file_path: "a.txt", content: "it is <secret>SITE_TOKEN</secret>\n" }),
      says("Done."),
    ]);
    await set(place, "BOUND_TOKEN", "another-value-of-it", "--domain", "*.example.org");
    const ran = await place.json(["run", "use it", "--mode", "accept-edits", ...freely]);
    expect(ran).toMatchObject({ code: 0, end: { calls: { error: 2, success: 1 } } });
    expect(place.heard(1, -1)).toContain('give {"secrets": ["SITE_TOKEN"]} beside it and write "$SITE_TOKEN"');
    expect(place.heard(2, -1)).toContain("there is no secret NO_SUCH: there are SITE_TOKEN, BOUND_TOKEN");
    expect(place.heard(3, -1)).toContain("<secret>SITE_TOKEN</secret> in content was taken as it is written");
    expect(await place.read("a.txt")).toBe("it is <secret>SITE_TOKEN</secret>\n");
  });

  it("gets none that is for some hosts alone", async () => {
    const place = await openPlace([asksWith("printenv SITE_TOKEN"), says("Done.")]);
    await set(place, "SITE_TOKEN", value, "--domain", "*.example.org");
    const ran = await place.json(["run", "use it", "--mode", "full-auto", ...freely]);
    expect(ran).toMatchObject({ code: 0, end: { calls: { error: 1 } } });
    expect(place.heard(1, -1)).toContain("goes to *.example.org alone: no command gets it");
  });

  it("leaves nothing of it where its process is killed", async () => {
    const place = await placeWith([asksWith(`${prints}; sleep 30`), says("Done.")]);
    const first = await place.json(["run", "use it", ...freely]);
    const running = place.spawn(["resume", first.session, "--approve", "all", "--json", ...freely]);
    await running.shows("<secret>SITE_TOKEN</secret>");
    expect(existsSync(join(place.home, "agent.db-wal"))).toBe(true);
    expect(leftIn(place)).toEqual([]);
    running.child.kill("SIGKILL");
    const { stdout, stderr } = await running.done;
    expect(formsIn(stdout + stderr, value)).toEqual([]);
    expect(leftIn(place)).toEqual([]);
    const later = await place.json(["resume", first.session, ...freely]);
    expect(later.the("recovery_requested").calls[0]).toMatchObject({ toolName: "shell", effect: "once" });
    expect(leftIn(place)).toEqual([]);
  });
});

describe("without a secret", () => {
  it("nothing is told of any, and the command's arguments are what they were", async () => {
    const place = await openPlace([asks("shell", { command: "true", secrets: ["SITE_TOKEN"] }), says("Done.")]);
    await place.json(["run", "use it", "--mode", "full-auto", ...freely]);
    const [request] = place.server.requests;
    expect(JSON.stringify(request?.body)).not.toMatch(/secrets/);
    expect(place.heard(1, -1)).toContain("INVALID_ARGUMENT");
  });
});
