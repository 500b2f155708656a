/**
 * What the steps cost without an agent: the same requests with the growing history, the same files read, each step appended to one
 * file and synced. Prints the wall time of each step in ms as one JSON line.
 * An agent must have asked the server before.
 * A picture is sent as such, and of more than twenty the ten oldest no longer, as the agent has it.
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

/** What a file says, and a message that shows it where it is a picture. */
async function readBack(path) {
  const bytes = await readFile(path);
  if (path.endsWith(".png")) {
    const url = `data:image/png;base64,${bytes.toString("base64")}`;
    return ["PNG picture", { role: "user", content: [{ type: "image_url", image_url: { url } }] }];
  }
  const lines = bytes.toString("utf8").split("\n");
  return [lines.map((line, i) => `${String(i + 1).padStart(6)}\t${line}`).join("\n")];
}

function hideOld() {
  const shown = messages.filter(({ content }) => Array.isArray(content) && content[0].type === "image_url");
  if (shown.length > 20)
    for (const message of shown.slice(0, 10)) message.content = [{ type: "text", text: "a picture" }];
}

const file = await open(log, "a");
for (;;) {
  const started = performance.now();
  const call = await ask();
  if (call.name === "") break;
  const [content, ...picture] = await readBack(join(workspace, JSON.parse(call.text).file_path));
  messages.push(
    {
      role: "assistant",
      content: call.words,
      tool_calls: [{ id: call.id, type: "function", function: { name: call.name, arguments: call.text } }],
    },
    { role: "tool", tool_call_id: call.id, content },
    ...picture,
  );
  hideOld();
  await file.appendFile(`${JSON.stringify(messages.slice(-2 - picture.length))}\n`);
  await file.sync();
  times.push(performance.now() - started);
}
await file.close();
console.log(JSON.stringify({ times, rssMb: process.memoryUsage.rss() / 1e6 }));
