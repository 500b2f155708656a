/**
 * Plays what most starts do in the command that was just built, and writes what V8 has compiled by then beside its scripts. A run of
 * one step and a chat with one message, at a server and a terminal of its own making; nothing of the person's is read or written.
 * usage: node warm-up.mjs DIST, whose folder `app` it fills.
 */
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { PassThrough } from "node:stream";
import { pathToFileURL } from "node:url";

const app = join(resolve(process.argv[2] ?? "dist"), "app");
const { main, startChat, scripts } = await import(pathToFileURL(join(app, "agent.js")).href);
const { firstPaint } = await import(pathToFileURL(join(app, "first-paint.js")).href);

const folder = mkdtempSync(join(tmpdir(), "holdfast-warm-up-"));
const workspace = join(folder, "work");
mkdirSync(workspace);
writeFileSync(join(workspace, "a.txt"), "one\ntwo\n");

/** Reads the file, then answers with words and a piece of code. */
const answer = (messages) =>
  messages.at(-1).role === "user"
    ? {
        delta: {
          content: "I read it.",
          tool_calls: [
            {
              index: 0,
              id: "c1",
              type: "function",
              function: { name: "read_file", arguments: '{"file_path":"a.txt"}' },
            },
          ],
        },
        finish_reason: "tool_calls",
      }
    : {
        delta: { content: "It **says**:\n\n```ts\nconst one = 1;\n```\n\n- one\n- two\n\nThat is all." },
        finish_reason: "stop",
      };

const server = createServer(async (request, response) => {
  let text = "";
  for await (const chunk of request) text += chunk;
  if (request.method !== "POST") return response.end('{"data":[{"id":"warm","context_length":128000}]}');
  response.setHeader("content-type", "text/event-stream");
  const { delta, finish_reason } = answer(JSON.parse(text).messages);
  const usage = { prompt_tokens: 10, completion_tokens: 10 };
  for (const event of [
    { choices: [{ index: 0, delta }] },
    { choices: [{ index: 0, delta: {}, finish_reason }], usage },
  ])
    response.write(`data: ${JSON.stringify(event)}\n\n`);
  response.end("data: [DONE]\n\n");
});
await once(server.listen(0, "127.0.0.1"), "listening");

const env = {
  PATH: process.env.PATH,
  HOME: folder,
  AGENT_HOME: join(folder, "home"),
  LANG: "C.UTF-8",
  TERM: "xterm-256color",
  OPENAI_API_KEY: "none",
  OPENAI_BASE_URL: `http://127.0.0.1:${server.address().port}/v1`,
};

/** Streams for the command's own; `seen` is what it has printed. */
function streams(terminal) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  let seen = "";
  for (const stream of [stdout, stderr])
    stream.on("data", (chunk) => {
      seen += chunk;
    });
  if (terminal) {
    Object.assign(stdin, { isTTY: true, setRawMode: () => stdin, ref: () => stdin, unref: () => stdin });
    Object.assign(stdout, { isTTY: true, columns: 100, rows: 30, getColorDepth: () => 8 });
  }
  return { io: { stdin, stdout, stderr, env, cwd: () => workspace }, seen: () => seen };
}

async function until(there, what, seen) {
  for (let tries = 0; !there(); tries += 1) {
    if (tries > 1500) throw new Error(`${what} did not come: ${JSON.stringify(seen())}`);
    await new Promise((passed) => setTimeout(passed, 20));
  }
}

async function run() {
  const { io, seen } = streams(false);
  io.stdin.end();
  const code = await main(["run", "-m", "openai:warm", "--json", "Read the file."], io);
  if (code !== 0) throw new Error(`a run ended with ${code}: ${seen()}`);
}

async function chat() {
  const { io, seen } = streams(true);
  const early = firstPaint({ stdin: io.stdin, stdout: io.stdout, env, onInterrupt: () => {} });
  io.stdin.write("Read the file.\r");
  const ended = startChat(["chat", "-m", "openai:warm"], early, io);
  await until(() => seen().includes("That is all."), "the answer", seen);
  io.stdin.write("\x04");
  const code = await ended;
  if (code !== 0) throw new Error(`a chat ended with ${code}: ${seen()}`);
}

try {
  await run();
  await chat();
  for (const [name, bytes] of scripts.compiled()) writeFileSync(join(app, name), bytes);
} finally {
  server.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
