// The agent as a web service on this machine. It shows each change as a diff on a page, and a person approves there what was shown, by its digest.
//
//   node server.mjs --workspace DIR --store FILE --model openai:gpt-5 [--port 8080]
//
// Open the address that it prints: the token is in it. Without --model a script plays the model, so that no key is needed.
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createAgent, z } from "holdfast";
import { bodyOf, listen, Refusal, sendEvents } from "./door.mjs";

/** @import { AnswerOutcome, Session } from "holdfast" */
/** @import { Route } from "./door.mjs" */

const { values } = parseArgs({
  options: {
    workspace: { type: "string", default: process.cwd() },
    store: { type: "string", default: "agent.db" },
    model: { type: "string", default: `script:${fileURLToPath(new URL("script.ndjson", import.meta.url))}` },
    port: { type: "string", default: "0" },
  },
});
const agent = createAgent({ workspace: resolve(values.workspace), model: values.model, store: values.store });

/** The sessions that this process drives. @type {Map<string, Session | Promise<Session>>} */
const driven = new Map();

/** Opened once, whoever asks for it first; it goes on with what waited or was cut off. @param {string} name */
async function sessionNamed(name) {
  const { id } = await agent.sessions.get(name);
  const session = driven.get(id) ?? agent.resume(id).then((opened) => opened.proceed().then(() => opened));
  driven.set(id, session);
  try {
    return await session;
  } catch (error) {
    driven.delete(id);
    throw error;
  }
}

/** An answer that does not hold, to another digest say, has decided nothing. @param {AnswerOutcome} outcome */
function checkHeld(outcome) {
  if (!outcome.ok) throw new Refusal(409, outcome.message);
}

const message = z.strictObject({ text: z.string().trim().min(1) });
const call = z.strictObject({ session: z.string(), call: z.string() });
const answer = call.extend({
  decision: z.discriminatedUnion("decision", [
    z.strictObject({ decision: z.literal("approve"), digest: z.string().length(64) }),
    z.strictObject({ decision: z.literal("deny"), reason: z.string().exactOptional() }),
  ]),
});
const recovery = call.extend({ choice: z.enum(["retry", "done", "cancel"]) });

/** What each gives back is sent as JSON. @type {Record<string, Route>} */
const routes = {
  "GET /sessions": () => agent.sessions.list(),
  "POST /sessions": async (request) => {
    const { text } = await bodyOf(request, message);
    const session = agent.start();
    driven.set(session.id, session);
    await session.submit(text);
    return { id: session.id };
  },
  "POST /sessions/ID/messages": async (request, id) => {
    const { text } = await bodyOf(request, message);
    await (await sessionNamed(id)).submit(text);
  },
  "POST /sessions/ID/answers": async (request, id) => {
    const { decision, ...to } = await bodyOf(request, answer);
    checkHeld(await (await sessionNamed(id)).answer(to, decision));
  },
  "POST /sessions/ID/recoveries": async (request, id) => {
    const { choice, ...to } = await bodyOf(request, recovery);
    checkHeld(await (await sessionNamed(id)).recover(to, choice));
  },
  "POST /sessions/ID/stop": async (request, id) => {
    await bodyOf(request, z.strictObject({}));
    await (await sessionNamed(id)).stop();
  },
  "GET /sessions/ID/events": async (request, id, response) => {
    const session = await sessionNamed(id);
    await sendEvents(request, response, (after) => session.events({ after }));
  },
};

const server = await listen(routes, Number(values.port));
console.log(server.address);

for (const signal of ["SIGINT", "SIGTERM"])
  process.once(signal, async () => {
    server.close();
    await agent.close();
    server.closeConnections();
  });
