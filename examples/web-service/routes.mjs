// What can be asked of the service: sessions, their events, and the answers of the person.
import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { EventsGone, z } from "holdfast";
import { bodyOf, Refusal } from "./door.mjs";

/** @import { IncomingMessage, ServerResponse } from "node:http" */
/** @import { Agent, AgentEvent, AnswerOutcome, Session } from "holdfast" */

const message = z.strictObject({ text: z.string().trim().min(1) });
const call = z.strictObject({ session: z.string(), call: z.string() });
const answer = call.extend({
  decision: z.discriminatedUnion("decision", [
    z.strictObject({ decision: z.literal("approve"), digest: z.string().length(64) }),
    z.strictObject({ decision: z.literal("deny"), reason: z.string().exactOptional() }),
  ]),
});
const recovery = call.extend({ choice: z.enum(["retry", "done", "cancel"]) });

/** Events are numbered anew each time a session is opened, so their ids name this process too. */
const life = randomBytes(6).toString("hex");

/** @param {Session} session @param {string} last the id of the last event that the reader has */
function eventsAfter(session, last) {
  const [of, seq] = last.split(".");
  try {
    return session.events({ after: of === life ? Number(seq) || 0 : 0 });
  } catch (error) {
    if (!(error instanceof EventsGone)) throw error;
    throw new Refusal(410, error.message, { after: `${life}.${error.first - 1}` });
  }
}

/** @param {AsyncIterable<AgentEvent>} events */
async function* asText(events) {
  for await (const event of events) yield `id: ${life}.${event.seq}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** An answer that does not hold, to another digest say, has decided nothing. @param {AnswerOutcome} outcome */
function checkHeld(outcome) {
  if (!outcome.ok) throw new Refusal(409, outcome.message);
}

/** The sessions that this process drives: each is opened once. @param {Agent} agent */
function drivenBy(agent) {
  /** @type {Map<string, Promise<Session>>} */
  const driven = new Map();

  /** @param {string} id @param {Promise<Session>} opening */
  function keep(id, opening) {
    driven.set(id, opening);
    opening.catch(() => driven.delete(id));
    return opening;
  }

  /** @param {string} text */
  async function begun(text) {
    const session = agent.start();
    const opening = session.submit(text).then(() => session);
    return keep(session.id, opening);
  }

  /** It goes on with what waited or was cut off. @param {string} id */
  async function resumed(id) {
    const session = await agent.resume(id);
    await session.proceed();
    return session;
  }

  /** @param {string} name */
  async function named(name) {
    const { id } = await agent.sessions.get(name);
    return driven.get(id) ?? keep(id, resumed(id));
  }

  return { begun, named };
}

/** What each gives back is sent as JSON. @typedef {(request: IncomingMessage, id: string, response: ServerResponse) => Promise<unknown>} Route */

/** @param {Agent} agent @returns {Record<string, Route>} */
export function routesOf(agent) {
  const { begun, named } = drivenBy(agent);
  return {
    "GET /sessions": () => agent.sessions.list(),
    "POST /sessions": async (request) => {
      const { text } = await bodyOf(request, message);
      return { id: (await begun(text)).id };
    },
    "POST /sessions/ID/messages": async (request, id) => {
      const { text } = await bodyOf(request, message);
      await (await named(id)).submit(text);
    },
    "POST /sessions/ID/answers": async (request, id) => {
      const { decision, ...to } = await bodyOf(request, answer);
      checkHeld(await (await named(id)).answer(to, decision));
    },
    "POST /sessions/ID/recoveries": async (request, id) => {
      const { choice, ...to } = await bodyOf(request, recovery);
      checkHeld(await (await named(id)).recover(to, choice));
    },
    "POST /sessions/ID/stop": async (request, id) => {
      await bodyOf(request, z.strictObject({}));
      await (await named(id)).stop();
    },
    "GET /sessions/ID/events": async (request, id, response) => {
      const events = eventsAfter(await named(id), `${request.headers["last-event-id"] ?? ""}`);
      response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
      await pipeline(Readable.from(asText(events)), response);
    },
  };
}
