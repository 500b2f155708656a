import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import type { AgentEvent } from "../../src/index.ts";
import { openStore } from "../../src/store/open-store.ts";
import { builtProgram } from "../support/built.ts";
import { tempTree } from "../tools/temp-tree.ts";

const isRunning = (event: AgentEvent): boolean => event.type === "tool_call" && event.call.status === "executing";

/** Runs the program, which gets the signal as soon as the read is under way. @returns what it said, and how it ended. */
async function play(args: readonly string[], signal: NodeJS.Signals): Promise<{ events: AgentEvent[]; end: unknown }> {
  const program = await builtProgram("test/support/hanging-read-program.ts");
  const child = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const exited = once(child, "exit");
  const events: AgentEvent[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const event = JSON.parse(line) as AgentEvent;
    events.push(event);
    if (isRunning(event)) child.kill(signal);
  }
  const [code, by] = (await exited) as [number | null, NodeJS.Signals | null];
  return { events, end: by ?? code };
}

test("a read that hangs while its process is killed three times is an error, and the turn comes to its end", async () => {
  const folder = tempTree({ "work/a.txt": "" });
  const first = await play([folder], "SIGKILL");
  const id = first.events[0]?.session ?? "";
  const ends = [first.end];
  for (let again = 0; again < 2; again += 1) ends.push((await play([folder, id], "SIGKILL")).end);
  expect(ends).toEqual(["SIGKILL", "SIGKILL", "SIGKILL"]);
  const last = await play([folder, id], "SIGKILL");
  expect(last.end).toBe(0);
  expect(last.events.filter(isRunning)).toEqual([]);
  expect(last.events.at(-1)).toMatchObject({
    type: "turn_ended",
    reason: "done",
    text: expect.stringContaining("3"),
    calls: { error: 1 },
  });
  const store = await openStore({ file: join(folder, "agent.db") });
  expect(store.readJournal(id).call("c1")).toMatchObject({ status: "error", attempt: 3 });
  store.close();
});

test("a read that hangs and does not heed its signal is left behind when the process is asked to end", async () => {
  const folder = tempTree({ "work/a.txt": "" });
  const { events, end } = await play([folder], "SIGTERM");
  expect(end).toBe(0);
  expect(events.at(-1)).toMatchObject({ type: "turn_ended", reason: "cancelled" });
});
