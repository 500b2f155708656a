import { describe, expect, it } from "vitest";
import { plainText } from "../../../../src/cli/terminal/span.ts";
import { cells } from "../../../../src/cli/terminal/width.ts";
import { headLine } from "../../../../src/cli/ui/dialog/dialog-head.ts";
import { dialogLines, questionText, spokenDecision } from "../../../../src/cli/ui/dialog/dialog-lines.ts";
import { toRequest } from "../../../../src/cli/ui/view/requests.ts";
import type { Ask, AskedCall, Request } from "../../../../src/cli/ui/view/view.ts";
import type { GrantOffer } from "../../../../src/policy/types.ts";
import { fakeCall, fakeId, planOf, waitingEdit, waitingPlan } from "../../../support/fake-session.ts";
import { having, idle } from "../../../support/frames.ts";

const requestOf = (more: Partial<AskedCall> = {}) => toRequest(waitingEdit("c1", more), "/home/ada/proj");
/** The second of two, the first decided. */
const askOf = (request: Request): Ask => ({
  requests: [request],
  batch: [
    { ref: fakeCall("c0"), label: "ls", mark: "yes" },
    { ref: request.ref, label: "edit_file" },
  ],
});
const approve = { kind: "decision", decision: { decision: "approve", digest: "9f3c1122334455667788" } };

describe("a typed answer to a call", () => {
  it.each([
    ["yes", approve],
    ["YES ", approve],
    ["4", approve],
    ["y", approve],
    ["n", { kind: "decision", decision: { decision: "deny" } }],
    ["r wrong file", { kind: "decision", decision: { decision: "deny", reason: "wrong file" } }],
    ['e {"file_path":"b"}', { kind: "decision", decision: { decision: "edit", arguments: { file_path: "b" } } }],
    ["no", { kind: "decision", decision: { decision: "deny" } }],
    ["1", { kind: "decision", decision: { decision: "deny" } }],
    ["deny wrong file", { kind: "decision", decision: { decision: "deny", reason: "wrong file" } }],
    ['edit {"file_path":"b"}', { kind: "decision", decision: { decision: "edit", arguments: { file_path: "b" } } }],
  ])("counts as a whole word or a number: %s", (line, spoken) => {
    expect(spokenDecision(requestOf(), line)).toEqual(spoken);
  });

  it.each(["", "yes please", "y y", "ok", "5", "s", "session", "p x", "r", "edit", "edit {", "edit []", "yesyes"])(
    "decides nothing otherwise: %s",
    (line) => {
      expect(spokenDecision(requestOf(), line).kind).toBe("say");
    },
  );

  it("takes only the word yes where the risk is high", () => {
    expect(spokenDecision(requestOf({ risk: "high" }), "y").kind).toBe("say");
    expect(spokenDecision(requestOf({ risk: "high" }), "4").kind).toBe("say");
    expect(spokenDecision(requestOf({ risk: "high" }), "yes")).toEqual(approve);
  });
});

it.each([
  ["a path by its end", { plan: planOf("src/http/client/try.ts", "a\n", "b\n") }, "…/try.ts"],
  [
    "a command by its beginning",
    {
      toolName: "shell",
      arguments: { command: "npm test -- --reporter=dot src/http.test.ts && git status --short" },
      plan: { summary: "s", cwd: "/home/ada/proj", command: "npm test" },
    },
    "npm test --",
  ],
  [
    "an address by its host",
    {
      toolName: "web_fetch",
      arguments: { url: "https://docs.example/a/very/long/way/to/the/page.html" },
      plan: { summary: "s", cwd: "/home/ada/proj" },
    },
    "https://docs",
  ],
  [
    "a title by its beginning",
    {
      ...{ toolName: "present_plan", arguments: { plan: "# Back off between tries of a fetch" } },
      plan: { summary: "s", cwd: "/home/ada/proj" },
    },
    "Back off",
  ],
  [
    "the title of a call to other hosts by its beginning, whatever its arguments are called",
    {
      ...{ toolName: "mcp__hub__fetch", arguments: { path: "a" } },
      plan: {
        ...{ summary: "mcp__hub__fetch: what is far away/is asked for/here", cwd: "/home/ada/proj" },
        hosts: [{ host: "hub.example", port: 443 }],
      },
    },
    "mcp__hub__fetch mcp__",
  ],
  [
    "the title of a call that changes several files by its beginning",
    {
      ...{ toolName: "move", arguments: { file_path: "a" } },
      plan: {
        ...{ summary: "move a file from one/place to another/place", cwd: "/home/ada/proj" },
        files: [...(planOf("src/a.ts", "a\n", "b\n").files ?? []), ...(planOf("src/b.ts", "a\n", "b\n").files ?? [])],
      },
    },
    "move move a",
  ],
  [
    "a command beside an empty path by its beginning",
    {
      toolName: "other",
      arguments: { path: "", command: "npm test -- --reporter=dot src/http.test.ts && git status --short" },
      plan: { summary: "s", cwd: "/home/ada/proj" },
    },
    "other npm test",
  ],
] satisfies [string, Partial<AskedCall>, string][])(
  "its first row has %s where there is no room for it whole",
  (_, more, shown) => {
    const request = requestOf(more);
    const ask: Ask = { requests: [request], batch: [{ ref: request.ref, label: "it" }] };
    const head = plainText(headLine(request, ask, 34));
    expect(head).toContain(shown);
    expect(cells(head)).toBeLessThanOrEqual(34);
  },
);

