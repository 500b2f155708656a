import type { SessionRuntime } from "../graph/runtime.ts";
import { typedOf } from "../graph/talk/typed-text.ts";

/** Withdraws messages that wait, before anyone was told. @returns the texts as they were typed */
export async function takeBack({ journal, emit }: Pick<SessionRuntime, "journal" | "emit">): Promise<string[]> {
  const turns = journal.turns().filter(({ state }) => state === "queued");
  const steers = journal.steers().filter(({ step }) => step === undefined);
  if (turns.length + steers.length === 0) return [];
  const typed = new Map([
    ...turns.map(({ turn, messageId, text }) => [messageId, typedOf(journal.turnMessage(turn), text)] as const),
    ...steers.map(({ message, messageId, text }) => [messageId, typedOf(message, text)] as const),
  ]);
  const withdrawn = await journal.withdrawWaiting();
  for (const { messageId: id } of withdrawn) emit({ type: "message_withdrawn", id });
  return withdrawn.map(({ messageId, text }) => typed.get(messageId) ?? text);
}

/**
 * Gives back in any case the messages that no operation had yet, behind those that were stored.
 * @param takeBack of that; where it fails it stays as it was
 */
export async function withTaken(unsaid: readonly string[], takeBack: () => Promise<string[]>): Promise<string[]> {
  try {
    return [...(await takeBack()), ...unsaid];
  } catch (error) {
    if (unsaid.length === 0) throw error;
    return [...unsaid];
  }
}
