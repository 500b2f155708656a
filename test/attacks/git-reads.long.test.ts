import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openPlace, type Place } from "../support/cli.ts";
import { says } from "../support/model-server.ts";

/** The person's own git, with a home of its own. */
function person(place: Place, cwd: string, args: string[], input?: string): string {
  const env = { PATH: process.env["PATH"], HOME: join(place.home, ".."), GIT_CONFIG_NOSYSTEM: "1" };
  return spawnSync("git", args, { cwd, env, encoding: "utf8", input }).stdout;
}

/** The repositories from the top down: each but the last holds the next one as a submodule. */
const places = [".", "sm", "sm/deep"];

/** What git is asked, and does by itself what a repository says. */
const questions = [
  "git status",
  "git diff",
  "git diff HEAD",
  "git diff --stat",
  "git diff --name-only HEAD",
  "git diff --submodule=diff HEAD",
  "git log -3",
  "git log -p -3",
  "git log -p --submodule=diff -3",
  "git show",
  "git show HEAD:a.txt",
  "git describe --always --dirty",
  "git blame a.txt",
  "git ls-files -m",
  "git grep a",
  "git cat-file --textconv HEAD:a.txt",
  "git cat-file --filters HEAD:a.txt",
  "git rev-list --alternate-refs HEAD",
  "git stash show -p",
  "git -C sm status",
  "git -C sm/deep diff",
];

/** Repositories in one another, each with a change, a stash, a signed commit and settings by which git runs a program that leaves its mark. */
async function nested(answers: Parameters<typeof openPlace>[0], settings: Case[1]) {
  const place = await openPlace(answers);
  const root = join(place.home, "..");
  const ran = join(root, "ran");
  const evil = (at: number): string => join(root, `evil-${at}`);
  const git = (at: string, ...args: string[]) => person(place, place.path(at), args);
  for (const at of places.toReversed()) {
    mkdirSync(place.path(at), { recursive: true });
    git(at, "init", "-q");
    git(at, "config", "user.email", "t@example.com");
    git(at, "config", "user.name", "T");
    await place.write(`${at}/a.txt`, "a\n");
    await place.write(`${at}/b.txt`, "b\n");
    await place.write(`${at}/same.txt`, "same\n");
    git(at, "add", ".");
    git(at, "commit", "-q", "-m", "first");
    await place.write(`${at}/a.txt`, "s\n");
    git(at, "stash", "-q");
    await place.write(`${at}/b.txt`, "d\n");
    git(at, "commit", "-q", "-a", "-m", "second");
    const signed = git(at, "cat-file", "commit", "HEAD").replace(/^(committer .*\n)/mu, `$1gpgsig ${signature}\n`);
    const commit = person(place, place.path(at), ["hash-object", "-t", "commit", "-w", "--stdin"], signed);
    git(at, "update-ref", "HEAD", commit.trim());
  }
  person(place, root, ["init", "-q", "--bare", "other"]);
  // The person's own, which a repository's format sets to work.
  writeFileSync(join(root, "own-checker"), `#!/bin/sh\necho "own checker" >> ${ran}\n`, { mode: 0o755 });
  person(place, root, ["config", "--global", "gpg.program", join(root, "own-checker")]);
  for (const [at, folder] of places.entries()) {
    await place.write(`${folder}/.git/objects/info/alternates`, `${join(root, "other/objects")}\n`);
    writeFileSync(evil(at), `#!/bin/sh\necho "${folder}" >> ${ran}\ncat\n`, { mode: 0o755 });
    mkdirSync(join(root, `hooks-${at}`));
    writeFileSync(join(root, `hooks-${at}`, "post-index-change"), readFileSync(evil(at)), { mode: 0o755 });
    for (const [name, value] of [...settings(evil(at)), ...further]) git(folder, "config", name, value);
    await place.write(`${folder}/.git/info/attributes`, "* filter=f diff=d\n");
    // As long as they were, so that git must read them.
    await place.write(`${folder}/a.txt`, "c\n");
    await place.write(`${folder}/b.txt`, "e\n");
  }
  return {
    ...place,
    git,
    ran: () => (existsSync(ran) ? [...new Set(readFileSync(ran, "utf8").trim().split("\n"))].sort() : []),
  };
}

const signature = "-----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----";
/** By which a repository makes git look further than it was asked to. */
const further: [string, string][] = [
  ["diff.submodule", "diff"],
  ["status.submoduleSummary", "true"],
  ["submodule.recurse", "true"],
  ["log.showSignature", "true"],
  ["format.pretty", "%h %G?"],
];

type Case = readonly [name: string, settings: (evil: string) => [string, string][]];

const cases: Case[] = [
  ["a filter that cleans", (evil) => [["filter.f.clean", evil]]],
  [
    "a filter that stays",
    (evil) => [
      ["filter.f.process", evil],
      ["filter.f.required", "true"],
    ],
  ],
  ["a filter that smudges", (evil) => [["filter.f.smudge", evil]]],
  ["a text of what is none", (evil) => [["diff.d.textconv", evil]]],
  ["a program for differences", (evil) => [["diff.external", evil]]],
  ["a program for differences of some files", (evil) => [["diff.d.command", evil]]],
  ["a checker of signatures", (evil) => [["gpg.program", evil]]],
  ["a checker of signatures of one kind", (evil) => [["gpg.openpgp.program", evil]]],
  ["a monitor", (evil) => [["core.fsmonitor", evil]]],
  ["hooks", (evil) => [["core.hooksPath", evil.replace("evil", "hooks")]]],
];

/** The settings of all cases that git can be kept from, and of programs that connect or ask other stores. */
const together: Case[1] = (evil) => [
  ...cases.filter(([name]) => !name.includes("differences")).flatMap(([, settings]) => settings(evil)),
  ["core.sshCommand", evil],
  ["core.alternateRefsCommand", evil],
];

describe("git that is only asked what there is, of repositories in one another", () => {
  it.each([...cases, ["all that it can be kept from", together] as const])(
    "runs nothing unasked of %s",
    async (name, settings) => {
      const calls = questions.map((command) => ({ name: "shell", arguments: { command } }));
      const place = await nested([{ calls }, says("Ok."), { calls: calls.slice(0, kept) }, says("Ok.")], settings);
      const read = await place.json(["run", "go", "--mode", "read-only", "--sandbox", "off"]);
      // Nothing keeps git from a program for differences: there each question is denied.
      const canBeKept = !name.includes("differences");
      expect([read.end.calls.success > 0, place.ran()]).toEqual([canBeKept, []]);
      if (canBeKept) {
        const full = await place.json(["run", "go", "--mode", "full-auto", "--sandbox", "off"]);
        expect([full.end.calls.success > 10, place.ran()]).toEqual([true, []]);
      }
      // The person's own git does run it: the trap is real. A file whose time alone is another one is what it writes down, with its hook.
      for (const folder of places) utimesSync(place.path(`${folder}/same.txt`), 1_000_000_000, 1_000_000_000);
      for (const command of questions) spawnSync("sh", ["-c", command], { cwd: place.workspace, env, timeout: 10_000 });
      expect(place.ran()).not.toEqual([]);
    },
  );
});

const env = { PATH: process.env["PATH"], HOME: "/nowhere" };
/** So many of the questions are let through in full-auto; those into a repository below ask there too. */
const kept = questions.length - 3;
