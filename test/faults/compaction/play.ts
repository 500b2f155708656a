import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { FaultyAgent } from "../bundle.ts";
import type { CaseResult } from "../cases.ts";
import { pictureOf } from "../picture.ts";
import { type Ended, openFaultPlace } from "../place.ts";
import { tellAll } from "../play-case.ts";
import { faultText } from "../points.ts";
import { asksForSummary } from "../session.ts";
import { endComplaints, standingComplaints } from "./oracle.ts";
import { committedFrom, type Instant, replyIn, type Scene } from "./scenes.ts";
import { type Standing, Talk } from "./talk.ts";

/** Plays a scene whose process is killed at this point of its compaction; undefined: at none. */
export async function playCompaction(
  agent: FaultyAgent,
  scene: Scene,
  point: Instant | undefined,
): Promise<CaseResult> {
  const place = await openFaultPlace(agent.program, async (request) => {
    const reply = replyIn(scene.says, request);
    // What it does is done before its agent is killed.
    if (scene.job !== undefined && reply === scene.says[scene.job])
      while ((await place.effects()).length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    return reply;
  });
  const talk = new Talk(place);
  try {
    // A sandbox lets a command write only where something is.
    await writeFile(join(place.root, "effects.log"), "");
    if (scene.window !== undefined)
      await writeFile(
        join(place.home, "config.json"),
        JSON.stringify({ models: { "openai:*": { contextWindow: scene.window } } }),
      );
    await scene.before(talk);
    const complaints = await killAndGoOn(talk, scene, point);
    const struck = point === undefined ? 0 : talk.processes.filter((one) => one.struck).length;
    const picture = await pictureOf(place, talk.session);
    return { struck, complaints, told: complaints.length === 0 ? "" : tellAll(talk.processes), picture };
  } catch (error) {
    return { struck: 0, complaints: [String((error as Error).message)], told: tellAll(talk.processes) };
  } finally {
    await place.remove();
  }
}

async function killAndGoOn(talk: Talk, scene: Scene, point: Instant | undefined): Promise<string[]> {
  const fault =
    point === undefined
      ? {}
      : {
          HOLDFAST_FAULT: faultText({ name: point, nth: 1, kind: "kill" }),
          HOLDFAST_FAULT_FROM: "said compaction_started",
        };
  const before = await talk.standing();
  const flags = scene.decides(talk);
  const person = scene.window === undefined ? { HOLDFAST_COMPACT: "1" } : {};
  const dead = await talk.resume(flags, { ...fault, ...person });
  const after = await talk.standing();
  const complaints: string[] = [];
  if (point !== undefined) {
    if (!dead.struck || dead.signal !== "SIGKILL") return [`the process was not killed at ${point}`];
    complaints.push(...standingComplaints(scene, before, after, committedFrom(point)));
    const on = await talk.resume();
    if (scene.window === undefined) {
      complaints.push(...askedComplaints(before, on));
      await talk.resume(scene.decides(talk));
    }
  }
  const now = await pictureOf(talk.place, talk.session);
  const requests = talk.place.server.requests;
  const told = requests.filter((request) => !asksForSummary(request)).map(({ body }) => body.messages);
  const summaries = requests.length - told.length;
  const ended = { talk, now, told, summaries, at: await talk.standing() };
  return [...complaints, ...endComplaints(scene, ended, point)];
}

/** Each call that was open is asked about again, as it was. */
function askedComplaints({ open }: Standing, { code, events }: Ended): string[] {
  const due = open.filter(({ status }) => status === "awaiting_approval" || status === "interrupted");
  const asked = events.flatMap((event) => {
    if (event.type === "approval_requested")
      return event.calls.map(
        ({ callId, digest, changed }) => `${callId} ${changed === undefined ? digest : "changed"}`,
      );
    return event.type === "recovery_requested" ? event.calls.map(({ callId }) => callId) : [];
  });
  const wanted = due.map(({ callId, digest, status }) =>
    status === "interrupted" ? callId : `${callId} ${digest ?? ""}`,
  );
  return code === 11 && String(asked) === String(wanted)
    ? []
    : [`after the death ${asked.join(", ") || "nothing"} is asked about (${code}), not ${wanted.join(", ")}`];
}