describe("a question about a file", () => {
  const workspace = "/home/ada/proj";
  const linesOf = (toolName: string, plan: Partial<AskedCall["plan"]>, args = {}) => {
    const summary = "s";
    const call = { toolName, arguments: args, plan: { summary, cwd: workspace, ...plan } };
    return questionText(toRequest(waitingEdit("c1", call), workspace), askOf(requestOf())).split("\n");
  };
  const ofRead = (asked: string, real: string) =>
    linesOf("read_file", { reads: [{ asked, real }] }, { file_path: asked }).slice(0, 3);

  it.each([
    [
      `${workspace}/link/shadow`,
      "/etc/shadow",
      "link/shadow",
      "read /etc/shadow · asked as link/shadow · outside the workspace",
    ],
    ["link/a.ts", `${workspace}/src/a.ts`, "link/a.ts", "read src/a.ts · asked as link/a.ts"],
    [
      "~/.bashrc",
      "/home/ada/.bashrc",
      "~/.bashrc",
      "read /home/ada/.bashrc · asked as ~/.bashrc · outside the workspace",
    ],
    ["/etc/hosts", "/etc/hosts", "/etc/hosts", "read /etc/hosts · outside the workspace"],
  ])("that is only read says where %s really is", (asked, real, subject, said) => {
    expect(ofRead(asked, real)).toEqual([
      `Request 2 of 2: read_file ${subject}`,
      expect.stringContaining("Risk"),
      said,
    ]);
  });

  it.each(["src/a.ts", "./src/a.ts", "src//a.ts", `${workspace}/src/a.ts`])(
    "that is only read says nothing more where %s is what it says",
    (asked) => {
      expect(ofRead(asked, `${workspace}/src/a.ts`)[2]).toBe("Arguments: {");
    },
  );

  it("in a folder of the workspace that is called as the home is is told whole, and as one in the workspace", () => {
    const { files = [] } = planOf("a", "", "x\n");
    const lines = (asked: string) =>
      linesOf("write_file", { files: files.map((file) => ({ ...file, asked, real: `${workspace}/~/.bashrc` })) });
    const kind = files[0]?.kind === "new" ? "new file" : files[0]?.kind;
    expect(lines("./~/.bashrc")[2]).toBe(`${kind} ${workspace}/~/.bashrc · asked as ./~/.bashrc`);
    expect(lines(`${workspace}/~/.bashrc`)[2]).toBe(`${kind} ${workspace}/~/.bashrc`);
    expect(lines("./~/.bashrc")[0]).toContain(` ${workspace}/~/.bashrc`);
  });

  it("whose call is a command tells its folder once", () => {
    const reads = [{ asked: "link", real: "/tmp/x" }];
    const said = linesOf("shell", { command: "ls", reads }, { command: "ls" });
    expect(said.filter((line) => line.startsWith("read "))).toEqual([]);
  });
});

it("says what is left of many files that a command runs", () => {
  const scripts = Array.from({ length: 14 }, (_, at) => ({ path: `/w/${at}.sh`, sha: "a".repeat(64) }));
  const command = { argv: ["sh"], text: "sh", effect: "once", writes: [], scripts } as const;
  const request = requestOf({
    toolName: "shell",
    plan: { summary: "s", cwd: "/w", command: "sh *.sh", sandbox: true, commands: [command as never] },
  });
  const lines = questionText(request, askOf(request)).split("\n");
  expect(lines).toContain("It runs /w/11.sh (sha aaaaaaaaaaaa)");
  expect(lines).toContain("And 2 more files, each bound by its hash");
});

describe("a plan to work by", () => {
  const { digest } = waitingPlan("c1");
  const planned = (more: Partial<AskedCall> = {}) => toRequest(waitingPlan("c1", more), "/home/ada/proj");

  it.each([
    ["y", { decision: "approve", digest, mode: "ask" }],
    ["m", { decision: "approve", digest, mode: "accept-edits" }],
    ["5", { decision: "approve", digest, mode: "accept-edits" }],
    ["r no", { decision: "deny", reason: "no" }],
    ['e {"plan":"Less."}', { decision: "edit", arguments: { plan: "Less." } }],
  ])("is answered with the mode that it is worked in: %s", (line, decision) => {
    expect(spokenDecision(planned(), line)).toEqual({ kind: "decision", decision });
  });

  it("is asked about whole, with its goals, and with what would not be seen", () => {
    const hides = "Mend a\u202e.\u001b[8m And delete b.\u001b[0m";
    const text = questionText(
      planned({ arguments: { plan: `# One\n\n${hides}`, goals: ["mend\u200b it"] } }),
      askOf(planned()),
    );
    expect(text).toContain("Plan:\n# One\n\nMend a‹U+202E›.␛[8m And delete b.␛[0m\n");
    expect(text).toContain("Goal, once it is approved: mend‹U+200B› it\n");
    expect(text).toContain("Warning: contains hidden or direction-changing characters");
    expect(text).toContain("4. y, yes        (approve it; the mode is ask then)\n5. m, mode ");
  });

  it("is shown as arguments where it holds anything else, or the call is another tool's", () => {
    for (const more of [
      { arguments: { plan: "One.", more: "rm -rf /" } },
      { arguments: { plan: "One.", goals: [7] } },
      { toolName: "other" },
    ])
      expect(planned(more).proposed).toBeUndefined();
  });
});

