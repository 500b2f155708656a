import { describe, expect, it } from "vitest";
import { decide } from "../../src/policy/decide.ts";
import { allows, grantFrom, offersFor } from "../../src/policy/grants.ts";
import type { CallFacts, Policy } from "../../src/policy/types.ts";
import { bareFacts, emptyPolicy, inMode, onPath, policyWith, rule, running, ws } from "./support/build.ts";

const where = { session: "brisk-otter-4f2a", workspace: ws, grantFile: "/home/x/.config/holdfast/grants.json" };
const texts = (facts: CallFacts, policy: Policy = emptyPolicy) =>
  offersFor(facts, policy, where).map(({ text }) => text);

describe("offers of the dialog", () => {
  it("are the file and its folder for the session, then the folder for the project", () => {
    expect(offersFor(onPath("edit_file", "src/a.ts"), emptyPolicy, where)).toEqual([
      {
        scope: "session",
        grant: {
          scope: "session",
          key: "brisk-otter-4f2a",
          tool: "edit_file",
          paths: ["src/a.ts"],
          why: "added from the approval dialog",
        },
        text: "edit_file(src/a.ts) for this session",
        where: "/home/x/.config/holdfast/grants.json",
      },
      {
        scope: "session",
        grant: {
          scope: "session",
          key: "brisk-otter-4f2a",
          tool: "edit_file",
          paths: ["src/**"],
          why: "added from the approval dialog",
        },
        text: "edit_file(src/**) for this session",
        where: "/home/x/.config/holdfast/grants.json",
      },
      {
        scope: "project",
        grant: {
          scope: "project",
          key: "/ws",
          tool: "edit_file",
          paths: ["src/**"],
          why: "added from the approval dialog",
        },
        text: "edit_file(src/**) for this project",
        where: "/home/x/.config/holdfast/grants.json",
      },
    ]);
  });

  it("say that a helper's session shares them with all helpers", () => {
    const told = offersFor(onPath("edit_file", "a.ts"), emptyPolicy, { ...where, isOfHelper: true });
    expect(told.map(({ text }) => text)).toEqual([
      "edit_file(a.ts) for this session and all its helpers",
      "edit_file(a.ts) for this project",
    ]);
  });

  it.each<[string, CallFacts, string[]]>([
    [
      "never the whole workspace for a file at its top",
      onPath("edit_file", "a.ts"),
      ["edit_file(a.ts) for this session", "edit_file(a.ts) for this project"],
    ],
    [
      "a name with signs of patterns, meant as it is",
      onPath("write_file", "a*{b}.ts"),
      ["write_file(a\\*\\{b\\}.ts) for this session", "write_file(a\\*\\{b\\}.ts) for this project"],
    ],
    [
      "a link and what it leads to, both",
      onPath("edit_file", "src/link.ts", "/ws/lib/a.ts"),
      [
        "edit_file(src/link.ts, lib/a.ts) for this session",
        "edit_file(src/**, lib/**) for this session",
        "edit_file(src/**, lib/**) for this project",
      ],
    ],
    ["nothing outside the workspace", onPath("write_file", "/etc/a"), []],
    ["nothing where a link leads out", onPath("write_file", "a", "/etc/a"), []],
    [
      "one command, word for word",
      running("tsc -p ."),
      ["shell(tsc -p .) for this session", "shell(tsc -p .) for this project"],
    ],
    ["no command whose script is not there", running("npm test"), []],
    [
      "a command whose words are one program's and no code",
      running("eslint src"),
      ["shell(eslint src) for this session", "shell(eslint src) for this project"],
    ],
    ["no command with a star in it, which means what is there when it runs", running("rm *"), []],
    [
      "a quoted star as the word that it is",
      running("touch '*'"),
      ["shell(touch '*') for this session", "shell(touch '*') for this project"],
    ],
    ["nothing for more than one command", running("npm test; rm x"), []],
    [
      "the host of a call",
      bareFacts("fetch", "none", { hosts: [{ host: "a.org" }, { host: "a.org" }] }),
      ["fetch(a.org) for this session", "fetch(a.org) for this project"],
    ],
    ["a tool without facts", bareFacts("mail", "once"), ["mail for this session", "mail for this project"]],
    ["no tool without facts of high risk", bareFacts("pay", "once", { risk: "high" }), []],
    ["nothing for what is guarded", onPath("edit_file", "AGENTS.md"), []],
    ["nothing for what must be confirmed", { ...onPath("edit_file", "a"), confirm: true }, []],
  ])("offer %s", (_name, facts, expected) => {
    expect(texts(facts)).toEqual(expected);
  });

  it("are none where they would change nothing", () => {
    const facts = onPath("edit_file", "src/a.ts");
    expect(texts(facts, inMode("read-only"))).toEqual([]);
    expect(texts(facts, policyWith({ rules: [rule("ask")] }))).toEqual([]);
    expect(texts(facts, policyWith({ rules: [rule("deny")] }))).toEqual([]);
  });

  it("become grants with which decide allows this call and its like, and no other", () => {
    const facts = onPath("edit_file", "src/a.ts");
    const [file, folder] = offersFor(facts, emptyPolicy, where).map((offer) => grantFrom(offer, 5));
    if (file === undefined || folder === undefined) throw new Error("two offers were expected");
    const decisions = [file, folder].map((grant) =>
      ["src/a.ts", "src/b.ts", "src/AGENTS.md", "lib/a.ts"].map(
        (path) => decide(onPath("edit_file", path), policyWith({ grants: [grant] })).decision,
      ),
    );
    expect(decisions).toEqual([
      ["allow", "ask", "ask", "ask"],
      ["allow", "allow", "ask", "ask"],
    ]);
    expect([allows(file, facts), allows(file, onPath("edit_file", "src/b.ts"))]).toEqual([true, false]);
  });

  it("accepted twice are one grant", () => {
    const [offer] = offersFor(onPath("edit_file", "src/a.ts"), emptyPolicy, where);
    if (offer === undefined) throw new Error("an offer was expected");
    expect(grantFrom(offer, 1).id).toBe(grantFrom(offer, 2).id);
    expect(grantFrom(offer, 1).id).not.toBe(grantFrom({ ...offer, grant: { ...offer.grant, key: "other" } }, 1).id);
  });
});
