import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { ClientRequest } from "node:http";
import type { Pictures } from "../../session/sent-message.ts";
import type { Session } from "../../session/session.ts";
import type { BegunMessage } from "../ui/chat/chat-options.ts";

/** The screen does not wait longer for a request to be made. */
const unmadeMs = 500;
/** Nor, once it is made, for a connection: that takes its time elsewhere. */
const unsentMs = 50;

/**
 * Sends the message that was typed at the painted prompt, before the screen is loaded: the model works while that happens.
 * Resolves when the request is on its way, or when waiting for it would keep the person from the screen.
 */
export async function sendEarly(session: Session, text: string, pictures?: Pictures): Promise<BegunMessage> {
  const sent = firstRequest();
  const submitted = session.submit(text, pictures);
  submitted.catch(sent.giveUp); // told on the screen
  await sent.done;
  return { text, submitted };
}

/** Listens for the process's next request over http. */
function firstRequest(): { done: Promise<void>; giveUp(): void } {
  const channel = "http.client.request.start";
  let giveUp = (): void => undefined;
  const done = new Promise<void>((resolve) => {
    let timer = setTimeout(() => end(), unmadeMs);
    const end = (): void => {
      clearTimeout(timer);
      unsubscribe(channel, made);
      resolve();
    };
    const made = (message: unknown): void => {
      const { request } = message as { request: ClientRequest };
      clearTimeout(timer);
      timer = setTimeout(end, unsentMs);
      request.once("finish", end).once("close", end);
    };
    subscribe(channel, made);
    giveUp = end;
  });
  return { done, giveUp };
}
