import { describe, expect, it } from "vitest";
import { openPlace, type Place, type Running, told } from "../support/cli.ts";
import { asks, type Reply, says } from "../support/model-server.ts";
import type { Pty } from "../support/pty.ts";
import { readQuestion } from "../support/read-question.ts";
import { answersIn } from "../support/talks.ts";

type Talk = readonly (Reply | Promise<Reply>)[];

/** Three explorers, of which the first asks for a guarded file; the others say nothing until `speak`. */
async function placeOf(): Promise<{ place: Place; speak(): void }> {
  let speak: () => void = () => undefined;
  const later = new Promise<Reply>((resolve) => {
    speak = () => resolve(says("It is fine."));
  });
  const talks: Readonly<Record<string, Talk>> = {
    go: [asks("agent", { task: ["look at a", "look at b", "look at c"] }), says("All done.")],
    "look at a": [asks("read_file", { file_path: ".env" }), says("Looked.")],
    "look at b": [later],
    "look at c": [later],
  };
  const answer = answersIn(talks);
  const place = await openPlace(
    Array.from({ length: 24 }, () => answer),
    { ".env": "KEY=1\n" },
  );
  return { place, speak };
}

/** What the model of this helper was told last, one text for each request. */
const heardBy = (place: Place, task: string): string[] =>
  place.server.requests
    .filter(({ body }) => body.messages.find(({ role }) => role === "user")?.content === task)
    .map(({ body }) => String(body.messages.at(-1)?.content));

const othersAsked = async (place: Place, times = 1): Promise<void> => {
  for (const task of ["look at b", "look at c"])
    await expect.poll(() => heardBy(place, task).length, { timeout: 60_000 }).toBe(times);
};

/** It is of high risk: the word is asked for. */
async function approve(pty: Pty): Promise<void> {
  await readQuestion();
  pty.type("y");
  await pty.waitFor("type yes to approve");
  pty.type("yes\r");
}

const poll = { timeout: 60_000 };

interface Asked {
  calls: { session: string; callId: string; digest: string }[];
}

/** The helper's call, as the run tells it while the others work. */
async function askedIn(running: Running): Promise<{ root: string; name: string; digest: string }> {
  await running.shows('"type":"approval_requested"');
  await running.shows("}]}\n");
  const line = running
    .stdout()
    .split("\n")
    .find((one) => one.includes('"type":"approval_requested"'));
  const [call] = (JSON.parse(line ?? "{}") as Asked).calls;
  const { session = "", callId = "", digest = "" } = call ?? {};
  return { root: session.split("@")[0] ?? "", name: `${session}:${callId}`, digest };
}

describe("what a helper asks while others work", () => {
  it.each([
    [100, 30],
    [60, 20],
  ])("is asked at once at %d columns, and it goes on alone once it is answered", async (cols, rows) => {
    const { place, speak } = await placeOf();
    const pty = place.chat(["chat", "go"], { cols, rows });
    await pty.waitFor(/asked by the sub-agent explorer 1/u);
    await othersAsked(place);
    await approve(pty);
    await expect.poll(() => heardBy(place, "look at a").at(-1), poll).toContain("KEY=1");
    await pty.waitFor((one) => !one.screen().join("\n").includes("asked by the sub-agent"));
    expect(pty.screen().join("\n")).not.toContain("All done.");
    speak();
    await pty.waitFor("All done.");
    pty.key("ctrl-d");
    expect(await pty.exit).toMatchObject({ code: 0 });
    expect(place.heard(-1, -1).match(/done after/gu)).toHaveLength(3);
  });

  it("is denied with a reason, which it hears before the others have ended", async () => {
    const { place, speak } = await placeOf();
    const pty = place.chat(["chat", "go"]);
    await pty.waitFor(/asked by the sub-agent explorer 1/u);
    await othersAsked(place);
    await readQuestion();
    pty.type("r");
    pty.type("not that one");
    pty.key("enter");
    await expect.poll(() => heardBy(place, "look at a").at(-1), poll).toContain("not that one");
    speak();
    await pty.waitFor("All done.");
    pty.key("ctrl-d");
    await pty.exit;
  });

  it("is asked again after kill -9, while the others go on", async () => {
    const { place, speak } = await placeOf();
    const first = place.chat(["chat", "go"]);
    await first.waitFor(/asked by the sub-agent explorer 1/u);
    await othersAsked(place);
    first.kill("SIGKILL");
    await first.exit;
    const { id } = JSON.parse((await place.run(["sessions", "--json"])).stdout.split("\n")[0] ?? "") as { id: string };
    const again = place.chat(["resume", id], { cols: 60, rows: 20 });
    await again.waitFor(/asked by the sub-agent explorer 1/u);
    await othersAsked(place, 2);
    await approve(again);
    await expect.poll(() => heardBy(place, "look at a").at(-1), poll).toContain("KEY=1");
    speak();
    await again.waitFor("All done.");
    again.key("ctrl-d");
    expect(await again.exit).toMatchObject({ code: 0 });
    expect(heardBy(place, "look at a")).toHaveLength(2);
  });

  it("is answered from another process, and that holds over kill -9: it is not asked again", async () => {
    const { place, speak } = await placeOf();
    const running = place.spawn(["run", "go", "--json"]);
    const { root, name, digest } = await askedIn(running);
    await othersAsked(place);
    const given = await place.run(["answer", root, "--approve", `${name}@${digest.slice(0, 12)}`]);
    running.child.kill("SIGKILL");
    expect([given.code, given.stderr]).toEqual([0, `${name} is approved\n`]);
    await running.done;
    const late = await place.run(["answer", root, "--deny", name]);
    expect([late.code, late.stderr]).toEqual([1, expect.stringMatching(/does not wait/u)]);
    speak();
    const on = await place.json(["resume", root]);
    expect([on.code, on.end.text, on.of("approval_requested")]).toEqual([0, "All done.", []]);
    expect(heardBy(place, "look at a").at(-1)).toContain("KEY=1");
    expect(place.heard(-1, -1).match(/done after/gu)).toHaveLength(3);
  });

  it("is denied from another process while the others work, and the run ends as one with a denial", async () => {
    const { place, speak } = await placeOf();
    const running = place.spawn(["run", "go", "--json"]);
    const { root, name } = await askedIn(running);
    const given = await place.run(["answer", root, "--deny", name, "--reason", "not that one"]);
    expect([given.code, given.stderr]).toEqual([0, `${name} is denied\n`]);
    await expect.poll(() => heardBy(place, "look at a").at(-1), poll).toContain("not that one");
    const late = await place.run(["answer", root, "--deny", name]);
    expect([late.code, late.stderr]).toEqual([1, `${name}: call c1 does not wait: it is cancelled\n`]);
    speak();
    const ran = told(await running.done);
    expect([ran.code, ran.end.text, ran.of("approval_requested").length]).toEqual([10, "All done.", 1]);
  });

  it("ends a run without a person with 11 once the others have come to their ends, and is told once", async () => {
    const { place, speak } = await placeOf();
    const running = place.spawn(["run", "go"]);
    await othersAsked(place);
    speak();
    const { code, stderr } = await running.done;
    expect([code, stderr.match(/waits for approval/gu)?.length], stderr).toEqual([11, 1]);
  });
});
