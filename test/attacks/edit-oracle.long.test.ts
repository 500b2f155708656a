import { linkSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/core/json.ts";
import { knownSecrets } from "../../src/core/secrets/known-secrets.ts";
import { prepareCall } from "../../src/graph/calls/prepare.ts";
import type { Mode, Rule } from "../../src/policy/types.ts";
import { createEditFileTool } from "../../src/tools/files/edit-file.ts";
import { createWriteFileTool } from "../../src/tools/files/write-file.ts";
import { createToolContext } from "../../src/tools/use/run-tool.ts";
import { calls, type Line, openStage, says } from "../support/play.ts";
import { tempTree } from "../tools/temp-tree.ts";

const secret = "hunter2-hunter2";
const key = `-----BEGIN OPENSSH PRIVATE KEY-----\n${secret}\n-----END OPENSSH PRIVATE KEY-----\n`;

const rule = (decision: Rule["decision"], ...paths: string[]): Rule => ({
  tool: "read_file",
  decision,
  why: "",
  origin: { source: "user", file: "policy.json", line: 1 },
  paths,
});

const secrets = knownSecrets(
  [
    { name: "HELD", domains: [], value: secret },
    { name: "OTHER", domains: [], value: "hunter3-hunter3" },
  ],
  Date.now,
);

type Edit = { old_string: string; new_string: string; mode?: string; replace_all?: boolean };

/** Pairs of edits that differ in what they ask of the file: the first finds it, or fails otherwise than the second. */
const questions: [name: string, yes: Edit, no: Edit][] = [
  [
    "an empty match of a regex",
    { old_string: "(?=hunter2)", new_string: "", mode: "regex" },
    { old_string: "(?=hunter3)", new_string: "", mode: "regex" },
  ],
  [
    "a regex that changes nothing",
    { old_string: "(hunter2)", new_string: "$1", mode: "regex", replace_all: true },
    { old_string: "(hunter3)", new_string: "$1", mode: "regex", replace_all: true },
  ],
  [
    "text that is there more than once",
    { old_string: "hunter2", new_string: "x" },
    { old_string: "hunter3", new_string: "x" },
  ],
  [
    "text that fits but for its blanks",
    { old_string: "  hunter2-hunter2", new_string: "  x", mode: "flexible" },
    { old_string: "  hunter3-hunter3", new_string: "  x", mode: "flexible" },
  ],
  [
    "an edit that could be done",
    { old_string: `${secret}`, new_string: "x" },
    { old_string: "hunter3-hunter3", new_string: "x" },
  ],
  [
    "a character that the file's encoding has not",
    { old_string: "-hunter2", new_string: "\u4e00" },
    { old_string: "-hunter3", new_string: "\u4e00" },
  ],
];

const files = {
  ".env": `A=${secret}\n`,
  "conf/.env.local": `A=${secret}\n`,
  ".npmrc": `_auth=${secret}\n`,
  deploy: key,
  "asked.txt": `A=${secret}\n`,
  "denied.txt": `A=${secret}\n`,
};
const rules = [rule("ask", "asked.txt"), rule("deny", "denied.txt")];

/** Where the guarded files are, and links to them. */
function place(): string {
  const workspace = tempTree(files);
  symlinkSync(".env", join(workspace, "link.txt"));
  symlinkSync("conf", join(workspace, "other"));
  linkSync(join(workspace, "deploy"), join(workspace, "hard"));
  return workspace;
}
const places = [...Object.keys(files), "link.txt", "other/.env.local", "hard"];

async function prepared(workspace: string, args: JsonObject, mode: Mode = "ask", tool = createEditFileTool()) {
  const policy = { rules, grants: [], mode, sealed: { roots: [] } };
  const made = await prepareCall(tool, args, createToolContext({ workspace }), policy, { secrets });
  if (made.kind === "refused") return { refused: made.code, message: made.message };
  const { decision, risk, rule: by, why } = made.verdict;
  return { decision, risk, by, why };
}

describe("what an edit of a file that is not read without asking comes to", () => {
  test.each(questions)("is one question, whatever is in it: %s", async (_, yes, no) => {
    const workspace = place();
    for (const file_path of places)
      for (const mode of ["ask", "accept-edits", "full-auto"] as const) {
        const hit = await prepared(workspace, { file_path, ...yes }, mode);
        const miss = await prepared(workspace, { file_path, ...no }, mode);
        expect([file_path, hit]).toEqual([file_path, miss]);
        expect([file_path, hit.decision]).toEqual([file_path, "ask"]);
      }
  });

  test("is one denial where nothing may be changed", async () => {
    const workspace = place();
    for (const [, yes, no] of questions)
      for (const file_path of places) {
        const hit = await prepared(workspace, { file_path, ...yes }, "read-only");
        expect(hit).toEqual(await prepared(workspace, { file_path, ...no }, "read-only"));
        expect(hit.decision).toBe("deny");
      }
  });

  test("is the same for a file of bytes, a large one and one in another encoding", async () => {
    const text = "A=1\n";
    const workspace = tempTree({ ".env.a": text, ".env.b": "\0\0\0\u0001", ".env.c": `${"x".repeat(60_000_000)}` });
    const edit = { old_string: "B", new_string: "C" };
    const found = [".env.a", ".env.b", ".env.c"].map(async (file_path) => {
      const { why = "", ...rest } = await prepared(workspace, { file_path, ...edit });
      return { ...rest, why: why.replaceAll(file_path, "FILE") };
    });
    const [first, ...others] = await Promise.all(found);
    expect(first).toMatchObject({ decision: "ask" });
    for (const other of others) expect(other).toEqual(first);
  });

  test("is a question too where the whole of it is written, so that no count of lines and no guess is answered", async () => {
    const workspace = place();
    for (const file_path of places)
      for (const content of [`A=${secret}\n`, "x\n"]) {
        const found = await prepared(workspace, { file_path, content }, "accept-edits", createWriteFileTool());
        expect([file_path, found.decision]).toEqual([file_path, "ask"]);
      }
  });

  test("is one question and one denial where a secret's tag is written, whether or not its value is there", async () => {
    const workspace = place();
    const tagged = (name: string) => ({ content: `A=<secret>${name}</secret>\n` });
    for (const file_path of places)
      for (const mode of ["accept-edits", "full-auto", "read-only"] as const) {
        const write = (name: string) =>
          prepared(workspace, { file_path, ...tagged(name) }, mode, createWriteFileTool());
        const held = await write("HELD");
        expect([file_path, held]).toEqual([file_path, await write("OTHER")]);
        expect([file_path, held.decision]).toEqual([file_path, mode === "read-only" ? "deny" : "ask"]);
      }
  });

  test("is told plainly of a tag where the file may be read, in whatever encoding it is", async () => {
    const workspace = tempTree({ "a.txt": `A=${secret}\n` });
    writeFileSync(join(workspace, "b.txt"), Buffer.from(`\ufeffA=${secret}\n`, "utf16le"));
    writeFileSync(join(workspace, "c.txt"), Buffer.from(`\ufeffA=${secret}\n`, "utf16le").swap16());
    for (const file_path of ["a.txt", "b.txt", "c.txt"]) {
      const write = (name: string) =>
        prepared(
          workspace,
          { file_path, content: `A=<secret>${name}</secret>\n` },
          "accept-edits",
          createWriteFileTool(),
        );
      expect(await write("HELD")).toMatchObject({
        refused: "INVALID_ARGUMENT",
        message: expect.stringContaining(`${file_path} holds the value of the secret HELD`),
      });
      expect(await write("OTHER")).toMatchObject({ decision: "allow" });
    }
  });

  test("is told plainly where the file may be read, or is not there", async () => {
    const workspace = tempTree({ "a.txt": "one\n", "AGENTS.md": "one\n" });
    const miss = { old_string: "two", new_string: "three" };
    expect(await prepared(workspace, { file_path: "a.txt", ...miss })).toMatchObject({ refused: "NOT_FOUND" });
    expect(await prepared(workspace, { file_path: "AGENTS.md", ...miss })).toMatchObject({ refused: "NOT_FOUND" });
    expect(await prepared(workspace, { file_path: ".env", ...miss })).toEqual({
      refused: "NOT_FOUND",
      message: ".env does not exist.",
    });
  });
});

describe("a session", () => {
  const ask = (...edits: Edit[]): Line =>
    calls(...edits.map((edit): [string, JsonObject] => ["edit_file", { file_path: ".env", ...edit }]));

  test("tells the model nothing of what many edits of a file of secrets found, until a person has said yes", async () => {
    const all = questions.flatMap(([, yes, no]) => [yes, no]);
    const stage = await openStage({ lines: [ask(...all), says("done")], files: { ".env": files[".env"] } });
    const life = await stage.begin("read it");
    const { calls: asked } = life.last("approval_requested");
    expect(asked).toHaveLength(all.length);
    expect(stage.requests).toHaveLength(1);
    expect(new Set(life.of("tool_call").map(({ call }) => call.status))).toEqual(
      new Set(["pending", "awaiting_approval"]),
    );
    for (const { callId } of asked)
      await life.session.answer({ session: life.session.id, call: callId }, { decision: "deny" });
    await life.session.settled();
    const told = all.map((_, back) => stage.observation(back));
    expect(new Set(told).size).toBe(1);
    expect(stage.text(".env")).toBe(files[".env"]);
    await life.close();
  });

  test("shows the person why an edit cannot be done, and tells the model after their yes", async () => {
    const stage = await openStage({
      lines: [ask({ old_string: "hunter3", new_string: "x" }), says("done")],
      files: { ".env": files[".env"] },
    });
    const life = await stage.begin("edit it");
    const [call] = life.last("approval_requested").calls;
    expect(call?.verdict).toMatchObject({ decision: "ask", risk: "high", rule: { source: "guarded" } });
    expect(call?.plan.warnings?.join()).toContain("nothing would be changed");
    await life.session.answer(
      { session: life.session.id, call: call?.callId ?? "" },
      { decision: "approve", digest: call?.digest ?? "" },
    );
    await life.session.settled();
    expect(life.call(call?.callId ?? "")).toMatchObject({ status: "error", errorCode: "NOT_FOUND" });
    expect(stage.observation()).toContain("old_string is not in the file");
    await life.close();
  });

  test("asks again where the file has come to fit while the person was deciding", async () => {
    const stage = await openStage({
      lines: [ask({ old_string: "hunter3", new_string: "x" }), says("done")],
      files: { ".env": files[".env"] },
    });
    const life = await stage.begin("edit it");
    const [call] = life.last("approval_requested").calls;
    await stage.put(".env", "A=hunter3\n");
    await life.session.answer(
      { session: life.session.id, call: call?.callId ?? "" },
      { decision: "approve", digest: call?.digest ?? "" },
    );
    await life.session.settled();
    const [again] = life.last("approval_requested").calls;
    expect(again?.plan.diff).toContain("hunter3");
    expect(stage.text(".env")).toBe("A=hunter3\n");
    await life.session.answer(
      { session: life.session.id, call: again?.callId ?? "" },
      { decision: "approve", digest: again?.digest ?? "" },
    );
    await life.session.settled();
    expect(stage.text(".env")).toBe("A=x\n");
    await life.close();
  });
});
