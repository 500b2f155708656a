import { asks, says } from "../support/model-server.ts";
import type { FaultyAgent } from "./bundle.ts";
import { type Ended, openFaultPlace } from "./place.ts";

const note = "gamma";

/**
 * A session waits for the approval of one effect, and two processes are told in the same instant to approve it and go on. The
 * model keeps the one that drives busy until the other has ended. @returns what was not as promised, in words.
 */
export async function raceTwoDrivers(agent: FaultyAgent): Promise<string[]> {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let driving = 0;
  const place = await openFaultPlace(agent.program, async ({ body }) => {
    if (!body.messages.some((message) => message.role === "assistant")) return asks("append_log", { note });
    driving += 1;
    if (driving > 1) release();
    await released;
    return says("It is in the log.");
  });
  const command = (...words: string[]) => ({ HOLDFAST_COMMAND: JSON.stringify(words) });
  try {
    const paused = await place.start([], command("run", "Note it.")).done;
    const session = paused.events[0]?.session ?? "";
    if (paused.code !== 11) return [`the session did not wait: ${paused.code} ${paused.stderr}`];
    const env = { ...command("resume", session, "--approve", "all"), HOLDFAST_GATE: "1" };
    const drivers = [place.start([], env), place.start([], env)];
    await Promise.all(drivers.map((driver) => driver.ready));
    for (const driver of drivers) driver.go();
    const one = await Promise.race(drivers.map((driver) => driver.done));
    release();
    const ended = await Promise.all(drivers.map((driver) => driver.done));
    return [...complaintsOfRace(one, ended), ...effectsOf(await place.effects(), ended), ...place.server.violations];
  } finally {
    release();
    await place.remove();
  }
}

function complaintsOfRace(one: Ended, ended: readonly Ended[]): string[] {
  const codes = ended.map(({ code }) => code).sort();
  if (String(codes) !== "0,75") return [`they ended with ${codes}: ${ended.map(({ stderr }) => stderr).join("")}`];
  return one.code === 75 ? [] : ["the one that drove ended first, so that they were never at it together"];
}

function effectsOf(effects: readonly { pid: number }[], ended: readonly Ended[]): string[] {
  const pid = effects[0]?.pid;
  if (effects.length !== 1) return [`the effect happened ${effects.length} times`];
  const told = ended.find(({ code }) => code === 75)?.stderr ?? "";
  return told.includes(`process ${pid} `) ? [] : [`the other was not told that process ${pid} drives: ${told}`];
}
