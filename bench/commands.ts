import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTreeKeeper } from "../src/tools/shell/tree/tree-keeper.ts";
import { runToEnd } from "./measure.ts";
import { ms, type Row } from "./row.ts";
import { agentPath, makeTree, type World } from "./world.ts";

const calls = 12;
const bash = ["--noprofile", "--norc", "-c", "true"];

/** What a call of `shell` takes beyond the bare spawn of bash, in one session; and how long files are copied before a command. */
export async function benchCommands({ folder, env }: World): Promise<Row[]> {
  const spawned: number[] = [];
  for (let i = 0; i < 10; i += 1) spawned.push((await runToEnd("/bin/bash", bash)).ms);
  const bare = least(spawned);
  const rows: Row[] = [];
  for (const sandbox of ["off", "required"]) {
    const took = await callTimes(folder, env("http://127.0.0.1:9/v1", join(folder, `home-${sandbox}`)), sandbox);
    if (took.length === 0) continue;
    const [first = 0, ...later] = took;
    const where = sandbox === "off" ? "without the sandbox" : "in the sandbox";
    rows.push(
      beyond(`first command ${where}, beyond bash`, first, bare, 60),
      beyond(`a later command ${where}, beyond bash`, least(later), bare, sandbox === "off" ? 8 : 12),
    );
  }
  return [...rows, ...(await keeping(folder))];
}

const least = (values: readonly number[]): number => Math.min(...values);

function beyond(what: string, took: number, bare: number, most: number): Row {
  const more = took - bare;
  return {
    what,
    figure: ms(more),
    beside: `bash ${ms(bare)}`,
    ratio: took / bare,
    aim: `<= ${most} ms`,
    kept: more <= most,
  };
}

/** From the proposal of each call to its end, in the order of the session; none where the sandbox cannot be had. */
async function callTimes(folder: string, env: NodeJS.ProcessEnv, sandbox: string): Promise<number[]> {
  const workspace = join(folder, "commands");
  mkdirSync(workspace, { recursive: true });
  const script = join(folder, "commands.ndjson");
  const call = JSON.stringify({ calls: [{ name: "shell", arguments: { command: "true" } }] });
  const head = '{"v":1,"kind":"holdfast-script"}';
  writeFileSync(script, `${[head, ...Array<string>(calls).fill(call), '{"text":"Done."}'].join("\n")}\n`);
  const argv = ["run", "go", "--json", "-m", `script:${script}`, "--sandbox", sandbox, "-C", workspace];
  const { stdout } = await runToEnd(process.execPath, [agentPath, ...argv], { env }).catch(() => ({ stdout: "" }));
  return stdout.split("\n").flatMap((line) => {
    if (!line.includes('"status":"success"')) return [];
    const { times } = (JSON.parse(line) as { call: { times: { proposed: number; settled: number } } }).call;
    return [times.settled - times.proposed];
  });
}

/** Copying 5,000 files before a command, and looking again before the next. */
async function keeping(folder: string): Promise<Row[]> {
  const tree = makeTree(join(folder, "kept-tree"), 5_000);
  const keeper = createTreeKeeper({ roots: [tree], base: join(folder, "kept", "bench") });
  const { signal } = new AbortController();
  const timed = async (call: string): Promise<number> => {
    const started = performance.now();
    await keeper.before(call, signal);
    await keeper.after(call, signal);
    return performance.now() - started;
  };
  const first = await timed("c1");
  const later = least([await timed("c2"), await timed("c3"), await timed("c4"), await timed("c5")]);
  await keeper.close();
  const row = (what: string, took: number, most: number): Row => ({
    what,
    figure: ms(took),
    beside: "",
    aim: `<= ${most} ms`,
    kept: took <= most,
  });
  return [
    row("keep 5,000 files around a command, the first time", first, 600),
    row("keep 5,000 files around a command, later", later, 150),
  ];
}
