import { rmSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { sha256 } from "../../../src/core/json.ts";
import { limits } from "../../../src/core/limits.ts";
import type { Rule } from "../../../src/policy/types.ts";
import type { AgentParts } from "../../../src/session/agent-parts.ts";
import { createDefaultTools } from "../../../src/tools/create-default-tools.ts";
import { createTreeKeeper, type TreeKeeper } from "../../../src/tools/shell/tree/tree-keeper.ts";
import { calls, openStage, says } from "../../support/play.ts";

const rule = (decision: Rule["decision"], more: Partial<Rule> = {}): Rule => ({
  ...{ tool: "shell", decision, why: "said so" },
  ...more,
  origin: { source: "user", file: "policy.json", line: 1 },
});

interface Happening {
  /** What happens behind the copy of the workspace, the first, second, … time that it is made for the call. */
  onCopied(time: number, path: (file: string) => string): void;
  rules: Rule[];
}

/** A session whose command `bash b.sh` no person is asked about; its workspace is copied before that, and then something happens. */
async function openCopied({ onCopied, rules }: Happening, script: string) {
  const stage = await openStage({ lines: [calls(["shell", { command: "bash b.sh" }]), says("Done.")] });
  const { workspace, path } = stage;
  await stage.put("b.sh", script);
  const base = join(dirname(workspace), "packs", "s");
  const kept = createTreeKeeper({ roots: [workspace], base });
  onTestFinished(() => kept.close());
  let times = 0;
  const tree: TreeKeeper = {
    ...kept,
    before: async (callId, signal) => {
      const coverage = await kept.before(callId, signal);
      times += 1;
      onCopied(times, path);
      return coverage;
    },
  };
  const tools = createDefaultTools({ workspace, shell: { sandbox: "off", env: process.env } });
  const close = async () => {
    for (const one of tools) await one.dispose?.();
  };
  const openTools = async () => ({ tools, services: {}, tree, close });
  // Each time what the rules are then, as a file of rules is read.
  const loadPolicy: AgentParts["loadPolicy"] = async ({ mode }) => ({
    ...{ rules: [...rules], grants: [], mode },
    sealed: { roots: [base] },
  });
  const run = async () => {
    const life = await stage.begin("go", { parts: { openTools, loadPolicy } });
    return { life, call: life.call("c1") };
  };
  return { stage, run, times: () => times };
}

const allowed = (): Rule[] => [rule("allow", { command: "bash b.sh" })];

describe("a command that nobody was asked about, and that became another while its workspace was copied,", () => {
  const second = (path: (file: string) => string): void => writeFileSync(path("b.sh"), "echo two > ran\n");

  it("is planned anew, and runs as what it is then", async () => {
    const onCopied: Happening["onCopied"] = (time, path) => {
      if (time === 1) second(path);
    };
    const { stage, run, times } = await openCopied({ rules: allowed(), onCopied }, "echo one > ran\n");
    const { life, call } = await run();
    expect([call, stage.text("ran"), times()]).toMatchObject([{ status: "success" }, "two\n", 2]);
    // What is written down is what it was then: its script, and what it changed against the tree of then.
    const journal = life.journal();
    expect(journal.planOf("c1")?.operands).toContainEqual(
      expect.objectContaining({ path: stage.path("b.sh"), sha: sha256(stage.text("b.sh")) }),
    );
    expect(journal.doneOf("c1").map(({ asked }) => asked)).toEqual(["ran"]);
  });

  it("is written down with the verdict of then", async () => {
    const rules = [rule("allow", { command: "bash b.sh", why: "first" })];
    const onCopied: Happening["onCopied"] = (time, path) => {
      if (time > 1) return;
      second(path);
      rules.splice(0, 1, rule("allow", { command: "bash *", why: "then" }));
    };
    const { run } = await openCopied({ rules, onCopied }, "echo one > ran\n");
    const { life } = await run();
    expect(life.journal().verdictOf("c1")).toMatchObject({
      decision: "allow",
      why: expect.stringMatching(/'bash \*'.*: then$/),
    });
  });

  it("is an error where that happens again and again", async () => {
    const onCopied: Happening["onCopied"] = (time, path) => writeFileSync(path("b.sh"), `echo ${time} > ran\n`);
    const { stage, run, times } = await openCopied({ rules: allowed(), onCopied }, "echo one > ran\n");
    const { call } = await run();
    expect([call, times()]).toMatchObject([{ status: "error", errorCode: "STALE" }, 4]);
    expect(stage.observation()).toContain("not run: what it would run, or what lets it run, changed meanwhile");
  });

  it("is asked about, or denied, where the rules of then say so of what it is then", async () => {
    const ends: string[] = [];
    for (const decision of ["ask", "deny"] as const) {
      const rules = allowed();
      const onCopied: Happening["onCopied"] = (_time, path) => {
        second(path);
        rules.push(rule(decision, { command: "bash b.sh" }));
      };
      const { run, times } = await openCopied({ rules, onCopied }, "echo one > ran\n");
      ends.push((await run()).call.status);
      expect(times()).toBe(1);
    }
    expect(ends).toEqual(["awaiting_approval", "cancelled"]);
  });
});

describe("a command of which it is said only at the last look that it can be taken back", () => {
  const many = Array.from({ length: 202 }, (_, at) => `big/${at}`);
  const onCopied: Happening["onCopied"] = (_time, path) => rmSync(path("big"), { recursive: true, force: true });
  async function openLarge(rules: Rule[]) {
    const opened = await openCopied({ rules, onCopied }, "echo one > ran\n");
    for (const file of many) {
      await opened.stage.put(file, "");
      truncateSync(opened.stage.path(file), limits.keptTreeFile.most);
    }
    return opened;
  }

  it("is kept then, where nobody was asked about it", async () => {
    const { run, times } = await openLarge(allowed());
    const { life, call } = await run();
    expect([call.status, times(), life.journal().planOf("c1")?.covered]).toEqual(["success", 2, true]);
  });

  it("is not run where a person approved it: nothing was kept for that", async () => {
    const { stage, run } = await openLarge([]);
    const { life, call } = await run();
    if (call.status !== "awaiting_approval") throw new Error(call.status);
    const ended = life.until(({ type }) => type === "turn_ended");
    await life.session.answer({ session: life.session.id, call: "c1" }, { decision: "approve", digest: call.digest });
    await ended;
    expect(life.call("c1")).toMatchObject({ status: "error", errorCode: "FAILED" });
    expect(stage.observation()).toContain("not run: what it changes cannot be taken back");
  });
});

it("what a command changed is judged by the rules that it was let run by in the end", async () => {
  const rules = allowed();
  const onCopied = (): void => void rules.push(rule("deny", { tool: "*", paths: ["docs/**"] }));
  const { run } = await openCopied({ rules, onCopied }, "mkdir -p docs\necho one > docs/a.md\n");
  const { call } = await run();
  expect(call).toMatchObject({ status: "interrupted", ended: { why: "overstepped" } });
  expect(JSON.stringify(call)).toContain("docs/a.md");
});

it("a read is written down with the verdict that it runs by", async () => {
  const stage = await openStage({ lines: [calls(["read_file", { file_path: "a.txt" }]), says("Done.")] });
  await stage.put("a.txt", "one\n");
  let times = 0;
  const loadPolicy: AgentParts["loadPolicy"] = async ({ mode }) => {
    times += 1;
    const why = times === 1 ? "first" : "then";
    return { rules: [rule("allow", { tool: "read_file", why })], grants: [], mode, sealed: { roots: [] } };
  };
  const life = await stage.begin("go", { parts: { loadPolicy } });
  expect([life.call("c1").status, times > 1]).toEqual(["success", true]);
  expect(life.journal().verdictOf("c1")).toMatchObject({ why: expect.stringMatching(/: then$/) });
});
