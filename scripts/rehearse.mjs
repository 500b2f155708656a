/**
 * Plays a `run` and a chat with a model of its own on loopback, in temporary folders, and keeps the code that V8 compiled for them:
 * half of what the whole bundle would come to, and as much less to load at each start.
 * usage: node rehearse.mjs APP CACHE
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { keepCompiled, openBundle } from "../bin/bundle.js";

const [app, cache] = process.argv.slice(2);
const patienceMs = 20_000;

/** Asks for a file to be read, then says a word. */
function reply(messages) {
  const call = {
    index: 0,
    id: "call_1",
    type: "function",
    function: { name: "read_file", arguments: '{"file_path":"a.txt"}' },
  };
  const read = messages.at(-1)?.role === "tool";
  const delta = read ? { content: "It is **read**." } : { content: null, tool_calls: [call] };
  return [{ delta }, { delta: {}, finish_reason: read ? "stop" : "tool_calls" }];
}

function startServer() {
  const server = createServer(async (request, response) => {
    const parts = await request.toArray();
    const { messages, model } = JSON.parse(Buffer.concat(parts).toString());
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const choice of reply(messages)) {
      const event = {
        id: "rehearsal",
        object: "chat.completion.chunk",
        created: 1,
        model,
        choices: [{ index: 0, ...choice }],
      };
      response.write(`data: ${JSON.stringify(event)}\n\n`);
    }
    response.end("data: [DONE]\n\n");
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => resolve(server));
  });
}

/** A terminal that nobody sees. */
function terminal() {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => stdin });
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 100, rows: 30 });
  let shown = "";
  stdout.on("data", (data) => {
    shown += data;
  });
  const waitFor = async (text, since = 0) => {
    for (let waited = 0; !shown.slice(since).includes(text); waited += 20) {
      if (waited > patienceMs) throw new Error(`the rehearsal waits for ${JSON.stringify(text)}`);
      await sleep(20);
    }
    return shown.length;
  };
  return { stdin, stdout, stderr: new PassThrough().resume(), waitFor };
}

async function playRun(bundle, io) {
  const { main } = await bundle.load("main");
  const code = await main(["run", "-m", "openai:rehearsal", "--json", "Read it."], io);
  if (code !== 0) throw new Error(`the rehearsed run ended with ${code}`);
}

/** One message at the painted prompt, one at the drawn one. */
async function playChat(bundle, io, { stdin, stdout, waitFor }) {
  const { firstPaint } = await bundle.load("first-paint");
  const early = firstPaint({ stdin, stdout, env: io.env, onInterrupt: () => undefined });
  stdin.write("Read it.\r");
  await sleep(1);
  const { startChat } = await bundle.load("chat");
  const ended = startChat(["chat", "-m", "openai:rehearsal"], early, io);
  const play = async () => {
    await waitFor("read", await waitFor("ask, or / for commands"));
    await sleep(300); // until the turn has ended on the screen
    stdin.write("again");
    const typed = await waitFor("again");
    stdin.write("\r");
    await waitFor("read", typed);
    await sleep(300);
    stdin.write("\u0004");
  };
  const [code] = await Promise.all([ended, play()]);
  if (code !== 0) throw new Error(`the rehearsed chat ended with ${code}`);
}

const folder = mkdtempSync(join(tmpdir(), "holdfast-rehearsal-"));
const server = await startServer();
try {
  writeFileSync(join(folder, "a.txt"), "one\n");
  const bundle = openBundle(app, []);
  const screen = terminal();
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    AGENT_HOME: join(folder, "home"),
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    OPENAI_API_KEY: "none",
    OPENAI_BASE_URL: `http://127.0.0.1:${server.address().port}/v1`,
  };
  const io = { stdin: screen.stdin, stdout: screen.stdout, stderr: screen.stderr, env, cwd: () => folder };
  await playRun(bundle, { ...io, stdout: new PassThrough().resume() });
  await playChat(bundle, io, screen);
  keepCompiled(app, cache, bundle.scripts);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
