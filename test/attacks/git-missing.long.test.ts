import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { gitEnvironment } from "../../src/files/git/environment.ts";
import type { Policy, Rule } from "../../src/policy/types.ts";
import { describeInSandbox } from "../support/needs.ts";
import { run, shellStage } from "../support/shell-stage.ts";
import { tempTree } from "../tools/temp-tree.ts";

/*
 * A repository without one of its objects: git may fetch it while it only tells, from the remote that the settings name, with a program that they
 * name (`partial-clone` of its documentation).
 */

const policy: Policy = { rules: [], grants: [], mode: "ask", sealed: { roots: [] } };
const allow: Rule = {
  ...{ tool: "shell", command: "git *", decision: "allow", why: "" },
  origin: { source: "user", file: "policy.json", line: 1 },
};
const identity = { GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@b", GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@b" };

/** A repository that lacks what a.txt was in its first commit, and a program in it that leaves a mark as it fetches. */
function lacking() {
  const root = tempTree({ "work/a.txt": "one\n", "work/.gitignore": "evil\n" });
  const top = join(root, "work");
  const ran = join(root, "ran");
  const env = { PATH: process.env["PATH"], HOME: root, ...identity };
  const git = (...words: string[]) => execFileSync("git", words, { cwd: top, encoding: "utf8", env, stdio: "pipe" });
  git("init", "-q", "-b", "main");
  git("add", ".");
  git("commit", "-qm", "first");
  execFileSync("git", ["clone", "-q", "--bare", top, join(root, "other.git")], { env, stdio: "pipe" });
  const lost = git("rev-parse", "HEAD:a.txt").trim();
  writeFileSync(join(top, "a.txt"), "two\n");
  git("commit", "-qam", "second");
  rmSync(join(top, ".git/objects", lost.slice(0, 2), lost.slice(2)));
  writeFileSync(join(top, "evil"), `#!/bin/sh\necho EVIL >&2\necho ran > ${ran}\nexec git-upload-pack "$@"\n`, {
    mode: 0o755,
  });
  const mark = (): boolean => existsSync(ran);
  return { root, top, git, env, mark, config: () => readFileSync(join(top, ".git/config"), "utf8") };
}

type Lacking = ReturnType<typeof lacking>;

/** By which a remote is one to fetch from, each alone. */
const promises: [string, string][] = [
  ["remote.o.partialCloneFilter", "blob:none"],
  ["remote.o.promisor", "true"],
  ["extensions.partialClone", "o"],
];

/** Ways to the other repository, and with them to a program. */
const ways: [string, (place: Lacking) => [string, string][]][] = [
  [
    "by its program",
    ({ top, root }) => [
      ["remote.o.url", `ext::${join(top, "evil")} ${join(root, "other.git")}`],
      ["protocol.ext.allow", "always"],
    ],
  ],
  [
    "by its program at the other end",
    ({ top, root }) => [
      ["remote.o.url", join(root, "other.git")],
      ["remote.o.uploadpack", join(top, "evil")],
    ],
  ],
];

/** What tells without a question, and comes upon the object. */
const lines = [
  "git log --stat --oneline",
  "git log --oneline --numstat -- a.txt",
  "git cat-file -t HEAD~1:a.txt",
  "git cat-file -e HEAD~1:a.txt",
  "git rev-list --objects --count HEAD",
  "git ls-tree -l HEAD~1",
  "git log -p",
  "git blame a.txt",
  "git show HEAD~1:a.txt",
  "git diff HEAD~1",
];

describeInSandbox("an object that a repository lacks (needs bubblewrap)", () => {
  test.each(promises.flatMap((one) => ways.map(([name, way]) => [one[0], name, one, way] as const)))(
    "is fetched by no line that runs unasked: %s, %s",
    async (_, __, promise, way) => {
      const place = lacking();
      for (const [name, value] of [promise, ...way(place)]) place.git("config", name, value);
      const before = place.config();
      for (const { tried } of [shellStage(place.top, policy), shellStage(place.top, policy, "off")])
        for (const line of lines) expect([line, await tried(line)]).toEqual([line, { decision: "ask", output: "" }]);
      expect([place.mark(), place.config()]).toEqual([false, before]);
      // The trap is real.
      spawnSync("git", ["log", "--stat", "--oneline"], { cwd: place.top, env: place.env, stdio: "ignore" });
      expect(place.mark()).toBe(true);
    },
  );

  test("is told as lacking where nothing says from where it could be had", async () => {
    const { top } = lacking();
    for (const { tried } of [shellStage(top, policy), shellStage(top, policy, "off")])
      expect(await tried("git log --oneline")).toEqual({
        decision: "allow",
        output: expect.stringMatching(/second\n.*first/u),
      });
  });

  test.each([
    ["an answer", []],
    ["a rule", [allow]],
  ] as const)("is fetched without the sandbox for a line that a person allowed, by %s", async (_, rules) => {
    const place = lacking();
    for (const name of ["uploadpack.allowFilter", "uploadpack.allowAnySHA1InWant"])
      place.git("-C", join(place.root, "other.git"), "config", name, "true");
    for (const [name, value] of [...promises.slice(0, 2), ["remote.o.url", join(place.root, "other.git")] as const])
      place.git("config", name, value);
    const { ready } = shellStage(place.top, { ...policy, rules: [...rules] }, "off");
    const prepared = await ready("git log -p --no-color");
    const { output = "", error = "" } = await run(prepared);
    expect([prepared.verdict.decision, output + error]).toEqual([
      rules.length === 0 ? "ask" : "allow",
      expect.stringMatching(/-one\n\+two\n/u),
    ]);
  });

  test("is fetched over no protocol by a git that has what such a line gives it", () => {
    const place = lacking();
    for (const [name, value] of [promises[0] ?? ["", ""], ...(ways[1]?.[1](place) ?? [])])
      place.git("config", name, value);
    const env = { ...place.env, ...gitEnvironment({ settings: new Map() }) };
    const { status } = spawnSync("git", ["log", "--stat"], { cwd: place.top, env, stdio: "ignore" });
    expect([status, place.mark()]).toEqual([128, false]);
  });
});
