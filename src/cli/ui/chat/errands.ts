import { type CallRef, sameCall } from "../../../core/call-ref.ts";
import { withoutEnd } from "../../../core/linear-text.ts";
import type { Session } from "../../../session/session.ts";
import { withDraft, withFiles, withMessages, withTakenBack } from "../composer/composer-state.ts";
import { requestOf, withHistory } from "../dialog/dialog-state.ts";
import { type ShelfWork, served } from "../picker/session-shelf.ts";
import { cleanLine } from "../safe-text.ts";
import type { Item, SavedMemory } from "../view/view.ts";
import { answer, changeMode, recover } from "./answering.ts";
import type { Chat, Effect } from "./chat-state.ts";
import type { ControllerPorts } from "./controller-ports.ts";
import { listMessages, lookAtFiles } from "./rewinding.ts";
import { withUnsent } from "./sending.ts";

/** The chat in the hands of whoever does something for it. */
export interface Held {
  chat(): Chat;
  set(chat: Chat): void;
  session(): Session;
  say(item: Item): void;
  /** Runs a command of the input, such as `sessions`. */
  command(name: string, argument: string): Promise<void>;
  readonly ports: Pick<ControllerPorts, "options" | "edit">;
}

/** What a key asks for beside what is said: to decide, to look something up, to write elsewhere, to take back. @returns undefined where it is none of these. */
export function errand(effect: Effect, held: Held): Promise<void> | undefined {
  switch (effect.do) {
    case "answer":
      return answer(effect, held);
    case "recover":
      return recover(effect, held);
    case "mode":
      return changeMode(effect, held);
    case "recall":
      return recall(held);
    case "compose":
      return compose(effect.text, held);
    case "complete":
      return complete(effect.prefix, held);
    case "forget":
      return forget(effect.saved, held);
    case "take_back":
      return takeBack(held);
    case "history":
      return history(effect.ref, effect.scope, held);
    case "messages":
      return listMessages(held);
    case "rewind_look":
      return lookAtFiles(effect, held);
    case "retitle":
    case "remove":
    case "list":
      return serve(effect, held);
    default:
      return undefined;
  }
}

async function recall(held: Held): Promise<void> {
  const { history } = held.chat().composer.buffer;
  const said = (await held.ports.options.earlierMessages?.()) ?? [];
  const messages = [...new Set([...history.toReversed(), ...said])];
  held.set({ ...held.chat(), composer: withMessages(held.chat().composer, messages) });
}

async function compose(draft: string, held: Held): Promise<void> {
  const text = await held.ports.edit(draft, "message.md");
  if (text === undefined) return held.set({ ...held.chat(), flash: "the editor failed: the message is as it was" });
  held.set({ ...held.chat(), composer: withDraft(held.chat().composer, withoutEnd(text, "\n")) });
}

async function complete(prefix: string, held: Held): Promise<void> {
  const files = (await held.ports.options.listFiles?.(prefix)) ?? [];
  held.set({ ...held.chat(), composer: withFiles(held.chat().composer, prefix, files) });
}

async function forget({ line, title }: SavedMemory, held: Held): Promise<void> {
  const isGone = (await held.ports.options.forgetMemory?.(line)) === true;
  const text = isGone ? `taken back · ${title}` : `it is not among the memories any more · ${title}`;
  held.say({ kind: "notice", level: isGone ? "info" : "warn", text });
}

async function history(ref: CallRef, scope: string, held: Held): Promise<void> {
  const request = requestOf(held.chat().view.ask, held.chat().dialog);
  const offer = request?.call.grants?.find((one) => one.scope === scope);
  const text = offer && (await held.ports.options.grantHistory?.(held.session().workspace, offer));
  const chat = held.chat();
  if (text === undefined || chat.dialog === undefined || !sameCall(chat.dialog.ref, ref)) return;
  held.set({ ...chat, dialog: withHistory(chat.dialog, scope, cleanLine(text)) });
}

async function takeBack(held: Held): Promise<void> {
  // What no session has yet is not to go to one meanwhile.
  held.set(withUnsent(held.chat()));
  const texts = await held.session().takeBack();
  const chat = held.chat();
  if (texts.length > 0) held.set({ ...chat, composer: withTakenBack(chat.composer, texts) });
}

async function serve(work: ShelfWork, held: Held): Promise<void> {
  const shelf = await held.ports.options.sessions?.(held.session().workspace);
  if (shelf === undefined) return;
  const change = await served(shelf, work, held.chat().picker?.all === true);
  const chat = held.chat();
  if (chat.picker !== undefined) held.set({ ...chat, picker: change(chat.picker) });
}
