import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Place } from "../support/cli.ts";
import { asks, type Reply, says } from "../support/model-server.ts";
import { readQuestion } from "../support/read-question.ts";
import { answersIn } from "../support/talks.ts";
import { askHelpersFile, placeWithTools, toolProcesses } from "../support/tool-files.ts";
import { processesOf } from "../support/under-way.ts";

const write = (file: string): Reply => asks("write_file", { file_path: file, content: `${file}\n` });

/** What each session says, known by its first words. */
const talks: Readonly<Record<string, readonly Reply[]>> = {
  go: [asks("ask_helpers", { tasks: ["first", "second"] }), says("All done.")],
  one: [asks("ask_helpers", { tasks: ["first"] }), says("All done.")],
  first: [write("a.txt"), says("Wrote a.")],
  second: [write("b.txt"), says("Wrote b.")],
  long: [asks("ask_helpers", { tasks: ["sleep"] }), says("All done.")],
  sleep: [asks("shell", { command: "echo begun; sleep 4397", timeout_ms: 30_000 }), says("Slept.")],
};

const answer = answersIn(talks);

const open = (): Promise<Place> =>
  placeWithTools(
    { "helpers.mjs": askHelpersFile },
    Array.from({ length: 20 }, () => answer),
  );
const flags = ["--allow", "ask_helpers"];

describe("a tool of the project that has sessions of its own work for it", () => {
  it("is asked about by the command with the names of their calls, and gone on with by flags that name them", async () => {
    const place = await open();
    const ran = await place.run(["run", "go", ...flags]);
    expect(ran.code, ran.stderr).toBe(11);
    const [, session = ""] = /^session (\S+) /m.exec(ran.stderr) ?? [];
    // In the order in which they came to ask.
    const names = [...ran.stderr.matchAll(/\[(\S+:c1@\w{12})\]\nasked by the sub-agent (helper \d)/g)]
      .map(([, name, who]) => [who, name])
      .sort(([a = ""], [b = ""]) => a.localeCompare(b));
    expect(names.map(([who]) => who)).toEqual(["helper 1", "helper 2"]);
    expect(ran.stderr).toContain("waiting for you");
    expect(ran.stdout).toBe("");
    const listed = await place.run(["sessions"]);
    expect(listed.stdout).toContain(session);
    expect(listed.stdout).not.toContain(`${session}@`);
    const approve = ["--approve", names[0]?.[1] ?? "", "--deny", `${session}@c1.2:c1`, "--reason", "not b"];
    const on = await place.run(["resume", session, ...approve, ...flags]);
    expect([on.code, on.stdout], on.stderr).toEqual([10, "All done.\n"]);
    expect(await readFile(join(place.workspace, "a.txt"), "utf8")).toBe("a.txt\n");
    expect(existsSync(join(place.workspace, "b.txt"))).toBe(false);
    expect(place.heard(-1, -1)).toBe("done: Wrote a.\ndone: Wrote b.");
    expect(toolProcesses(place.workspace)).toEqual([]);
  });

  it("tells each line of a child with its session and its parent, and ends with the parent's own", async () => {
    const place = await open();
    const ran = await place.json(["run", "go", ...flags, "--mode", "accept-edits"]);
    expect(ran).toMatchObject({ code: 0, end: { reason: "done", text: "All done.", session: ran.session } });
    const children = ran.events.filter(({ parent }) => parent !== undefined);
    expect(new Set(children.map(({ session, parent }) => `${parent} ${session}`))).toEqual(
      new Set([1, 2].map((nth) => `${ran.session} ${ran.session}@c1.${nth}`)),
    );
    expect(ran.events.map(({ seq }) => seq)).toEqual(ran.events.map((_, at) => at + 1));
  });

  it("spends no more with all its children than the run may", async () => {
    const place = await open();
    const price = { input: 1_000_000, output: 0 }; // eleven for each reply of this server
    await writeFile(join(place.home, "config.json"), JSON.stringify({ models: { "openai:*": { price } } }));
    const ran = await place.json(["run", "one", ...flags, "--mode", "accept-edits", "--max-cost", "20"]);
    expect(ran).toMatchObject({ code: 53, end: { reason: "max_cost" } });
    expect(ran.of("turn_ended").map(({ reason }) => reason)).toEqual(["max_cost", "max_cost"]);
    expect(place.server.requests).toHaveLength(2);
    const on = await place.json(["resume", ran.session, ...flags, "--max-cost", "20"]);
    expect(on).toMatchObject({ code: 0, end: { reason: "done", text: "All done." } });
  });

  it("is resumed by its parent's name and not by its own", async () => {
    const place = await open();
    const ran = await place.json(["run", "go", ...flags]);
    const refused = await place.run(["resume", `${ran.session}@c1.1`]);
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain(`agent resume ${ran.session} goes on with both`);
    expect(await place.run(["sessions", "rm", "--force", `${ran.session}@c1.1`])).toMatchObject({ code: 2 });
    expect((await place.run(["sessions", "show", `${ran.session}@c1.1`])).stdout).toContain("write_file");
    expect((await place.json(["resume"])).session).toBe(ran.session);
  });

  // What only reads is begun anew where it was left: until its own time is over.
  it("ends with all that a child runs where it is interrupted, and then tells how far that came", async () => {
    const place = await open();
    const running = place.spawn(["run", "long", "--json", ...flags, "--mode", "full-auto"]);
    await running.shows('"text":"begun');
    await expect.poll(() => processesOf("sleep 4397")).toBeGreaterThan(0);
    running.child.kill("SIGINT");
    const { code, stdout } = await running.done;
    expect([code, processesOf("sleep 4397")], stdout).toEqual([130, 0]);
    expect(toolProcesses(place.workspace)).toEqual([]);
    const { session } = JSON.parse(stdout.split("\n")[0] ?? "") as { session: string };
    const on = await place.json(["resume", session, ...flags]);
    expect(on, on.stderr).toMatchObject({ code: 0, end: { reason: "done", text: "All done." } });
    expect(place.heard(-2, -1)).toContain("begun");
  });

  it("is asked about at the terminal by its name, goes on after kill -9 at its question, and writes what was approved once", async () => {
    const place = await open();
    const first = place.chat(["chat", ...flags], { cols: 100, rows: 30 });
    await first.waitFor(/ask, or|^> /mu);
    first.type("go\r");
    await first.waitFor(/asked by the sub-agent helper \d/);
    first.kill("SIGKILL");
    await first.exit;
    const [, session = ""] = /"id":"([^"]+)"/.exec((await place.run(["sessions", "--json"])).stdout) ?? [];
    expect(session).not.toBe("");
    const again = place.chat(["resume", session, ...flags], { cols: 60, rows: 20 });
    // Whichever comes to ask first.
    await again.waitFor(/asked by the sub-agent helper \d/);
    const isSecond = again.screen().join("\n").includes("helper 2");
    await readQuestion();
    again.type("y");
    await again.waitFor(isSecond ? /asked by the sub-agent helper 1/ : /asked by the sub-agent helper 2/);
    await readQuestion();
    again.type("y");
    await again.waitFor("All done.");
    again.key("ctrl-d");
    expect(await again.exit).toMatchObject({ code: 0 });
    expect(await readFile(join(place.workspace, "b.txt"), "utf8")).toBe("b.txt\n");
  });
});
