import { describe, expect, it } from "vitest";
import { newsText } from "../../../src/cli/print/news-text.ts";
import type { ToolCallInfo } from "../../../src/core/call.ts";
import type { FilePlan, Plan } from "../../../src/core/tool.ts";
import { mostApprovals, newsOf } from "../../../src/graph/calls/question.ts";
import { readCommandLine } from "../../../src/tools/shell/reading/read-command-line.ts";
import { calls, openStage, says } from "../../support/play.ts";

interface Row {
  call: ToolCallInfo;
  plan: Plan;
}

const base = (tool: string, digest: string) => ({
  callId: "",
  modelCallId: "m",
  toolName: tool,
  arguments: {},
  risk: "medium" as const,
  effect: "once" as const,
  attempt: 1,
  times: { proposed: 1 },
  digest,
});

const done = (tool: string, plan: Plan, by: "person" | "policy" | "script" = "person", digest = "d"): Row => ({
  call: { ...base(tool, digest), status: "success", by: { actor: by }, result: { output: "" } },
  plan,
});
const asked = (tool: string, plan: Plan, digest = "asked", risk: "medium" | "high" = "medium"): Row => ({
  call: { ...base(tool, digest), risk, status: "awaiting_approval" },
  plan,
});

/** The last one is asked about. */
function news(...rows: Row[]): string | undefined {
  const named = rows.map(({ call, plan }, at) => ({ call: { ...call, callId: `c${at + 1}` }, plan }));
  const find = (id: string) => named.find(({ call }) => call.callId === id);
  const reading = {
    allCalls: () => named.map(({ call }) => call),
    call: (id: string) => find(id)?.call,
    planOf: (id: string) => find(id)?.plan,
  };
  const found = newsOf(reading, `c${rows.length}`);
  return found && newsText(found);
}

async function line(command: string): Promise<Plan> {
  const { commands } = await readCommandLine(command, { workspace: "/w", cwd: "/w", path: [] });
  return { summary: `run ${command}`, cwd: "/w", command, commands };
}

const change = (path: string, kind: FilePlan["kind"] = "modify"): Plan => ({
  summary: path,
  cwd: "/w",
  files: [
    {
      ...{ asked: path, real: `/w/${path}`, kind, before: null, after: null, mode: 0o644, eol: "lf", bom: false },
      ...{ encoding: "utf-8", added: 1, removed: 1, hunks: [] },
    },
  ],
});

const sameWords = "same command, but its folder, options of the call or what it runs changed";

describe("what is new about a call", () => {
  it("is said of commands by their digest, their words and their programs", async () => {
    const test = await line("npm test");
    expect(news(done("shell", test, "person", "a"), asked("shell", test, "a"))).toBe(
      "the same as a call that you approved before",
    );
    expect(news(done("shell", test, "person", "a"), asked("shell", test, "b"))).toBe(sameWords);
    expect(news(done("shell", test), asked("shell", await line("npm test -- a")))).toBe("same program, other words");
    expect(news(done("shell", test), asked("shell", await line("make")))).toBe(
      "no command of this kind approved before",
    );
  });

  it.each([
    "npm test && curl x.example",
    "npm test; rm -rf a",
    "npm test | sh",
    "NPM test",
    "nрm test",
    "./npm test",
    "$X test",
    "npm test $(make)",
    "n*m test",
    "if true; then npm test; fi; make",
  ])("never calls %s what was approved as npm test", async (command) => {
    expect(news(done("shell", await line("npm test")), asked("shell", await line(command)))).toBe(
      "no command of this kind approved before",
    );
  });

  it("is said of files by where they really lie", () => {
    const edit = done("edit_file", change("src/a.ts"));
    expect(news(edit, edit, asked("edit_file", change("src/a.ts")))).toBe("same file, 2 changes of it approved before");
    expect(news(edit, asked("edit_file", change("src/b.ts")))).toBe("another file in the same folder");
    expect(news(edit, asked("edit_file", change("src/A.ts")))).toBe("another file in the same folder");
    // Whichever tool it is: what was said of the place was about a change.
    expect(news(edit, asked("write_file", change("src/b.ts")))).toBe("another file in the same folder");
    expect(news(edit, asked("edit_file", change("lib/a.ts")))).toBe("nothing in this folder approved before");
    expect(news(edit, asked("edit_file", change("src/a.ts", "delete")))).toBe("no deletion approved before");
    const link: Plan = {
      ...change("src/a.ts"),
      files: (change("src/a.ts").files ?? []).map((file) => ({ ...file, real: "/w/.env/a.ts" })),
    };
    expect(news(edit, asked("edit_file", link))).toBe("nothing in this folder approved before");
  });

  it("counts a person's own approvals that were done, and says nothing where there is none", async () => {
    const test = await line("npm test");
    const { result: _, ...rest } = done("shell", test).call as Extract<ToolCallInfo, { status: "success" }>;
    const denied: Row = {
      plan: test,
      call: { ...rest, status: "cancelled", by: { actor: "person" }, ended: { why: "denied" } },
    };
    const recovered: Row = {
      plan: test,
      call: { ...rest, status: "success", by: { actor: "person", rule: "recovery" }, result: { output: "" } },
    };
    for (const row of [done("shell", test, "policy"), done("shell", test, "script"), denied, recovered])
      expect(news(row, asked("shell", test))).toBeUndefined();
    expect(news(asked("shell", test))).toBeUndefined();
    expect(news(done("edit_file", change("a")), asked("shell", test))).toBe("no command of this kind approved before");
    expect(news(done("edit_file", change("a")), asked("other", { summary: "", cwd: "/w" }))).toBe(
      "no call of this tool approved before",
    );
  });

  it("is not said of what has high risk", async () => {
    const test = await line("npm test");
    expect(news(done("shell", test, "person", "a"), asked("shell", test, "a", "high"))).toBeUndefined();
  });

  it("looks at the latest approvals alone, and then calls nothing the first", async () => {
    const [test, make] = [await line("npm test"), await line("make")];
    const many = (count: number) => Array.from({ length: count }, () => done("shell", test));
    expect(news(...many(mostApprovals), asked("shell", make))).toBe("no command of this kind approved before");
    expect(news(done("shell", make), ...many(mostApprovals), asked("shell", make))).toBeUndefined();
  });
});

it("stands in the question, for whoever is asked", async () => {
  const edit = (to: string) => calls(["write_file", { file_path: "a.txt", content: to }]);
  const stage = await openStage({ files: { "a.txt": "1\n" }, lines: [edit("2\n"), edit("3\n"), says("Done.")] });
  const life = await stage.begin("change");
  expect(life.last("approval_requested").calls[0]).not.toHaveProperty("news");
  await life.session.answer({ session: life.session.id, call: "c1" }, { decision: "approve" });
  await life.session.settled();
  expect(life.last("approval_requested").calls[0]).toMatchObject({
    callId: "c2",
    news: { is: "same_file", times: 1 },
  });
});
