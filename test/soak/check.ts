import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { RawStore } from "../support/raw-store.ts";
import type { ShortRun, SoakPlace } from "./place.ts";

/** What of a short run was not as it told. */
export function complaintsOfRun(place: SoakPlace, run: ShortRun): string[] {
  const of = (what: string): string => `${run.word}: ${what}`;
  const wrong = [...endOf(run), ...effectsOf(place, run)].map(of);
  return wrong.length === 0 ? [] : [...wrong, of(`it ended with ${run.ended.code}, ${run.ended.stderr.trim()}`)];
}

function endOf({ word, killed, ended, events }: ShortRun): string[] {
  if (killed) return [];
  const last = events.at(-1);
  if (last?.type !== "turn_ended") return ["its last line is no turn_ended"];
  if (last.reason !== "done" || ended.code !== 0) return [`it ended as ${last.reason}`];
  return last.text === `said ${word}` ? [] : [`it said ${last.text}`];
}

function effectsOf(place: SoakPlace, { word, runs, events }: ShortRun): string[] {
  const file = join(place.workspace, "out", `${word}.txt`);
  const [wrote, noted] = [told(events, "write_file"), told(events, "shell")];
  const log = readOr(join(place.workspace, "log.txt"));
  const notes = log.split("\n").filter((line) => line === word).length;
  return [
    ...(wrote && readOr(file) !== `${word}\n` ? ["its file is not there"] : []),
    ...(runs && notes > 1 ? [`its command ran ${notes} times`] : []),
    ...(noted && notes !== 1 ? ["its command did not run"] : []),
  ];
}

/** Whether the run said that its call of this tool succeeded. */
const told = (events: ShortRun["events"], tool: string): boolean => {
  const calls = events.filter((event) => event.type === "tool_call").map(({ call }) => call);
  const ids = new Set(calls.filter((call) => "toolName" in call && call.toolName === tool).map(({ callId }) => callId));
  return calls.some((call) => ids.has(call.callId) && call.status === "success");
};

const readOr = (file: string): string => (existsSync(file) ? readFileSync(file, "utf8") : "");

/** What of the store is not as the runs told, when no process has it open any more. */
export async function complaintsOfStore(place: SoakPlace, runs: readonly ShortRun[]): Promise<string[]> {
  const wrong = integrity(join(place.home, "agent.db"));
  if (wrong.length > 0) return wrong;
  const verified = await place.start(["sessions", "verify"]).done;
  if (verified.code !== 0) return [`sessions verify: ${verified.stdout}${verified.stderr}`];
  const listed = await place.start(["sessions", "list", "--all", "--json"]).done;
  if (listed.code !== 0) return [`sessions list: ${listed.stderr}`];
  const ids = listed.stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { id: string }).id);
  const exactlyOnce = runs.flatMap(({ word, events }) => {
    const [first] = events;
    if (first === undefined) return [];
    const times = ids.filter((id) => id === first.session).length;
    return times === 1 ? [] : [`${word}: its session ${first.session} is listed ${times} times`];
  });
  return [...exactlyOnce, ...(await answers(place, runs)), ...memories(place, runs)];
}

/** Asked of SQLite itself. */
function integrity(file: string): string[] {
  const sqlite = new RawStore(file);
  try {
    const answer = sqlite.one("PRAGMA integrity_check");
    return answer === "ok" ? [] : [`integrity_check: ${String(answer)}`];
  } catch (error) {
    return [`integrity_check: ${String(error)}`];
  } finally {
    sqlite.close();
  }
}

/** Each answer that was told stands in its session; of many runs those that were killed, and every tenth. */
async function answers(place: SoakPlace, runs: readonly ShortRun[]): Promise<string[]> {
  const looked = runs.filter((run, at) => run.events.length > 0 && (run.killed || at % 10 === 0)).slice(-12);
  const found = looked.map(async ({ word, events }) => {
    const said = events.flatMap((event) => (event.type === "assistant_message" ? [event.text] : []));
    const { code, stdout, stderr } = await place.start(["sessions", "show", events[0]?.session ?? ""]).done;
    if (code !== 0) return [`${word}: sessions show: ${stderr}`];
    return said.filter((text) => !stdout.includes(text)).map((text) => `${word}: its answer is gone: ${text}`);
  });
  return (await Promise.all(found)).flat();
}

function memories(place: SoakPlace, runs: readonly ShortRun[]): string[] {
  const lines = readOr(join(place.home, "CONTEXT.md")).split("\n");
  return runs
    .filter(({ remembers, events }) => remembers && told(events, "save_memory"))
    .flatMap(({ word }) => {
      const times = lines.filter((line) => new RegExp(`the word is ${word}\\b`, "u").test(line)).length;
      return times === 1 ? [] : [`${word}: its fact is remembered ${times} times`];
    });
}
