import { createHash } from "node:crypto";
import type { AgentEvent } from "../../../src/graph/events.ts";
import type { Picture } from "../picture.ts";
import { Disk, type DiskState, type Survival } from "./disk.ts";
import type { Operation } from "./operations.ts";
import type { Recording } from "./record.ts";

/** What becomes of changes that were not synced, by name. `seed`: for those that are left to chance. */
export const survivals = {
  "all lost": () => ({ names: () => 0, pages: () => 0 }),
  "all kept": () => ({ names: (count) => count, pages: (count) => count }),
  "names kept": () => ({ names: (count) => count, pages: () => 0 }),
  "bytes kept": () => ({ names: () => 0, pages: (count) => count }),
  torn: (seed) => ({ names: dice(seed), pages: dice(seed + 1) }),
} as const satisfies Readonly<Record<string, (seed: number) => Survival>>;
export type SurvivalName = keyof typeof survivals;

/** One of 0 to `count`, the same again for the same seed. */
function dice(seed: number): (count: number) => number {
  let throws = 0;
  return (count) => {
    throws += 1;
    return createHash("sha256").update(`${seed} ${throws}`).digest().readUInt32LE() % (count + 1);
  };
}

/** A power cut after so many operations of a recording. */
export interface Cut {
  after: number;
  survival: SurvivalName;
  seed: number;
}

const isWrite = (operation: Operation | undefined): boolean => operation?.kind === "write";

/** After each operation, where a row of writes counts as one: the chance of `torn` takes parts of it. @param seeds how many chances each */
export function cutsOf({ operations }: Recording, seeds: number): Cut[] {
  const ends = operations.flatMap((operation, index) =>
    isWrite(operation) && isWrite(operations[index + 1]) ? [] : [index + 1],
  );
  const names = Object.keys(survivals) as SurvivalName[];
  return ends.flatMap((after) =>
    names.flatMap((survival) => {
      const chances = survival === "torn" ? seeds : 1;
      return Array.from({ length: chances }, (_, chance) => ({ after, survival, seed: after * 1000 + chance * 2 }));
    }),
  );
}

/** The name that a file gets for good: neither a temporary one nor a lock. */
export function nameGiven(operation: Operation | undefined): string | undefined {
  const gives = operation?.kind === "link" || operation?.kind === "rename";
  return gives && isLasting(operation.to) ? operation.to : undefined;
}

const isLasting = (path: string): boolean => !/(?:^|\/)\.holdfast-[^/]*$|\.lock$/.test(path);

/** What a call did to the workspace, to the memory or outside: what it did it to, and the call where the log of effects names it. */
export function effectAt(operation: Operation | undefined): { what: string; callId?: string } | undefined {
  if (operation?.kind === "happened") {
    const { callId } = JSON.parse(operation.bytes.toString()) as { callId: string };
    return { what: `the effect of ${callId}`, callId };
  }
  const path = changedBy(operation);
  return path !== undefined && /^(?:work\/|home\/CONTEXT\.md$)/.test(path) ? { what: path } : undefined;
}

/** The name that is another file's from now on, or nobody's. */
function changedBy(operation: Operation | undefined): string | undefined {
  const isTaken = operation?.kind === "rename" || operation?.kind === "remove";
  return nameGiven(operation) ?? (isTaken && isLasting(operation.path) ? operation.path : undefined);
}

/**
 * Where it shows what was forgotten to be synced: all is lost right after a call was told to be done or something happened outside, or a
 * new name came through and its file's bytes did not.
 */
export function isTelling({ operations }: Recording, { after, survival }: Cut): boolean {
  const last = operations[after - 1];
  if (survival === "names kept") return nameGiven(last) !== undefined;
  if (survival !== "all lost") return false;
  return last?.kind === "happened" || (last?.kind === "said" && last.bytes.includes('"status":"success"'));
}

/** The world as it is when the power comes back. */
export interface Aftermath {
  state: DiskState;
  /** What was heard and has to hold. */
  events: AgentEvent[];
  /** How many requests were made, and how many of them before the last thing heard that has to hold. */
  asked: number;
  settled: number;
  /** The log of effects. */
  effects: string;
  /** The same for cuts that leave the same. */
  id: string;
}

/** @throws Error where the recording is not whole */
export function aftermathOf({ before, operations, whole }: Recording, { after, survival, seed }: Cut): Aftermath {
  const disk = new Disk(before);
  const heard: AgentEvent[] = [];
  let [bound, asked, settled, said, effects] = [0, 0, 0, "", ""];
  for (const operation of operations.slice(0, after)) {
    disk.apply(operation);
    if (operation.kind === "asked") asked += 1;
    if (operation.kind === "happened") effects += operation.bytes.toString();
    if (operation.kind !== "said") continue;
    const lines = (said + operation.bytes.toString()).split("\n");
    said = lines.pop() ?? "";
    for (const line of lines) {
      const event = JSON.parse(line) as AgentEvent;
      heard.push(event);
      if (mustHold(event, whole)) [bound, settled] = [heard.length, asked];
    }
  }
  const state = disk.after(survivals[survival](seed));
  const id = idOf(state, [bound, asked, settled, effects]);
  return { state, events: heard.slice(0, bound), asked, settled, effects, id };
}

/** A reply with nothing but reads in it, and what became of these, may be taken back by a power cut: they are done again. */
export function mustHold(event: AgentEvent, whole: Picture): boolean {
  const isRead = (callId: string): boolean =>
    whole.calls.some((call) => call.callId === callId && call.effect === "none");
  switch (event.type) {
    case "session_started":
    case "user_message":
    case "approval_requested":
    case "turn_ended":
      return true;
    case "assistant_message":
      return event.calls.length === 0 || !event.calls.every(isRead);
    case "tool_call":
      return !isRead(event.call.callId);
    case "decision":
      return !isRead(event.callId);
    default:
      return false;
  }
}

function idOf(state: DiskState, more: readonly unknown[]): string {
  const hash = createHash("sha256").update(JSON.stringify(more));
  for (const [path, is] of state) {
    hash.update(`\0${path} ${is.mode} `);
    if ("bytes" in is) hash.update(`${is.inode} `).update(is.bytes);
  }
  return hash.digest("hex");
}

/** What was done last before it, for people: temporary names differ from run to run. */
export function placeOf({ operations }: Recording, { after }: Cut): string {
  const last = operations[after - 1];
  if (last === undefined) return "the start";
  const path =
    "path" in last ? ` ${last.path.replace(/\.holdfast-\d+-[0-9a-f]+(?:\.[0-9a-f]{64})?/, ".holdfast-*")}` : "";
  return `${last.kind}${path}`;
}
