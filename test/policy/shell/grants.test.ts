import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { decide } from "../../../src/policy/decide.ts";
import { grantFrom, offersFor } from "../../../src/policy/grants.ts";
import { emptyPolicy, policyWith } from "../support/build.ts";
import { shellProject } from "./place.ts";

const project = shellProject();
afterAll(() => project.remove());

const where = { session: "brisk-otter-4f2a", workspace: project.place.workspace, grantFile: "/g.json" };
const offered = async (line: string) =>
  offersFor(await project.facts(line), emptyPolicy, where).map(({ grant }) => grant.command);

describe("a grant for commands", () => {
  it.each([
    ["npm test", ["npm test", "npm test"]],
    ["git commit -m 'a b'", ["git commit -m 'a b'", "git commit -m 'a b'"]],
    ["npm test 2>&1 | tail -5", ["npm test", "npm test"]],
    ["cd sub && make all", []],
    ["make all", ["make all", "make all"]],
    ["npm testing", ["npm testing", "npm testing"]],
    ["cd sub && npm test", ["npm test", "npm test"]],
    ["bash a.sh", ["bash a.sh", "bash a.sh"]],
    ["ls", []],
    ["npm test; make", []],
    ["npm test > a.txt", []],
    ["npm test $X", []],
    ["CI=1 npm test", []],
    ["node -e 'x'", []],
    ["python3 -c x", []],
    ["bash -c 'make'", []],
    ["perl -pe x a.txt", []],
    ["awk '{ print }' a.txt", []],
    ["sudo make", []],
    ["xargs make", []],
    ["timeout 5 make", []],
    ["npx vitest", []],
    ["git -c a=b commit", []],
    ["git mystery", []],
    ["eval make", []],
    ["cat .env", []],
    ["frob a.sh", ["frob a.sh", "frob a.sh"]],
    ["git bisect run ./a.sh", []],
    ["git rebase -x ./a.sh main", []],
    ["git submodule foreach ./a.sh", []],
    ["git difftool -x ./a.sh", []],
    ["sort --compress-program=./a.sh a.txt", []],
    ["uv run a.sh", []],
    ["poetry run make", []],
    ["bundle exec make", []],
    ["cross-env A=1 make", []],
    ["cat .git/config", []],
  ])("is offered for %s by its exact words, or not at all", async (line, commands) => {
    expect(await offered(line)).toEqual(commands);
  });

  it.each([
    "frob a.txt",
    "frob --load=a.txt",
    "frob -la.txt",
    "csh a.txt",
    "java -jar a.txt",
    "docker-compose up",
    "eslint sub",
    "tox",
  ])("of a program of which no table tells, %s, holds what it may run, and ends when that changes", async (line) => {
    const of = shellProject();
    onTestFinished(() => of.remove());
    const write = (text: string) => {
      for (const name of ["a.txt", "docker-compose.yml", "eslint.config.js", "tox.ini"])
        writeFileSync(join(of.place.workspace, name), text);
    };
    write("old");
    const [offer] = offersFor(await of.facts(line), emptyPolicy, where);
    if (offer === undefined) throw new Error("an offer was expected");
    const policy = policyWith({ grants: [grantFrom(offer, 1)] });
    expect(decide(await of.facts(line), policy).decision).toBe("allow");
    write("new");
    expect(decide(await of.facts(line), policy).decision).toBe("ask");
  });

  it("ends when the file changes that says what the command does", async () => {
    const [offer] = offersFor(await project.facts("npm test"), emptyPolicy, where);
    if (offer === undefined) throw new Error("an offer was expected");
    const policy = policyWith({ grants: [grantFrom(offer, 1)] });
    const decision = async (line: string) => decide(await project.facts(line), policy).decision;
    expect([await decision("npm test"), await decision("npm test -- a"), await decision("npm run test")]).toEqual([
      "allow",
      "ask",
      "ask",
    ]);
    writeFileSync(join(project.place.workspace, "package.json"), '{"scripts":{"test":"evil"}}');
    expect(await decision("npm test")).toBe("ask");
  });
});