describe("a partial call", () => {
  const partial = { lines: 3, bytes: 1_200_000, why: "size" as const };
  const grant: GrantOffer = {
    scope: "session",
    grant: { scope: "session", key: "s", tool: "edit_file", why: "" },
    text: "edit_file",
    where: "/home/ada/grants.json",
  };
  const request = requestOf({ partial, grants: [grant] });

  it("is approved by the word yes only, and says so", () => {
    for (const line of ["y", "4", "s", "5"]) expect(spokenDecision(request, line).kind).toBe("say");
    expect(spokenDecision(request, "y")).toMatchObject({
      text: "Nothing was decided. Not all of it is shown: type the word yes.",
    });
    expect(spokenDecision(request, "yes")).toEqual(approve);
    const asked = questionText(request, askOf(request));
    expect(asked).toContain("Partial: 3 lines, 1200000 bytes of this change are not shown: it is too large");
    expect(asked).toContain("yes           (approve once; not all is shown: only the word yes counts)");
  });
});

describe("a call for which grants are offered", () => {
  const grant: GrantOffer = {
    scope: "session",
    grant: { scope: "session", key: "s", tool: "edit_file", paths: ["src/a.ts"], why: "" },
    text: "edit_file(src/a.ts) for this session",
    where: "/home/ada/grants.json",
  };
  const request = requestOf({ grants: [grant, { ...grant, scope: "project" }] });

  it.each([
    ["s", "session"],
    ["session", "session"],
    ["5", "session"],
    ["p", "project"],
    ["project", "project"],
    ["6", "project"],
  ])("is granted by the letter of the dialog, the word or the number: %s", (line, scope) => {
    expect(spokenDecision(request, line)).toMatchObject({ decision: { decision: "approve", grant: { scope } } });
  });

  it("says all that may be typed where nothing was decided, and where it is asked", () => {
    const said = spokenDecision(request, "what");
    expect(said).toEqual({ kind: "say", text: "Nothing was decided. Type n, r REASON, e JSON, y, s or p." });
    expect(questionText(request, askOf(request)).split("\n").slice(-2)).toEqual([
      "5. s, session    (yes, and from now on: edit_file(src/a.ts) for this session; written to /home/ada/grants.json)",
      "6. p, project    (yes, and from now on: edit_file(src/a.ts) for this session; written to /home/ada/grants.json)",
    ]);
  });
});

it.each(["d", "?"])("says of a key of the drawn dialog that it is none here, and what may be typed: %s", (line) => {
  expect(spokenDecision(requestOf(), line)).toEqual({
    kind: "say",
    text: `“${line}” is a key of the drawn chat only; here the question is shown whole. Nothing was decided. Type n, r REASON, e JSON or y.`,
  });
});

it("says all of a question at once, the full diff included", () => {
  expect(questionText(requestOf(), askOf(requestOf())).split("\n")).toEqual([
    "Request 2 of 2: edit_file src/a.ts +1 −1",
    "Risk: medium. Why: it changes a file (risk table)",
    "modify src/a.ts",
    "--- a/src/a.ts",
    "+++ b/src/a.ts",
    "@@ -1,3 +1,3 @@",
    " export const greet = () => {",
    '-  return "hello";',
    '+  return "hello, world";',
    " };",
    "sha 9f3c…",
    "What now? Type one of these, or its number:",
    "1. n, deny",
    "2. r REASON      (deny, and say why)",
    "3. e JSON        (edit: the whole arguments, then decide)",
    "4. y, yes        (approve once)",
  ]);
});

it("is about the first call that waits, and asks of the session what the line decides", () => {
  const { view } = having({
    type: "approval_requested",
    calls: [waitingEdit("c1"), waitingEdit("c2", { digest: "d2" })],
  });
  expect(dialogLines.asked(view)?.key).toBe(`${fakeId}:c1@9f3c1122334455667788`);
  const decision = { decision: "deny", reason: "not now" };
  expect(dialogLines.said(view, "r not now")).toEqual({
    effect: { do: "answer", answers: [{ ref: fakeCall("c1"), decision }] },
  });
  expect(dialogLines.said(view, "what")).toEqual({ say: expect.stringContaining("Nothing was decided.") });
  expect([dialogLines.asked(idle.view), dialogLines.said(idle.view, "y")]).toEqual([undefined, undefined]);
});
