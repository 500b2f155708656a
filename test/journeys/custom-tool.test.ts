import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import type { AgentEvent } from "../../src/index.ts";
import { builtProgram } from "../support/built.ts";
import { tempTree } from "../tools/temp-tree.ts";

/** Runs the program to its end, or kills it with the first event of this type. */
async function play(args: readonly string[], killAt?: AgentEvent["type"]): Promise<AgentEvent[]> {
  const program = await builtProgram("test/support/custom-tool-program.ts");
  const child = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const exited = once(child, "exit");
  const events: AgentEvent[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const event = JSON.parse(line) as AgentEvent;
    events.push(event);
    if (event.type === killAt) child.kill("SIGKILL");
  }
  const [code, signal] = (await exited) as [number | null, NodeJS.Signals | null];
  expect([code, signal]).toEqual(killAt === undefined ? [0, null] : [null, "SIGKILL"]);
  return events;
}

const begunAndKilled = async (folder: string): Promise<AgentEvent[]> => {
  const before = await play([folder], "approval_requested");
  return [...before, ...(await play([folder, before[0]?.session ?? ""]))];
};

test.each([
  ["in one process", (folder: string) => play([folder, "whole"])],
  ["after a kill -9 at the question", begunAndKilled],
])("a tool of one's own gets what its schema says, and what it gives is kept: %s", async (_, live) => {
  const folder = tempTree();
  mkdirSync(join(folder, "work"));
  const events = await live(folder);

  const lines = readFileSync(join(folder, "tool.log"), "utf8").trim().split("\n");
  const heard = lines.map((line) => JSON.parse(line) as object);
  expect(heard.filter((line) => "planned" in line).every((line) => "planned" in line && line.planned)).toBe(true);
  expect(heard.filter((line) => !("planned" in line))).toEqual([
    {
      ...{ isDate: true, day: "2026-12-24T00:00:00.000Z", text: "call home", zone: "UTC" },
      ...{ user: "user-of-the-process", token: "s3cret-token", uid: "ada-of-the-settings" },
    },
    // The instance of the call, and the one that the session described it by.
    { disposed: true },
    { disposed: true },
  ]);

  const calls = events.flatMap((event) => (event.type === "tool_call" ? [event.call] : []));
  expect(calls.at(-1)).toMatchObject({
    status: "success",
    arguments: { day: "2026-12-24", zone: "UTC" },
    result: {
      output: "It is noted.",
      title: "noted",
      display: "a bell\non that day",
      images: [{ name: "bell", mediaType: "image/png", sha: expect.any(String), width: 1, height: 1 }],
      attachments: ["bell.ics"],
    },
  });
  expect(events.at(-1)).toMatchObject({ type: "turn_ended", reason: "done", text: "Noted." });

  const kept = readdirSync(folder)
    .filter((name) => name.startsWith("agent.db"))
    .map((name) => readFileSync(join(folder, name), "latin1"));
  for (const hidden of ["s3cret-token", "user-of-the-process", "ada-of-the-settings"]) {
    expect(JSON.stringify(events)).not.toContain(hidden);
    for (const bytes of kept) expect(bytes).not.toContain(hidden);
  }
});
