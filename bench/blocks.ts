import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { runToEnd } from "./measure.ts";
import { ms, type Row } from "./row.ts";
import { type Chat, openChat, within } from "./screen.ts";
import { agentPath, type World } from "./world.ts";

/** Milliseconds of the processor that a process has had, its threads included; in steps of 10. */
function processorMs(pid: number): number {
  const [, figures = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
  const [user, system] = figures.split(" ").slice(11, 13);
  return (Number(user) + Number(system)) * 10;
}

/** Until a process has done nothing for a while. */
async function standsStill(pid: number): Promise<number> {
  for (let [last, same] = [processorMs(pid), 0]; ; ) {
    await sleep(100);
    const now = processorMs(pid);
    same = now - last <= 10 ? same + 1 : 0;
    last = now;
    if (same >= 5) return now;
  }
}

const delta = (content: string, finish: string | null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: finish }] })}\n\n`;

/** A server that answers each message with the same words, all at once. */
async function startTalker(words: string): Promise<{ baseUrl: string; close(): void }> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (let at = 0; at < words.length; at += 1000) response.write(delta(words.slice(at, at + 1000), null));
    response.end(delta("", "stop"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

interface Task {
  command: string[];
  /** What is typed once the prompt stands; nothing where drawing it is the work. */
  keys: string;
  /** On the screen when the work is done, but for what is still drawn. */
  done: RegExp;
  /** Typed then, and what is on the screen when that is done too. */
  further?: { keys: string; done: RegExp } | undefined;
}

const drawn = /ask, or \/ for commands/;

async function inChat<T>(env: NodeJS.ProcessEnv, cwd: string, task: Task, use: (chat: Chat) => Promise<T>): Promise<T> {
  const chat = openChat(env, cwd, task.command, drawn);
  try {
    await within("the prompt", chat.prompt);
    return await use(chat);
  } finally {
    await chat.end();
  }
}

/** Milliseconds of the processor from the first key (or the start) until nothing is left to do. */
const processorOf = (env: NodeJS.ProcessEnv, cwd: string, task: Task): Promise<number> =>
  inChat(env, cwd, task, async (chat) => {
    if (task.keys === "") return await standsStill(chat.pid);
    const before = await standsStill(chat.pid);
    for (const { keys, done } of [task, ...(task.further === undefined ? [] : [task.further])]) {
      const shown = chat.shows(done);
      chat.type(keys);
      await within(`what ${JSON.stringify(keys.slice(0, 20))} leads to`, shown);
    }
    return (await standsStill(chat.pid)) - before;
  });

interface Stop {
  ms: number;
  processor: number;
}

/** What Ctrl-C comes to: a second one would leave, or the full view is closed and the input stands again. */
const heeded = /ctrl\+c again leaves|ask, or \/ for commands/;

/** From Ctrl-C, typed as the work began, until the screen says what it came to. */
const stopOf = (env: NodeJS.ProcessEnv, cwd: string, task: Task): Promise<Stop> =>
  inChat(env, cwd, task, async (chat) => {
    await standsStill(chat.pid);
    chat.type(task.keys);
    await sleep(60);
    const said = chat.shows(heeded);
    const [typed, before] = [performance.now(), processorMs(chat.pid)];
    chat.type("\x03");
    return { ms: (await within("an answer to Ctrl-C", said)) - typed, processor: processorMs(chat.pid) - before };
  });

const paste = (text: string): string => `\x1b[200~${text.replaceAll("\n", "\r")}\x1b[201~\r`;
const logLines = Array.from({ length: 2000 }, (_, i) => `${i}`.padEnd(80, " 12:00:00 INFO request served")).join("\n");
const paragraph = `${"All of this is one paragraph. ".repeat(6700)}Fin.`;

const rounds = 3;

async function each<T>(once: () => Promise<T>): Promise<T[]> {
  const seen: T[] = [];
  for (let i = 0; i < rounds; i += 1) seen.push(await once());
  return seen;
}

interface Case {
  what: string;
  words: string;
  keys: string;
  done: RegExp;
  further?: Task["further"];
  /** In place of a new chat: the session of a run, of which this was the prompt or the script. */
  after?: { argv: string[]; prompt: string };
}

interface Measured {
  processor: number;
  stop: Stop | undefined;
}

async function measured(world: World, name: string, one: Case, stops: boolean): Promise<Measured> {
  const { words, after } = one;
  const [cwd, home] = [join(world.folder, `${name}-work`), join(world.folder, `${name}-home`)];
  for (const folder of [cwd, home]) mkdirSync(folder, { recursive: true });
  const talker = await startTalker(words);
  const env = world.env(talker.baseUrl, home);
  try {
    if (after !== undefined) {
      // a long prompt has no room among the arguments
      writeFileSync(join(home, "prompt.txt"), after.prompt);
      const command = 'exec "$0" "$@" - < "$AGENT_HOME/prompt.txt"';
      await runToEnd("/bin/sh", ["-c", command, process.execPath, agentPath, "run", ...after.argv], { env, cwd });
    }
    const task: Task = { ...one, command: after === undefined ? ["chat"] : ["resume"] };
    const processor = Math.min(...(await each(() => processorOf(env, cwd, task))));
    if (!stops) return { processor, stop: undefined };
    const seen = await each(() => stopOf(env, cwd, task));
    return { processor, stop: seen.toSorted((a, b) => a.ms - b.ms)[0] };
  } finally {
    talker.close();
  }
}

const script = (lines: number): string =>
  [
    { v: 1, kind: "holdfast-script" },
    {
      calls: [
        {
          name: "write_file",
          arguments: {
            file_path: "long.ts",
            content: Array.from({ length: lines }, (_, i) => `const line${i} = ${i};\n`).join(""),
          },
        },
      ],
    },
    { text: "Written." },
  ]
    .map((line) => JSON.stringify(line))
    .join("\n");

/** Large blocks in the chat: what each costs more than the same with little in it, and whether Ctrl-C is heard meanwhile. */
export async function benchBlocks(world: World): Promise<Row[]> {
  const written = (lines: number): NonNullable<Case["after"]> => {
    const file = join(world.folder, `script-${lines}.ndjson`);
    writeFileSync(file, script(lines));
    return { argv: ["-m", `script:${file}`, "--mode", "full-auto"], prompt: "write it" };
  };
  const said = (prompt: string) => ({ argv: ["-m", "openai:bench"], prompt });
  const [what, words] = ["", "Read."];
  const cases: [Case, Case][] = [
    [
      { what: "chat: a paste of 2,000 lines, sent", words, keys: paste(logLines), done: /Read\./ },
      { what, words, keys: "hello\r", done: /Read\./ },
    ],
    [
      { what: "chat: the resume of that", words, keys: "", done: drawn, after: said(logLines) },
      { what, words, keys: "", done: drawn, after: said("hello") },
    ],
    [
      {
        ...{ what: "chat: /diff of 10,000 changed lines, to its end", words, keys: "/diff\r", done: /line0\b/ },
        ...{ further: { keys: "G", done: /line9999\b/ }, after: written(10_000) },
      },
      { what, words, keys: "/diff\r", done: /line0\b/, after: written(1) },
    ],
    [
      { what: "chat: an answer of one paragraph of 200 kB", words: paragraph, keys: "hello\r", done: /Fin\./ },
      { what, words, keys: "hello\r", done: /Read\./ },
    ],
  ];
  const rows: Row[] = [];
  for (const [index, [large, small]] of cases.entries()) {
    const { processor, stop } = await measured(world, `block-${index}`, large, large.keys !== "");
    const little = (await measured(world, `little-${index}`, small, false)).processor;
    const more = processor - little;
    rows.push({
      what: large.what,
      figure: `${ms(more)} of processor more`,
      beside: `the same with little ${ms(little)}`,
      aim: "<= 400 ms",
      kept: more <= 400,
    });
    if (stop === undefined) continue;
    const [heard, figure] = [`${large.what}: Ctrl-C is heard`, `${ms(stop.ms)}, of processor ${ms(stop.processor)}`];
    rows.push({ what: heard, figure, beside: "", aim: "<= 100 ms", kept: stop.ms <= 100 });
  }
  return rows;
}
