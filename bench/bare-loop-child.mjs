/**
 * What the steps cost without an agent: the same requests with the growing history, the same files read, each step appended to one
 * file and synced. Prints the wall time of each step in ms as one JSON line.
 * An agent must have asked the server before.
 * usage: node bare-loop-child.mjs BASE_URL WORKSPACE LOG
 */
import { open, readFile } from "node:fs/promises";
import { join } from "node:path";

const [base, workspace, log] = process.argv.slice(2);
/** As the agent's first request has it, so that both send the same: settings, tools, the system's and the person's message. */
const { messages, ...settings } = await (await fetch(`${base}/first`)).json();
const times = [];

async function ask() {
  const response = await fetch(`${base}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer bench" },
    body: JSON.stringify({ ...settings, messages }),
  });
  if (!response.ok) throw new Error(await response.text());
  let text = "";
  const decoder = new TextDecoder();
  for await (const part of response.body) text += decoder.decode(part, { stream: true });
  const call = { id: "", name: "", text: "", words: null };
  for (const line of text.split("\n")) {
    if (!line.startsWith("data: {")) continue;
    const { delta } = JSON.parse(line.slice(6)).choices[0];
    if (delta.content) call.words = (call.words ?? "") + delta.content;
    const piece = delta.tool_calls?.[0];
    if (piece === undefined) continue;
    call.id ||= piece.id;
    call.name ||= piece.function.name;
    call.text += piece.function.arguments;
  }
  return call;
}

const file = await open(log, "a");
for (;;) {
  const started = performance.now();
  const call = await ask();
  if (call.name === "") break;
  const path = join(workspace, JSON.parse(call.text).file_path);
  const content = (await readFile(path, "utf8"))
    .split("\n")
    .map((line, i) => `${String(i + 1).padStart(6)}\t${line}`)
    .join("\n");
  messages.push(
    {
      role: "assistant",
      content: call.words,
      tool_calls: [{ id: call.id, type: "function", function: { name: call.name, arguments: call.text } }],
    },
    { role: "tool", tool_call_id: call.id, content },
  );
  await file.appendFile(`${JSON.stringify(messages.slice(-2))}\n`);
  await file.sync();
  times.push(performance.now() - started);
}
await file.close();
console.log(JSON.stringify({ times, rssMb: process.memoryUsage.rss() / 1e6 }));
