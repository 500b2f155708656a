import { copyFileSync } from "node:fs";
import { expect } from "vitest";
import { diffText } from "../../src/files/diff/diff-text.ts";
import { sessionDiff } from "../../src/records/session-diff.ts";
import { type Fate, fateOf } from "./mortal.ts";
import { calls, type Life, type Line, openStage, type Stage, says } from "./play.ts";

export const edit = (from: string, to: string, file = "a.txt") =>
  ["edit_file", { file_path: file, old_string: from, new_string: to }] as [string, Record<string, string>];
export const write = (file: string, content: string) =>
  ["write_file", { file_path: file, content }] as [string, Record<string, string>];

/** Answers all that waits with yes, until nothing waits. */
export async function approveAll(life: Life): Promise<void> {
  for (const call of life.last("approval_requested").calls) {
    expect(
      await life.session.answer(
        { session: life.session.id, call: call.callId },
        { decision: "approve", digest: call.digest },
      ),
    ).toEqual({ ok: true });
  }
  await life.session.settled();
}

/** A session in which one message of the model has been approved and applied. */
export async function changed(stage: Stage): Promise<Life> {
  const life = await stage.begin("change it");
  await approveAll(life);
  expect(life.last("turn_ended").reason).toBe("done");
  return life;
}

export async function undo(
  life: Life,
  target: Parameters<Life["session"]["undo"]>[0] = { turn: "last" },
): Promise<void> {
  expect(await life.session.undo(target)).toMatchObject({ ok: true });
  await life.session.settled();
}

export const diffOf = (stage: Stage, life: Life): string =>
  sessionDiff({ store: life.store, journal: life.journal() }, stage.workspace)
    .map(({ changes }) => diffText(changes))
    .join("");

/** A session that has changed two files in one turn, to be gone on with from there as often as wanted. */
export interface Repeatable {
  stage: Stage;
  id: string;
  /** Puts the files where they were. @returns a store as it was, of its own: no connection to another one can reach it. */
  again(): Promise<string>;
}

/** Edits a.txt, and makes b.txt. @param more what the model says later */
export async function openRepeatable(more: Line[] = []): Promise<Repeatable> {
  const lines = [calls(edit("1", "2"), write("b.txt", "new\n")), says("Done."), ...more];
  const stage = await openStage({ files: { "a.txt": "1\n" }, lines });
  const life = await changed(stage);
  await life.close();
  let copies = 0;
  const again = async (): Promise<string> => {
    await stage.put("a.txt", "2\n");
    await stage.put("b.txt", "new\n");
    copies += 1;
    const copy = `${stage.database}.${copies}`;
    copyFileSync(stage.database, copy);
    return copy;
  };
  return { stage, id: life.session.id, again };
}

/** An undo of the turn, in a life that dies at a write of the store. */
export async function undoUntil(
  { stage, id }: Repeatable,
  database: string,
  write: NonNullable<Parameters<typeof fateOf>[0]>["write"],
  when: "before" | "after" = "after",
): Promise<{ fate: Fate; life: Life }> {
  const fate = fateOf({ write, when });
  const life = await stage.resume(id, { still: true, wrap: fate.wrap, database });
  try {
    await life.session.undo({ turn: "last" });
    await life.session.settled();
    if (life.of("approval_requested").length > 0) await approveAll(life);
  } catch (error) {
    if (!fate.dead) throw error;
  }
  return { fate, life };
}
