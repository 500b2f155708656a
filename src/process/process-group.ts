import { readdirSync, readFileSync } from "node:fs";
import { kill, pid as ownPid } from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import type { ChildNote } from "../core/child.ts";
import { errnoOf } from "../core/errno.ts";
import { groupOf, runningAs, startOf, thisMachine } from "./process-identity.ts";

/** The variable that a child and all it starts have in their environment. */
export const markName = "HOLDFAST_CHILD";

/** The time that a process has between TERM and KILL, in milliseconds. */
export const termMs = 2_000;
/** The time to wait for processes to be gone after KILL, which they cannot refuse. */
const killMs = 2_000;
const lookMs = 40;

/** Tells whether a process of the group still runs. Zombies, which nobody reaps where there is no init, do not. */
export function groupRuns(group: number): boolean {
  try {
    kill(-group, 0);
  } catch (error) {
    if (errnoOf(error) !== "EPERM") return false;
  }
  const all = processes();
  return all === undefined || all.some((pid) => groupOf(pid) === group);
}

/**
 * TERM, then KILL for what is still there after `graceMs`; resolves when nothing of the group runs.
 * @returns false where something could not be ended.
 */
export async function endGroup(group: number, graceMs = termMs): Promise<boolean> {
  return endAll(() => (groupRuns(group) ? [-group] : []), graceMs);
}

export type ChildFate =
  /** It had ended before. */
  | { kind: "gone" }
  /** It still ran, and does no more. */
  | { kind: "ended" }
  /** Nobody here can know, or it could not be ended; `why` in words. */
  | { kind: "unsure"; why: string };

/**
 * Makes sure that nothing runs any more of a child that another process started: its group, and what left the group but still
 * has the child's mark. A process whose number was given anew is left alone.
 */
export async function endLeftChild(note: ChildNote, graceMs = termMs): Promise<ChildFate> {
  const here = thisMachine();
  if (note.host !== here.host) return { kind: "unsure", why: `process ${note.pid} was started on ${note.host}` };
  if (note.boot !== here.boot) return { kind: "gone" };
  const found = remains(note);
  if (found === undefined) {
    if (!groupRuns(note.pid)) return { kind: "gone" };
    return { kind: "unsure", why: `a process group ${note.pid} runs, which may be another by now` };
  }
  if (found.length === 0) return { kind: "gone" };
  const over = await endAll(() => remains(note) ?? [], graceMs);
  return over ? { kind: "ended" } : { kind: "unsure", why: `process ${note.pid} could not be ended` };
}

/** A process by its number and its beginning: a number may be given anew. */
export interface Started {
  readonly pid: number;
  readonly started: string;
}

/**
 * Lists the processes that a child has started and that still run, also where they left the child's group and session: its descendants,
 * its group, and all that have its mark. Not the child itself. None where the system does not show processes.
 */
export function startedBy(note: Pick<ChildNote, "pid" | "mark" | "started">): Started[] {
  // Each is read once, and what began before the child is none of its: this is looked for after each command.
  const running = (processes() ?? [])
    .flatMap((pid) => runningAs(pid) ?? [])
    .filter(({ started }) => Number(started) >= Number(note.started));
  const below = new Set([note.pid]);
  for (let before = 0; before < below.size; ) {
    before = below.size;
    for (const { pid, parent } of running) if (below.has(parent)) below.add(pid);
  }
  return running
    .filter(({ pid, group }) => below.has(pid) || group === note.pid || isMarked(pid, note.mark))
    .filter(({ pid, started }) => pid !== note.pid && started !== "");
}

/** Ends these, as far as they still run. @returns false where something could not be ended. */
export async function endStarted(all: readonly Started[], graceMs = termMs): Promise<boolean> {
  const left = () => all.filter(({ pid, started }) => startOf(pid) === started).map(({ pid }) => pid);
  return endAll(left, graceMs);
}

async function endAll(left: () => number[], graceMs: number): Promise<boolean> {
  return (await signalUntilGone(left, "SIGTERM", graceMs)) || (await signalUntilGone(left, "SIGKILL", killMs));
}

/** KILL goes again to what was started meanwhile; TERM once. */
async function signalUntilGone(left: () => number[], signal: NodeJS.Signals, ms: number): Promise<boolean> {
  let known: number[] = [];
  let pause = 1;
  // By the clock: where many processes run, to look at them takes as long as the pauses.
  for (const begun = performance.now(); ; ) {
    const now = left();
    if (now.length === 0) return true;
    for (const target of now) if (signal === "SIGKILL" || !known.includes(target)) signalOne(target, signal);
    known = [...new Set([...known, ...now])];
    if (performance.now() - begun >= ms) return false;
    // Most are gone at once.
    pause = Math.min(lookMs, pause * 2);
    await wait(pause);
  }
}

function signalOne(target: number, signal: NodeJS.Signals): void {
  try {
    kill(target, signal);
  } catch {
    // It ended meanwhile, or is another user's; the next look tells.
  }
}

/**
 * The processes that are left of a child: those with its mark, and its whole group where the leader or a marked process is in
 * it. Undefined where the system does not show processes.
 */
function remains(note: ChildNote): number[] | undefined {
  const all = processes();
  if (all === undefined || note.started === "") return undefined;
  const running = all.flatMap((pid) => {
    const group = groupOf(pid);
    return group === undefined ? [] : [{ pid, group, marked: isMarked(pid, note.mark) }];
  });
  const leads = startOf(note.pid) === note.started;
  const ours = leads || running.some(({ group, marked }) => marked && group === note.pid);
  return running.filter(({ group, marked }) => marked || (ours && group === note.pid)).map(({ pid }) => pid);
}

function isMarked(pid: number, mark: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1").split("\0").includes(`${markName}=${mark}`);
  } catch {
    return false; // gone, or another user's
  }
}

function processes(): number[] | undefined {
  try {
    return readdirSync("/proc")
      .map(Number)
      .filter((pid) => Number.isSafeInteger(pid) && pid !== ownPid);
  } catch {
    return undefined;
  }
}