describe("a grant of a command that several files speak for", () => {
  const granted = async (line: string) => {
    const [offer] = offersFor(await project.facts(line), emptyPolicy, where);
    if (offer === undefined) throw new Error(`an offer was expected for ${line}`);
    const policy = policyWith({ grants: [grantFrom(offer, 1)] });
    return async () => decide(await project.facts(line), policy).decision;
  };
  const put = (name: string, text: string): void => writeFileSync(join(project.place.workspace, name), text);

  it("ends when one of them changes, and when one comes or goes", async () => {
    put("env", "A=1\n");
    put("a.js", "");
    const node = await granted("node --env-file env a.js");
    const npm = await granted("npm test");
    expect([await node(), await npm()]).toEqual(["allow", "allow"]);
    put("env", "A=2\n");
    put(".npmrc", "script-shell=./evil\n");
    expect([await node(), await npm()]).toEqual(["ask", "ask"]);
    const withSettings = await granted("npm test");
    rmSync(join(project.place.workspace, ".npmrc"));
    expect([await withSettings(), await npm()]).toEqual(["ask", "allow"]);
  });

  it.each([
    "node --no-such-option a.js",
    "node missing.js",
    "perl -I sub a.js",
    "python3 -m no.such",
    "npm -w none test",
    "make -f none.mk",
    "make CC=./a.sh all",
    "bash -o errexit a.sh",
    "npx tool",
    "BASH_ENV=a.sh make",
    "cat a.sh | bash",
    "pytest -p no.such",
  ])("is not offered for %s", async (line) => {
    expect(await offered(line)).toEqual([]);
  });
});

describe("a rule for commands", () => {
  it.each([
    [{ command: "git push *", notFlags: ["--force", "-f"] }, "git push origin", "allow"],
    [{ command: "git push *", notFlags: ["--force", "-f"] }, "git push -uf origin", "ask"],
    [{ command: "git push *", notFlags: ["--force", "-f"] }, "git push --forc", "ask"],
    [{ command: "make *", redirect: "workspace" as const }, "make > out.txt", "allow"],
    [{ command: "make *", redirect: "workspace" as const }, "make > /tmp/out.txt", "ask"],
    [{ command: "make *", redirect: "workspace" as const }, "make > package.json", "ask"],
    [{ command: "make *", redirect: "workspace" as const }, "make > .git/config", "deny"],
    [{ command: "make *", redirect: "workspace" as const }, "make >& out.txt", "allow"],
    // Bash expands that name twice.
    [{ command: "make *", redirect: "workspace" as const }, "make >& '$(./x)'", "ask"],
    [{ command: "make *" }, "make > out.txt", "ask"],
    [{ command: "make *", sandbox: true }, "make", "ask"],
    [{ command: "echo 'a b'" }, "echo a b > x.txt", "ask"],
    [{ command: "touch 'a b'" }, "touch 'a b'", "allow"],
    [{ command: "touch 'a b'" }, "touch a b", "ask"],
    [{ command: "timeout 60 make" }, "timeout 60 make", "allow"],
    [{ command: "make" }, "timeout 60 make", "ask"],
    [{ command: "make *" }, "make a && ! make 'b c' | (make d)", "allow"],
    // A second reader does not know how bash reads it.
    [{ command: "make *" }, "make a\\\nb", "ask"],
    [{ command: "make *" }, "time -p -- make a", "ask"],
    [{ command: "make *" }, "time -p make a", "allow"],
  ])("%j over %s: %s", async (more, line, expected) => {
    const origin = { source: "user" as const, file: "/p.json", line: 1 };
    const policy = policyWith({ rules: [{ tool: "shell", decision: "allow", why: "", origin, ...more }] });
    expect(decide(await project.facts(line), policy).decision).toBe(expected);
  });

  it("does not cover a call with the network, unless it says so", async () => {
    const origin = { source: "user" as const, file: "/p.json", line: 1 };
    const rule = { tool: "shell", command: "make", decision: "allow" as const, why: "", origin };
    const facts = { ...(await project.facts("make")), network: true };
    const decisions = [rule, { ...rule, network: true }].map(
      (one) => decide(facts, policyWith({ rules: [one] })).decision,
    );
    expect(decisions).toEqual(["ask", "allow"]);
  });
});
