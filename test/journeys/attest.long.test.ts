import { execFileSync } from "node:child_process";
import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openPlace, type Place } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { describeSigning } from "../support/needs.ts";

const before = Array.from({ length: 30 }, (_, at) => `line ${at + 1}\n`).join("");
const edit = (from: string, to: string) =>
  asks("edit_file", { file_path: "a.txt", old_string: `${from}\n`, new_string: `${to}\n` });

const git = (cwd: string, ...words: string[]): string =>
  execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.org", ...words], { cwd, encoding: "utf8" });

/** A commit with two hunks that a person approved and one of the person's own, keys of two people, and a fresh clone. */
async function committed() {
  const place = await openPlace([edit("line 3", "three"), edit("line 15", "fifteen"), says("Done.")], {
    "a.txt": before,
  });
  git(place.workspace, "init", "-q", "-b", "main");
  git(place.workspace, "add", ".");
  git(place.workspace, "commit", "-qm", "first");
  const asked = await place.json(["run", "change it"]);
  await place.json(["resume", asked.session, "--approve", "c1"]);
  await place.json(["resume", asked.session, "--approve", "c2"]);
  const text = (await readFile(place.path("a.txt"), "utf8")).replace("line 28\n", "mine\n");
  await place.write("a.txt", text);
  await writeFile(place.path("blob"), Buffer.from([0, 1, 255]));
  git(place.workspace, "add", ".");
  git(place.workspace, "commit", "-qm", "second");
  const key = (name: string): string => {
    const file = join(place.home, name);
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", name, "-f", file]);
    return file;
  };
  const [mine, other] = [key("mine"), key("other")];
  const signers = join(place.home, "signers");
  await writeFile(signers, `me@example.org namespaces="holdfast-attest" ${await readFile(`${mine}.pub`, "utf8")}`);
  const clone = join(place.home, "clone");
  git(place.home, "clone", "-q", place.workspace, clone);
  return { place, session: asked.session, mine, other, signers, clone };
}

const verify = (place: Place, clone: string, file: string, signers: string, ...more: string[]) =>
  place.run(["attest", "--verify", file, "--signers", signers, "-C", clone, ...more]);

