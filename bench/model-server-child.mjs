/**
 * A chat-completions server on loopback that asks for STEPS files to be read, one a request, with WORDS characters of text before
 * each call, then says it is done. Refuses a history that a real server would refuse. Prints its port on the first line of stdout.
 * usage: node model-server-child.mjs STEPS FILE_COUNT WORDS KIND      KIND: of the files, txt or png, which have to be shown
 */
import { createServer } from "node:http";

const steps = Number(process.argv[2]);
const fileCount = Number(process.argv[3]);
const kind = process.argv[5];
const words = "I read on, for the reason that I gave. ".repeat(1000).slice(0, Number(process.argv[4]));

const isShown = ({ role, content }) =>
  role === "user" && content.some(({ image_url: image }) => image?.url.startsWith("data:image/png;base64,"));

/** What is wrong with the request, or undefined. */
function fault({ stream, messages, tools }) {
  if (stream !== true) return "only streams are served";
  if (!Array.isArray(tools) || !tools.some((tool) => tool.function?.name === "read_file")) return "no read_file tool";
  const open = new Set();
  for (const message of messages) {
    if (message.role === "tool") {
      if (!open.delete(message.tool_call_id)) return `no call ${message.tool_call_id}`;
      if (!String(message.content).includes(kind === "png" ? "PNG picture" : "line of file"))
        return "that is not what the file says";
    } else if (open.size > 0) return "a call without its result";
    for (const call of message.tool_calls ?? []) open.add(call.id);
  }
  if (kind === "png" && messages.length > 2 && !isShown(messages.at(-1))) return "the picture is not shown";
  return open.size > 0 ? "a call without its result" : undefined;
}

function answer(step) {
  const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
  if (step >= steps)
    return [
      { delta: { role: "assistant", content: "All " } },
      { delta: { content: "read." } },
      { delta: {}, finish_reason: "stop", usage },
    ];
  const call = (id, name, text) => ({
    delta: { tool_calls: [{ index: 0, id, type: "function", function: { name, arguments: text } }] },
  });
  return [
    { delta: { role: "assistant", content: words || null } },
    call(`call_${step}`, "read_file", ""),
    call(undefined, undefined, '{"file_path":'),
    call(undefined, undefined, `"file-${step % fileCount}.${kind}"}`),
    { delta: {}, finish_reason: "tool_calls", usage },
  ];
}

function reply(body, response) {
  const problem = fault(body);
  if (problem !== undefined) {
    response.writeHead(400, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { message: problem } }));
    return;
  }
  const done = body.messages.filter((message) => message.role === "tool").length;
  response.writeHead(200, { "content-type": "text/event-stream" });
  const frame = { id: "bench", object: "chat.completion.chunk", created: 1, model: body.model };
  for (const { delta, finish_reason = null, usage } of answer(done))
    response.write(
      `data: ${JSON.stringify({ ...frame, choices: [{ index: 0, delta, finish_reason }], ...(usage ? { usage } : {}) })}\n\n`,
    );
  response.end("data: [DONE]\n\n");
}

/** The first request of all, for the loop that is to send the same. */
let first;

const server = createServer((request, response) => {
  if (request.method === "GET") {
    response.writeHead(200, { "content-type": "application/json" });
    // It reads so much that no talk is ever cut: the bare loop cuts nothing either.
    const listed = { object: "list", data: [{ id: "bench", context_length: 100_000_000 }] };
    response.end(request.url.endsWith("/models") ? JSON.stringify(listed) : first);
    return;
  }
  const parts = [];
  request.on("data", (part) => parts.push(part));
  request.on("end", () => {
    const body = Buffer.concat(parts).toString();
    first ??= body;
    reply(JSON.parse(body), response);
  });
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
