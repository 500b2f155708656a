import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isFinal } from "../../../src/core/call.ts";
import { goalsOf } from "../../../src/core/goals.ts";
import type { AgentEvent } from "../../../src/graph/events.ts";
import { openStore } from "../../../src/store/open-store.ts";
import type { FaultyAgent } from "../bundle.ts";
import type { CaseResult } from "../cases.ts";
import { type Ended, type FaultPlace, openFaultPlace } from "../place.ts";
import { tellAll } from "../play-case.ts";
import { type Fault, faultText } from "../points.ts";
import { type ChildrenScene, replyIn, sideBySide, wordsOf } from "./scenes.ts";

/** More processes than any fault here needs. */
const maxProcesses = 8;

const command = (words: readonly string[]) => ({ HOLDFAST_COMMAND: JSON.stringify(words) });

/**
 * Plays a scene with this fault, in its first process or, with `later`, in the one that decides; undefined: without.
 * @param reached a folder that gets the points to which each process comes, in files by its number from 0
 */
export async function playChildren(
  agent: FaultyAgent,
  fault: Fault | undefined,
  { scene = sideBySide, later = false, reached }: { scene?: ChildrenScene; later?: boolean; reached?: string } = {},
): Promise<CaseResult> {
  const place = await openFaultPlace(agent.program, async (request) => replyIn(scene, request));
  const processes: Ended[] = [];
  try {
    await writeFile(join(place.root, "effects.log"), "");
    const faulty = fault === undefined ? {} : { HOLDFAST_FAULT: faultText(fault) };
    let words = ["run", "go"];
    let session: string | undefined;
    while (processes.length < maxProcesses) {
      const struck = processes.some((one) => one.struck);
      const isFaulty = later ? words.includes("--approve") && !struck : processes.length === 0;
      const watched = reached === undefined ? {} : { HOLDFAST_REACHED: join(reached, String(processes.length)) };
      const ended = await place.start([], { ...command(words), ...watched, ...(isFaulty ? faulty : {}) }).done;
      processes.push(ended);
      if (ended.code === 0) break;
      session =
        ended.code === 2 && ended.stderr.includes("no session") ? undefined : (session ?? ended.events[0]?.session);
      words = session === undefined ? ["run", "go"] : ["resume", session, ...(await flagsFor(place, ended))];
    }
    const complaints = await complaintsOf(place, scene, processes);
    const struck = processes.filter((one) => one.struck).length;
    return { struck, complaints, told: complaints.length === 0 ? "" : tellAll(processes) };
  } catch (error) {
    return { struck: 0, complaints: [String((error as Error).message)], told: tellAll(processes) };
  } finally {
    await place.remove();
  }
}

/** What the person says to what waits: yes to what was shown; of an end that was not seen they have looked what it came to. */
async function flagsFor(place: FaultPlace, { code, events }: Ended): Promise<string[]> {
  if (code !== 11) return [];
  const of = <T extends AgentEvent["type"]>(type: T) =>
    events.findLast((event): event is Extract<AgentEvent, { type: T }> => event.type === type);
  const done = (await place.effects()).map(({ note }) => note);
  const recovery = of("recovery_requested")?.calls ?? [];
  if (of("turn_ended")?.reason === "awaiting_recovery")
    return recovery.flatMap((call) => {
      const isDone = call.effect === "once" && done.includes(String(call.arguments["note"]));
      return [isDone ? "--done" : "--retry", `${call.session}:${call.callId}`];
    });
  const waiting = of("approval_requested")?.calls ?? [];
  return waiting.flatMap((call) => ["--approve", `${call.session}:${call.callId}@${call.digest}`]);
}

async function complaintsOf(place: FaultPlace, scene: ChildrenScene, processes: readonly Ended[]): Promise<string[]> {
  const last = processes.at(-1);
  const root = last?.events[0]?.parent ?? last?.events[0]?.session ?? "";
  const end = last?.events.findLast((event) => event.type === "turn_ended" && event.parent === undefined);
  const notes = (await place.effects()).map(({ note }) => note).sort();
  const files = await Promise.all(
    scene.doing.map((task) => readFile(join(place.workspace, `${task}.txt`), "utf8").catch(() => undefined)),
  );
  return [
    ...(last?.code === 0 ? [] : [`it was never done: ${last?.code}`]),
    ...(end?.type === "turn_ended" && end.text === "All done." ? [] : [`its last word is ${JSON.stringify(end)}`]),
    ...processes.flatMap(({ code, signal, hung }) =>
      hung || (code === null ? signal !== "SIGKILL" : ![0, 1, 2, 11, 70, 74, 75].includes(code))
        ? [`a process ended by ${code ?? signal}`]
        : [],
    ),
    ...(String(notes) === String(scene.doing) ? [] : [`the effects are ${JSON.stringify(notes)}`]),
    ...(String(files) === String(scene.doing.map((task) => `${task}\n`))
      ? []
      : [`the files are ${JSON.stringify(files)}`]),
    ...place.server.violations,
    ...historyComplaints(place),
    ...(await storeComplaints(place, scene, root)),
  ];
}

/** Each session's talk goes on from where it was, whichever process asks, and no reply of it is had twice. */
function historyComplaints({ server }: FaultPlace): string[] {
  const last = new Map<string, string[]>();
  return server.requests.flatMap((request) => {
    const told = request.body.messages.slice(1).map((message) => JSON.stringify(message));
    const before = last.get(wordsOf(request)) ?? [];
    last.set(wordsOf(request), told);
    return before.every((message, at) => told[at] === message)
      ? []
      : [`“${wordsOf(request)}” was told another history`];
  });
}

/** The chain of each session's calls is whole, all of them have ended, each of its children is there once, and its plan is as it was made. */
async function storeComplaints({ database }: FaultPlace, scene: ChildrenScene, root: string): Promise<string[]> {
  const store = await openStore({ file: database });
  try {
    const children = store.sessions.children(root);
    const goals = goalsOf(store.readJournal(root).allCalls()).map(({ state }) => state);
    const ids = [root, ...children.map(({ id }) => id)];
    return [
      ...(String(children.map(({ spec }) => spec["task"])) === String(scene.children)
        ? []
        : [`its children are ${JSON.stringify(children)}`]),
      ...(String(goals) === String(scene.goals) ? [] : [`its goals are ${goals.join(", ")}`]),
      ...ids.flatMap((id) => store.verify(id).problem ?? []),
      ...ids.flatMap((id) =>
        store
          .readJournal(id)
          .allCalls()
          .flatMap((call) =>
            isFinal(call) && call.status === "success"
              ? []
              : [`${id}:${call.callId} ${call.toolName} is ${call.status}`],
          ),
      ),
      ...ids.flatMap((id) =>
        store
          .readJournal(id)
          .turns()
          .every(({ state }) => state === "done")
          ? []
          : [`a turn of ${id} is not done`],
      ),
    ];
  } finally {
    store.close();
  }
}