describeSigning("agent attest (needs ssh-keygen)", () => {
  it("says which added lines are approved calls' bytes, is verified in a fresh clone, and refused after one byte is another", async () => {
    const { place, session, mine, other, signers, clone } = await committed();
    const plain = await place.run(["attest"]);
    expect(plain.stderr).toContain(
      "2 added lines of recorded calls, 1 of others, 1 files that are no text, or too large; not signed",
    );
    const head = git(place.workspace, "rev-parse", "HEAD").trim();
    const said = JSON.parse(plain.stdout);
    expect(said).toMatchObject({
      _type: "https://in-toto.io/Statement/v1",
      subject: [{ digest: { gitCommit: head } }],
      predicate: { left: ["blob"], lines: { call: 2, other: 1, unknown: 0 } },
    });
    const [{ path, runs }] = said.predicate.files;
    expect(path).toBe("a.txt");
    expect(runs).toMatchObject([
      { from: 3, to: 3, by: "call", session, call: "c1", tool: "edit_file", approved: { by: "person" } },
      {
        from: 15,
        to: 15,
        by: "call",
        call: "c2",
        approved: { by: "person", digest: expect.stringMatching(/^[0-9a-f]{64}$/u) },
      },
      { from: 28, to: 28, by: "other" },
    ]);
    // Later edits change nothing of what is said of the commit.
    await place.write("a.txt", "all else\n");
    expect((await place.run(["attest", head])).stdout).toBe(plain.stdout);

    const file = join(place.home, "attest.json");
    const signed = await place.run(["attest", "--key", mine, "-o", file]);
    expect([signed.code, signed.stdout]).toEqual([0, ""]);
    const good = await verify(place, clone, file, signers);
    expect([good.code, good.stdout]).toEqual([
      0,
      `verified: signed by me@example.org; commit ${head.slice(0, 12)}: 2 added lines of recorded calls, 1 of others, 1 files that are no text, or too large\n`,
    ]);
    expect((await place.run(["attest", "--key", mine, "-o", file])).stderr).toContain("exists already");

    const sealed = await readFile(file, "utf8");
    const { payload, ...rest } = JSON.parse(sealed);
    const changed = Buffer.from(payload, "base64");
    changed[changed.indexOf("person")] = 0x50;
    const wrong: [what: string, text: string, why: string][] = [
      [
        "a byte of what is said",
        JSON.stringify({ payload: changed.toString("base64"), ...rest }),
        "its signature is not good",
      ],
      ["what is not signed", plain.stdout, "it is not sealed"],
      ["another kind of envelope", sealed.replace("vnd.in-toto", "vnd.other"), "it is not sealed"],
      ["what is cut off", sealed.slice(0, -40), "it is not sealed"],
      ["nothing", "", "it is not sealed"],
    ];
    for (const [what, text, why] of wrong) {
      const bad = join(place.home, "bad.json");
      await writeFile(bad, text);
      const refused = await verify(place, clone, bad, signers);
      expect({ what, code: refused.code, why: refused.stderr }).toEqual({
        what,
        code: 1,
        why: expect.stringContaining(why),
      });
    }
    // Somebody else's key, and one that signed for another use.
    const others = join(place.home, "others.json");
    await place.run(["attest", "--key", other, "-o", others]);
    expect((await verify(place, clone, others, signers)).stderr).toContain("signed it");
    await writeFile(signers, `me@example.org namespaces="file" ${await readFile(`${mine}.pub`, "utf8")}`);
    expect((await verify(place, clone, file, signers)).code).toBe(1);
    await writeFile(signers, `me@example.org ${await readFile(`${mine}.pub`, "utf8")}`);

    // The commit with one other byte is another commit; one that was put in its place under its name is not looked at.
    await writeFile(join(clone, "a.txt"), (await readFile(join(clone, "a.txt"), "utf8")).replace("three", "threE"));
    git(clone, "commit", "-qam", "second", "--amend");
    expect((await verify(place, clone, file, signers)).stderr).toContain(`it is about commit ${head}`);
    git(clone, "replace", head, "HEAD");
    expect((await verify(place, clone, file, signers, head)).code).toBe(0);
    expect((await verify(place, clone, file, signers, "--", "--output=x")).code).toBe(1);
  });

  it("is refused where the signer claims lines that the commit does not have, and runs nothing that the repository names", async () => {
    const { place, mine, signers, clone } = await committed();
    const said = JSON.parse((await place.run(["attest"])).stdout);
    const [one] = said.predicate.files;
    const claims: [what: string, files: unknown, why: string][] = [
      [
        "a line more",
        [{ ...one, runs: [{ ...one.runs[0], to: 4 }, ...one.runs.slice(1)] }],
        "not those that the commit added",
      ],
      ["a line twice", [{ ...one, runs: [...one.runs, one.runs[0]] }], "not those that the commit added"],
      ["a line less", [{ ...one, runs: one.runs.slice(1) }], "not those that the commit added"],
      ["a line that is not there", [{ ...one, runs: [{ ...one.runs[0], to: 1e9 }] }], "lines that are not there"],
      [
        "other bytes of it",
        [{ ...one, runs: one.runs.map((run: object) => ({ ...run, sha256: "0".repeat(64) })) }],
        "have other bytes",
      ],
      [
        "another's line as a call's",
        [{ ...one, runs: one.runs.map((run: object) => ({ ...run, by: "call" })) }],
        "do not come to its sums",
      ],
      ["another file", [{ ...one, path: "b.txt" }], "it says nothing of a.txt"],
      ["no file", [], "it says nothing of a.txt"],
      ["a file twice", [one, one], "it tells of a file twice"],
    ];
    for (const [what, files, why] of claims) {
      const payload = Buffer.from(JSON.stringify({ ...said, predicate: { ...said.predicate, files } }));
      const type = "application/vnd.in-toto+json";
      const bytes = Buffer.concat([Buffer.from(`DSSEv1 ${type.length} ${type} ${payload.length} `), payload]);
      const sig = execFileSync("ssh-keygen", ["-Y", "sign", "-f", mine, "-n", "holdfast-attest"], {
        input: bytes,
        stdio: "pipe",
      });
      const file = join(place.home, "claim.json");
      const signatures = [{ sig: sig.toString("base64") }];
      await writeFile(file, JSON.stringify({ payloadType: type, payload: payload.toString("base64"), signatures }));
      const refused = await verify(place, clone, file, signers);
      expect({ what, code: refused.code, why: refused.stderr }).toEqual({
        what,
        code: 1,
        why: expect.stringContaining(why),
      });
    }
    const ran = join(place.home, "ran");
    for (const name of ["core.fsmonitor", "diff.external", "core.pager", "gpg.program", "core.sshCommand"])
      git(place.workspace, "config", name, `touch ${ran}; true`);
    await writeFile(place.path(".gitattributes"), "* diff=evil filter=evil\n");
    git(place.workspace, "config", "diff.evil.textconv", `touch ${ran}; cat`);
    git(place.workspace, "config", "filter.evil.smudge", `touch ${ran}; cat`);
    expect((await place.run(["attest"])).code).toBe(0);
    await expect(readFile(ran)).rejects.toThrow("ENOENT");
  });

  it("runs no program that the project brings along, nor one that is named for fetching what is missing", async () => {
    const { place } = await committed();
    const ran = join(place.home, "ran");
    const bin = join(place.workspace, "node_modules", ".bin");
    await mkdir(bin, { recursive: true });
    for (const name of ["git", "ssh-keygen"])
      await writeFile(join(bin, name), `#!/bin/sh\ntouch ${ran}\n`, { mode: 0o755 });
    await symlink(bin, join(place.home, "linked"));
    const folders = ["node_modules/.bin", bin, join(place.home, "linked"), ""];
    const path = { env: { PATH: [...folders, process.env["PATH"] ?? ""].join(":") } };
    expect((await place.run(["attest"], path)).code).toBe(0);

    const settings = [
      ["core.repositoryFormatVersion", "1"],
      ["extensions.partialClone", "evil"],
      ["remote.evil.promisor", "true"],
      ["remote.evil.url", `ext::sh -c touch% ${ran}`],
      ["protocol.ext.allow", "always"],
    ] as const;
    for (const [name, value] of settings) git(place.workspace, "config", name, value);
    const blob = git(place.workspace, "rev-parse", "HEAD:a.txt").trim();
    await rm(join(place.workspace, ".git", "objects", blob.slice(0, 2), blob.slice(2)));
    const gone = await place.run(["attest"]);
    expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining("git could not say")]);
    await expect(readFile(ran)).rejects.toThrow("ENOENT");
  });

  it("takes a file that was moved for what it was, and a copy for nobody's", async () => {
    const { place } = await committed();
    await place.write("copy.txt", git(place.workspace, "show", "HEAD:a.txt"));
    git(place.workspace, "add", "copy.txt");
    git(place.workspace, "commit", "-qm", "copied");
    expect((await place.run(["attest"])).stderr).toContain("0 added lines of recorded calls, 30 of others");
    git(place.workspace, "rm", "-q", "--cached", "a.txt", "copy.txt");
    await place.write("moved.txt", git(place.workspace, "show", "HEAD:a.txt").replace("mine\n", "line 28\n"));
    git(place.workspace, "add", "moved.txt");
    git(place.workspace, "commit", "-qm", "moved");
    expect((await place.run(["attest"])).stderr).toContain("2 added lines of recorded calls, 28 of others");
  });

  it("says nothing good of a file that is text and told as none, and of what calls did after the commit", async () => {
    const { place, mine, signers, clone } = await committed();
    const said = JSON.parse((await place.run(["attest"])).stdout);
    const left = { ...said.predicate, files: [], left: ["blob", "a.txt"], lines: { call: 0, other: 0, unknown: 0 } };
    const payload = Buffer.from(JSON.stringify({ ...said, predicate: left }));
    const type = "application/vnd.in-toto+json";
    const input = Buffer.concat([Buffer.from(`DSSEv1 ${type.length} ${type} ${payload.length} `), payload]);
    const sig = execFileSync("ssh-keygen", ["-Y", "sign", "-f", mine, "-n", "holdfast-attest"], {
      input,
      stdio: "pipe",
    });
    const file = join(place.home, "left.json");
    const signatures = [{ sig: sig.toString("base64") }];
    await writeFile(file, JSON.stringify({ payloadType: type, payload: payload.toString("base64"), signatures }));
    expect((await verify(place, clone, file, signers)).stderr).toContain(
      "a.txt is text, and it says nothing of its lines",
    );

    // By hand, committed long ago; then calls change it, and back.
    const env = { ...process.env, GIT_COMMITTER_DATE: "2020-01-01T00:00:00Z" };
    git(place.workspace, "rm", "-q", "--cached", "a.txt");
    execFileSync("git", ["-C", place.workspace, "add", "a.txt"]);
    execFileSync(
      "git",
      [
        "-C",
        place.workspace,
        "-c",
        "user.name=A",
        "-c",
        "user.email=a@example.org",
        "commit",
        "-q",
        "--amend",
        "-m",
        "old",
      ],
      { env },
    );
    expect((await place.run(["attest"])).stderr).toContain("0 added lines of recorded calls");
  });

  it("has a large file and a name that hides something for what they are", async () => {
    const { place } = await committed();
    await writeFile(place.path("large"), "x\n".repeat(9 * 1024 * 1024));
    await writeFile(place.path("a\u009b31m\u202e.txt"), "x\n");
    git(place.workspace, "add", ".");
    git(place.workspace, "commit", "-qm", "third");
    const { code, stdout, stderr } = await place.run(["attest"]);
    expect([code, stderr]).toEqual([0, expect.stringContaining("1 of others, 1 files that are no text")]);
    expect(stdout).not.toMatch(/[\u0080-\u009f\u202e]/u);
    expect(JSON.parse(stdout).predicate.files[0].path).toBe("a\u009b31m\u202e.txt");
  });

  it("says what is missing: a repository, a commit, whose signatures count, a key", async () => {
    const place = await openPlace([says("Hello.")], { "a.txt": before });
    const asked: [argv: string[], code: number, why: string][] = [
      [["attest"], 1, "not a git repository"],
      [["attest", "--verify", "none.json"], 2, "--verify needs --signers FILE"],
      [["attest", "--signers", "s"], 2, "--signers needs --verify"],
      [["attest", "--verify", "none.json", "--key", "k"], 2, "--key does not go with --verify"],
      [["attest", "--verify", "none.json", "--signers", "s"], 2, "none.json is no statement that can be read"],
    ];
    for (const [argv, code, why] of asked) {
      const refused = await place.run(argv);
      expect([refused.code, refused.stderr]).toEqual([code, expect.stringContaining(why)]);
    }
    git(place.workspace, "init", "-q");
    git(place.workspace, "add", ".");
    git(place.workspace, "commit", "-qm", "first");
    expect((await place.run(["attest", "none"])).stderr).toContain("git could not say what none is");
    expect((await place.run(["attest", "--key", "none"])).stderr).toContain("could not sign");
    // The first commit of all has no parent, and no call.
    expect((await place.run(["attest"])).stderr).toContain("0 added lines of recorded calls, 30 of others; not signed");
  });
});
