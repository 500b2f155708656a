import { expect, it } from "vitest";
import { openPlace, type Place, type Running, told } from "../support/cli.ts";
import { asks, type Reply, says } from "../support/model-server.ts";
import { answersIn } from "../support/talks.ts";
import { processesOf } from "../support/under-way.ts";

type Talk = readonly (Reply | Promise<Reply>)[];

const silence = new Promise<Reply>(() => undefined);

/** A place whose model says, in each session, what is set for its first words, once it is there. */
async function placeOf(talks: Readonly<Record<string, Talk>>, files: Record<string, string> = {}): Promise<Place> {
  const answer = answersIn(talks);
  return openPlace(
    Array.from({ length: 24 }, () => answer),
    files,
  );
}

/** The first helper's session, once stdout names it: what the helper does may be seen before. */
async function firstChild(running: Running): Promise<string> {
  await running.shows('-001"');
  return running.stdout().match(/[a-z0-9-]+@[a-z]+-\d+-\w+-001/u)?.[0] ?? "";
}

it("is stopped by its id from another process; the others go on, and the model is told who stopped it", async () => {
  const place = await placeOf(
    {
      go: [asks("agent", { task: ["look at a", "look at b"] }), says("Done.")],
      "look at a": [asks("read_file", { file_path: "a.txt" }), silence],
      "look at b": [says("b is fine")],
    },
    { "a.txt": "one\n" },
  );
  const running = place.spawn(["run", "go", "--json"]);
  await running.shows('"toolName":"read_file"');
  await running.shows("b is fine");
  const first = await firstChild(running);
  const stopped = await place.run(["stop", first]);
  expect([stopped.code, stopped.stderr]).toEqual([0, `session ${first} was stopped\n`]);
  const ran = told(await running.done);
  expect([ran.code, ran.end.text]).toEqual([0, "Done."]);
  const heard = place.heard(-1, -1);
  expect(heard).toMatch(/^explorer 1 \(\S+-001\): stopped by the person after 1 step, /u);
  expect(heard).toContain("| b is fine");
  const again = await place.run(["stop", first]);
  expect(again.stderr).toContain("nobody drives session");
  expect((await place.run(["stop", `${ran.session}@delegate-9-20261121T1015-001`])).code).toBe(2);
});

it("has its running command's processes ended with it, what hears no TERM too, and stays stopped after kill -9", async () => {
  const place = await placeOf({
    go: [asks("agent", { task: "work" }), silence],
    work: [asks("shell", { command: "node stays.cjs" }), says("Worked.")],
  });
  await place.write("stays.cjs", 'process.on("SIGTERM", () => undefined);\nsetInterval(() => undefined, 4394);\n');
  const running = place.spawn(["run", "go", "--json", "--mode", "full-auto"]);
  await expect.poll(() => processesOf("node stays.cjs"), { timeout: 60_000 }).toBeGreaterThan(0);
  const child = await firstChild(running);
  expect(await place.run(["stop", child])).toMatchObject({ code: 0, stderr: `session ${child} was stopped\n` });
  expect(processesOf("node stays.cjs")).toBe(0);
  // The parent's model is asked anew.
  await expect.poll(() => place.server.requests.length).toBe(3);
  running.child.kill("SIGKILL");
  await running.done;
  const id = child.split("@")[0] ?? "";
  place.server.requests.length = 0;
  const resumed = place.spawn(["resume", id, "--json"]);
  await expect.poll(() => place.server.requests.length, { timeout: 60_000 }).toBe(1);
  const heard = String(place.server.requests[0]?.body.messages.at(-1)?.content);
  expect(heard).toMatch(/stopped by the person/u);
  expect(resumed.stdout()).not.toContain("recovery_requested");
  expect(processesOf("node stays.cjs")).toBe(0);
});

it("that waits for the person is asked about no more, and its session goes on", async () => {
  const place = await placeOf(
    {
      go: [asks("agent", { task: ["look at a", "look at b"] }), says("All done.")],
      "look at a": [asks("read_file", { file_path: ".env" }), says("It has a key.")],
      "look at b": [says("b is fine")],
    },
    { ".env": "KEY=1\n" },
  );
  const pty = place.chat(["chat", "go"]);
  await pty.waitFor("explorer 1");
  await pty.waitFor(/yes/u);
  const { stdout } = await place.run(["sessions", "--json"]);
  const { waitsFor = [] } = JSON.parse(stdout) as { waitsFor?: { session: string }[] };
  const child = waitsFor[0]?.session ?? "";
  expect((await place.run(["stop", child])).code).toBe(0);
  await pty.waitFor("All done.");
  expect(pty.screen().join("\n")).not.toMatch(/n {2}no/u);
  expect(place.heard(-1, -1)).toContain(`explorer 1 (${child}): stopped by the person`);
  process.kill(pty.pid, "SIGKILL");
  await pty.exit;
  const resumed = await place.json(["resume", child.split("@")[0] ?? ""]);
  expect([resumed.code, resumed.of("approval_requested")]).toEqual([0, []]);
});

it("that waits for the person while another one works is asked about no more, and not once that one has ended", async () => {
  let speak: (reply: Reply) => void = () => undefined;
  const later = new Promise<Reply>((resolve) => {
    speak = resolve;
  });
  const place = await placeOf(
    {
      go: [asks("agent", { task: ["look at a", "look at b"] }), says("All done.")],
      "look at a": [asks("read_file", { file_path: ".env" }), says("It has a key.")],
      "look at b": [later],
    },
    { ".env": "KEY=1\n" },
  );
  const running = place.spawn(["run", "go", "--json"]);
  await running.shows('"type":"approval_requested"');
  const child = await firstChild(running);
  expect((await place.run(["stop", child])).code).toBe(0);
  speak(says("b is fine"));
  const ran = told(await running.done);
  expect([ran.code, ran.end.text, ran.of("approval_requested").length]).toEqual([0, "All done.", 1]);
  expect(place.heard(-1, -1)).toMatch(/stopped by the person after 1 step[\s\S]*\| b is fine/u);
});
