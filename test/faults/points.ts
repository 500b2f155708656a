import { faultNames } from "../../src/core/fault-point.ts";

/** Instants outside of the program's own code, which the faulty agent adds. */
export const outerNames = [
  "temporary half written",
  "effect about to happen",
  "effect happened",
  "said user_message",
  "said text_delta",
  "said assistant_message",
  "said tool_call",
  "said decision",
  "said approval_requested",
  "said compaction_started",
  "said compaction_done",
  "said turn_ended",
  "command ended",
] as const;

export const pointNames: readonly string[] = [...faultNames, ...outerNames];

/** Points that only a session comes to whose calls drive others: children/play.ts. */
export const ofChildren: readonly string[] = ["before child begun", "after child begun"];

export type FaultKind = "kill" | "throw";
export const faultKinds: readonly FaultKind[] = ["kill", "throw"];

/** One fault: at the `nth` time that a process comes to the point. */
export interface Fault {
  name: string;
  nth: number;
  kind: FaultKind;
}

/** `name#nth=kind`, for the environment of a process. */
export const faultText = ({ name, nth, kind }: Fault): string => `${name}#${nth}=${kind}`;

export function parseFault(text: string): Fault {
  const match = /^(.+)#(\d+)=(kill|throw)$/.exec(text);
  if (match === null) throw new Error(`not a fault: ${text}`);
  const [, name = "", nth = "", kind] = match;
  if (!pointNames.includes(name)) throw new Error(`there is no point ${name}`);
  return { name, nth: Number(nth), kind: kind as FaultKind };
}

const killed = (name: string, nth = 1): Fault => ({ name, nth, kind: "kill" });

/** Points that only a session that was cut off comes to: the fault that the process before has to die of. */
export const lateral: Readonly<Record<string, Fault>> = {
  "before executing to interrupted": killed("effect happened"),
  "after executing to interrupted": killed("effect happened"),
  "before interrupted to pending": killed("temporary synced"),
  "after interrupted to pending": killed("temporary synced"),
  "before interrupted to success": killed("file renamed"),
  "after interrupted to success": killed("file renamed"),
  "before interrupted to cancelled": killed("effect happened"),
  "after interrupted to cancelled": killed("effect happened"),
};
