import { spawnSync } from "node:child_process";
import type { Place } from "./cli.ts";
import { type Answer, asks } from "./model-server.ts";
import { freely } from "./needs.ts";
import { isMarked } from "./under-way.ts";

/** A sleep that nothing else on this machine is in. */
export const sleep = (name: number): string => `sleep ${name}.${process.pid}`;

/** Ends what still has this mark in its command line, as a test that failed leaves it. */
export function endMarked(mark: string): void {
  const { stdout } = spawnSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" });
  for (const line of stdout.split("\n").filter((one) => isMarked(one, mark))) {
    try {
      process.kill(Number.parseInt(line, 10), "SIGKILL");
    } catch {
      // it has ended meanwhile
    }
  }
}

export const job = (command: string): Answer => asks("shell", { command, background: true });

/** Flags of a run that starts its jobs unasked. */
export const freeRun: readonly string[] = ["--mode", "full-auto", ...freely];

export const timesIn = (text: string, wanted: RegExp): number => [...text.matchAll(wanted)].length;

/** What the person is told of one that is ended with its process. */
export const ended = (call: string, command: string): RegExp =>
  new RegExp(`the background job ${call} \\(${command}.*\\) was ended with its session(?:, \\d of \\d)?; `, "gu");

const toModel = (call: string): RegExp =>
  new RegExp(`The background job ${call} \\(.*\\) is gone: it ended with the process`, "gu");

/** How often the model is told of it in the newest request. */
export const toldIn = ({ server }: Pick<Place, "server">, call = "c1"): number =>
  timesIn(
    (server.requests.at(-1)?.body.messages ?? []).map(({ content }) => String(content)).join("\n"),
    toModel(call),
  );

/** The one session of the place. */
export const sessionOf = async (place: Place): Promise<string> =>
  (await place.run(["sessions", "--json"])).stdout.match(/"id":"([^"]+)"/u)?.[1] ?? "";
