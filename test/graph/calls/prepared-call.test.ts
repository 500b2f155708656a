import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openGrantBook } from "../../../src/policy/files/grant-book.ts";
import { foldPath } from "../../../src/policy/leads.ts";
import type { Policy, Rule } from "../../../src/policy/types.ts";
import type { AgentParts } from "../../../src/session/agent-parts.ts";
import { calls, type Life, openStage, type Stage, says } from "../../support/play.ts";
import { sends, startWebServer } from "../../support/web-server.ts";

const rule = (decision: Rule["decision"], tool: string, more: Partial<Rule> = {}): Rule => ({
  tool,
  decision,
  why: "",
  origin: { source: "user", file: "policy.json", line: 1 },
  ...more,
});

/** Rules that say how often they were asked: `decide` looks for one among them, and nothing else does. */
class AskedRules extends Array<Rule> {
  asked = 0;
  override find(...given: Parameters<Rule[]["find"]>): Rule | undefined {
    this.asked += 1;
    return super.find(...given);
  }
}

const underPolicy = (policy: Policy): Partial<AgentParts> => ({
  loadPolicy: async (at) => Object.assign(policy, { mode: at.mode }),
});

const emptyPolicy = (): Policy => ({ rules: new AskedRules(), grants: [], mode: "ask", sealed: { roots: [] } });

const askedBy = ({ rules }: Policy): number => (rules as AskedRules).asked;

const edit = (file: string): [string, { file_path: string; old_string: string; new_string: string }] => [
  "edit_file",
  { file_path: file, old_string: "1", new_string: "2" },
];

const approve = async (life: Life, call: string): Promise<void> => {
  expect(await life.session.answer({ session: life.session.id, call }, { decision: "approve" })).toEqual({ ok: true });
  await life.session.settled();
};

const waiting = (life: Life): string[] => life.last("approval_requested").calls.map(({ callId }) => callId);

describe("an asked edit", () => {
  const asked = async (policy: Policy, made = calls(edit("a.txt"))): Promise<{ stage: Stage; life: Life }> => {
    const stage = await openStage({
      files: { "a.txt": "1\n", "b.txt": "1\n" },
      lines: [made, says("Done.")],
      parts: underPolicy(policy),
    });
    return { stage, life: await stage.begin("change") };
  };

  it("is judged when it is planned, and no more before it is done", async () => {
    const policy = emptyPolicy();
    const { stage, life } = await asked(policy);
    const planned = askedBy(policy);
    // The verdict, and whether it may be told that the edit fits: each looks at four kinds of rules.
    expect(planned).toBe(8);
    await approve(life, "c1");
    expect([stage.text("a.txt"), askedBy(policy) - planned]).toEqual(["2\n", 0]);
  });

  it("has offers for who looks at them, with the mode that would have allowed it", async () => {
    const policy = emptyPolicy();
    const { stage, life } = await asked(policy);
    const grants = { book: openGrantBook(join(stage.database, "..", "grants.json")), file: "grants.json" };
    expect(life.last("approval_requested").calls[0]).not.toHaveProperty("grants");
    const ref = { session: life.session.id, call: "c1" };
    const texts = (await life.session.offersOf(ref)).grants.map(({ text }) => text);
    expect(texts).toEqual(["edit_file(a.txt) for this session", "edit_file(a.txt) for this project"]);
    expect((await life.session.offersOf(ref)).mode).toBe("accept-edits");
    // By the rules of the moment: what is asked about by a rule cannot be granted.
    policy.rules.push(rule("ask", "edit_file", { paths: ["a.txt"] }));
    expect(await life.session.offersOf(ref)).toEqual({ grants: [] });
    await life.close();
    // And so in another process, which has not made the plan.
    const later = await stage.resume(life.session.id, {
      still: true,
      parts: { ...underPolicy(emptyPolicy()), grants },
    });
    expect((await later.session.offersOf(ref)).grants.map(({ text }) => text)).toEqual(texts);
    await approve(later, "c1").catch(() => undefined);
    expect(await later.session.offersOf({ session: life.session.id, call: "c9" })).toEqual({ grants: [] });
    await later.close();
  });

  it("is denied by a rule that came while the person thought, in the very list that allowed to ask", async () => {
    const policy = emptyPolicy();
    const { stage, life } = await asked(policy);
    policy.rules.push(rule("deny", "edit_file"));
    await approve(life, "c1");
    expect([stage.text("a.txt"), life.call("c1").status]).toEqual(["1\n", "cancelled"]);
    expect(life.call("c1")).toMatchObject({ ended: { why: "policy" } });
  });

  it("is denied under a mode that was chosen meanwhile", async () => {
    const { stage, life } = await asked(emptyPolicy());
    life.session.setMode("read-only");
    await approve(life, "c1");
    expect([stage.text("a.txt"), life.call("c1").status]).toEqual(["1\n", "cancelled"]);
  });

  it("is denied where a place was sealed meanwhile, or a name of one leads to it by now", async () => {
    for (const tighten of [
      (policy: Policy, stage: Stage) => policy.sealed.roots.push(stage.path("a.txt")),
      (policy: Policy, stage: Stage) => {
        policy.leads = { links: [{ path: stage.path(".git"), to: foldPath(stage.path("a.txt")) }], files: new Map() };
      },
    ]) {
      const policy = emptyPolicy();
      const { stage, life } = await asked(policy);
      tighten(policy, stage);
      await approve(life, "c1");
      expect([stage.text("a.txt"), life.call("c1").status]).toEqual(["1\n", "cancelled"]);
    }
  });

  it("that was allowed by a grant or a rule is asked about once that is taken back", async () => {
    for (const grants of [true, false]) {
      const policy = emptyPolicy();
      const grant = {
        id: "g-1",
        scope: "session",
        key: "s",
        tool: "edit_file",
        paths: ["b.txt"],
        at: 1,
        why: "",
      } as const;
      if (grants) policy.grants.push({ ...grant, paths: [...grant.paths] });
      else policy.rules.push(rule("allow", "edit_file", { paths: ["b.txt"] }));
      const { stage, life } = await asked(policy, calls(edit("a.txt"), edit("b.txt")));
      expect(waiting(life)).toEqual(["c1"]);
      policy.grants.length = 0;
      policy.rules.length = 0;
      await approve(life, "c1");
      expect([stage.text("a.txt"), stage.text("b.txt"), waiting(life)]).toEqual(["2\n", "1\n", ["c2"]]);
      await life.close();
    }
  });
});

it("a request that was allowed before a guarded file was read in the same message is asked about after it", async () => {
  const server = await startWebServer({ "/": sends("hello") });
  const stage = await openStage({
    files: { ".env": "KEY=1\n" },
    rules: [rule("allow", "web_fetch", { hosts: [`127.0.0.1:${server.port}`] })],
    lines: [calls(["read_file", { file_path: ".env" }], ["web_fetch", { url: server.url }]), says("Done.")],
  });
  const life = await stage.begin("look");
  expect(waiting(life)).toEqual(["c1"]);
  await approve(life, "c1");
  expect([waiting(life), server.seen]).toEqual([["c2"], []]);
  expect(life.last("approval_requested").calls[0]?.verdict.why).toContain(".env was read in this session");
});
