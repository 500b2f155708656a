import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { withoutStrace } from "../../faults/system-calls.ts";
import { builtProgram } from "../../support/built.ts";
import { describeInSandbox } from "../../support/needs.ts";
import { type CorpusLine, corpus } from "./corpus.ts";
import { linesOf, offences, tracedCalls } from "./trace.ts";
import type { TraceSaid, TraceTask } from "./trace-program.ts";
import { closedFiles, makeTree, renamedSecret, secretMark, type Tree } from "./tree.ts";

/** Each line that runs without a question, in each setting where it does. */
const runs = corpus.flatMap((one) =>
  (["boxed", "bare"] as const).flatMap((setting) => (one.wanted[setting] === "free" ? [{ ...one, setting }] : [])),
);
const sampled = 100;
/**
 * All of them where HOLDFAST_TRACE is `all`, else a hundred: the first of each theme and setting, then the first of all, by the hash of
 * their own text. So a line that comes or goes moves one of them.
 */
const isAll = process.env["HOLDFAST_TRACE"] === "all";
const hashOf = ({ tree, line, setting }: (typeof runs)[number]): string =>
  createHash("sha256").update(`${setting}\0${tree}\0${line}`).digest("hex");
const byHash = runs.toSorted((one, other) => (hashOf(one) < hashOf(other) ? -1 : 1));
const firsts = new Map(byHash.toReversed().map((one) => [`${one.setting} ${one.theme}`, one])).values();
const chosen = isAll ? runs : [...new Set([...firsts, ...byHash])].slice(0, sampled);

/** What is in a folder, names and bytes, as one value. */
function contentsOf(folder: string): string {
  const hash = createHash("sha256");
  for (const entry of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
    const path = join(folder, entry);
    const found = lstatSync(path);
    hash.update(`${entry}\0${found.mode}\0`).update(found.isFile() ? readFileSync(path) : "");
  }
  return hash.digest("hex");
}

/** Runs the lines of a tree under strace. @returns what they did that they must not do */
async function tracedIn(tree: Tree, setting: keyof CorpusLine["wanted"], lines: readonly string[]): Promise<string[]> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-trace-")));
  const [trace, told] = [join(folder, "trace"), join(folder, "task.json")];
  try {
    const scratch = join(folder, "scratch");
    const sandbox = setting === "boxed" ? "required" : "off";
    writeFileSync(told, JSON.stringify({ tree, sandbox, scratch, lines: [...lines] } satisfies TraceTask));
    const words = [
      "-f",
      "-y",
      "--seccomp-bpf",
      "--decode-pids=pidns",
      "-s",
      "256",
      "-e",
      `trace=${tracedCalls}`,
      "-o",
      trace,
    ];
    const program = await builtProgram("test/policy/lines/trace-program.ts");
    const ended = spawnSync("strace", [...words, process.execPath, program, told], {
      encoding: "utf8",
      maxBuffer: 1e8,
    });
    if (ended.status !== 0) throw new Error(`the lines were not run to their end: ${ended.stderr.slice(-2_000)}`);
    const said = ended.stdout
      .trim()
      .split("\n")
      .map((row) => JSON.parse(row) as TraceSaid);
    const traced = linesOf(trace);
    const ran = said.flatMap(({ line, output }) => (output === undefined ? [] : [{ line, output }]));
    asked.push(...said.flatMap(({ line, output }) => (output === undefined ? [`${setting}: ${line}`] : [])));
    expect([said.length, traced.length]).toEqual([lines.length, ran.length]);
    const { root, workspace, home } = tree;
    const closed = [
      ...closedFiles.map((path) => join(workspace, path)),
      ...[".ssh/id_rsa", ".netrc"].map((path) => join(home, path)),
    ];
    const places = {
      own: [scratch, ...(setting === "boxed" ? ["/tmp"] : [])],
      kept: [root],
      closed: new Set(closed),
      isCutOff: setting === "boxed",
    };
    return ran.flatMap(({ line, output }, at) => {
      const did = offences(traced[at] ?? [], places);
      for (const [, name = ""] of output.matchAll(/(\S+): command not found/gu)) notThere.add(name);
      const leaked = output.includes(secretMark) && !line.includes(renamedSecret) ? ["told what is closed"] : [];
      return [...did, ...leaked].map((what) => `${setting}: ${line}: ${what}`);
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const notThere = new Set<string>();
/** Wanted free, but asked about: how many those may be says the test of the corpus. */
const asked: string[] = [];

describeInSandbox("lines that run without a question (needs bubblewrap)", () => {
  it.runIf(withoutStrace() === undefined)(
    `write nothing, read nothing that is closed and reach nobody, by their system calls: ${isAll ? "all" : sampled} (needs strace)`,
    async () => {
      const found: string[] = [];
      for (const name of new Set(chosen.map(({ tree }) => tree))) {
        const tree = makeTree(name);
        try {
          for (const setting of ["boxed", "bare"] as const) {
            const lines = chosen.filter((one) => one.tree === name && one.setting === setting).map(({ line }) => line);
            if (lines.length === 0) continue;
            const before = contentsOf(tree.root);
            found.push(...(await tracedIn(tree, setting, lines)));
            if (contentsOf(tree.root) !== before) found.push(`${setting}: a line changed the tree ${name}`);
            if (existsSync(tree.ran)) found.push(`${setting}: a line ran a program of the tree ${name}`);
          }
        } finally {
          tree.remove();
        }
      }
      process.stdout.write(`asked about, so not tried: ${asked.join(", ") || "none"}\n`);
      process.stdout.write(`not on this machine, so not tried: ${[...notThere].sort().join(", ") || "none"}\n`);
      expect(found).toEqual([]);
    },
  );
});

describe("the lines that are traced", () => {
  it("are so many that a hundred of them are spread over all themes that have any", () => {
    const themes = new Set(runs.map(({ theme }) => theme));
    expect(new Set(chosen.map(({ theme }) => theme))).toEqual(themes);
  });
});
