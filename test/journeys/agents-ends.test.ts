import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openPlace, type Place } from "../support/cli.ts";
import { type Answer, asks, type Reply, says } from "../support/model-server.ts";
import { answersIn, firstWords, type Talks } from "../support/talks.ts";

const endlessReply = says("word ".repeat(100_000), { chunks: 100_000, delayMs: 20 });

/** @param instead what the model says in the place of that, by a session's first words */
function placeOf(
  talks: Talks,
  files: Record<string, string> = {},
  instead: (said: string) => Reply | undefined = () => undefined,
): Promise<Place> {
  const inTalks = answersIn(talks);
  const answer: Answer = (request, index) => instead(firstWords(request)) ?? inTalks(request, index);
  return openPlace(
    Array.from({ length: 24 }, () => answer),
    files,
  );
}

const heardBy = (place: Place, task: string): string[] =>
  place.server.requests
    .filter(({ body }) => body.messages.find(({ role }) => role === "user")?.content === task)
    .map(({ body }) => String(body.messages.at(-1)?.content));

type Told = Awaited<ReturnType<Place["json"]>>;

const names = (told: Told): string[] =>
  (told.of("approval_requested").at(-1)?.calls ?? []).map(
    ({ session, callId, digest }) => `${session}:${callId}@${digest.slice(0, 12)}`,
  );

const writing: Talks = {
  go: [asks("agent", { task: "do a", agent: "worker" }), says("All done.")],
  "do a": [asks("write_file", { file_path: "a.txt", content: "A\n" }), says("Wrote a.")],
};
const looking: Talks = {
  go: [asks("agent", { task: ["look at a", "look at b"], agent: "worker" }), says("All done.")],
  "look at a": [asks("read_file", { file_path: ".env.a" }), says("Looked at a.")],
  "look at b": [asks("read_file", { file_path: ".env.b" }), says("Looked at b.")],
};
const guarded = { ".env.a": "KEY=a\n", ".env.b": "KEY=b\n" };

const configOf = (agents: object, more: object = {}): string => JSON.stringify({ agents, ...more });
const worker = { worker: { description: "works", prompt: "You work." } };

/** Sets an agent up, and takes it away. */
const ways: [name: string, set: (place: Place) => Promise<unknown>, end: (place: Place) => Promise<unknown>][] = [
  [
    "is gone from the settings",
    (place) => writeFile(join(place.home, "config.json"), configOf(worker)),
    (place) => writeFile(join(place.home, "config.json"), configOf({})),
  ],
  [
    "has one other byte than was trusted",
    async (place) => {
      await mkdir(place.path(".holdfast/agents"), { recursive: true });
      await place.write(".holdfast/agents/worker.md", "---\ndescription: works\n---\nYou work.\n");
      expect((await place.run(["trust", "--yes"])).code).toBe(0);
    },
    (place) => place.write(".holdfast/agents/worker.md", "---\ndescription: works\n---\nYou work!\n"),
  ],
];

describe("a helper that waits and whose agent", () => {
  it.each(ways)("%s by then does what is approved, as what it was begun as", async (_, set, end) => {
    const place = await placeOf(writing);
    await set(place);
    const asked = await place.json(["run", "go"]);
    await end(place);
    const on = await place.json(["resume", asked.session, "--approve", names(asked)[0] ?? ""]);
    expect([on.code, on.end.text, await place.read("a.txt")]).toEqual([0, "All done.", "A\n"]);
    expect(heardBy(place, "go").at(-1)).toContain("Wrote a.");
    const told = place.server.requests.at(-2)?.body.messages[0]?.content;
    expect(String(told)).toContain("You work.");
  });

  it.each(ways)("%s does it too where another process brought the answer before", async (_, set, end) => {
    const place = await placeOf(writing);
    await set(place);
    const asked = await place.json(["run", "go"]);
    await place.run(["answer", asked.session, "--approve", names(asked)[0] ?? ""]);
    await end(place);
    const on = await place.json(["resume", asked.session]);
    expect([on.code, on.end.text, await place.read("a.txt")]).toEqual([0, "All done.", "A\n"]);
  });

  it.each(ways)("%s leaves what the other one of its call asks", async (_, set, end) => {
    const place = await placeOf(looking, guarded);
    await set(place);
    const asked = await place.json(["run", "go"]);
    await end(place);
    const one = await place.json(["resume", asked.session, "--approve", names(asked)[0] ?? ""]);
    expect([one.code, one.end.reason, names(one)]).toEqual([11, "awaiting_approval", names(asked).slice(1)]);
    const rest = await place.json(["resume", asked.session, "--approve", names(asked)[1] ?? ""]);
    expect([rest.code, rest.end.text]).toEqual([0, "All done."]);
    expect(["look at a", "look at b"].map((task) => heardBy(place, task).at(-1))).toEqual([
      expect.stringContaining("KEY=a"),
      expect.stringContaining("KEY=b"),
    ]);
  });

  it("is gone goes on; one of its call that had not begun is begun no more, and the model is told so", async () => {
    let isHeld = true;
    const place = await placeOf(looking, guarded, (said) =>
      isHeld && said === "look at a" ? endlessReply : undefined,
    );
    const config = join(place.home, "config.json");
    await writeFile(config, configOf(worker, { maxChildren: 1 }));
    const running = place.spawn(["run", "go", "--json"]);
    await expect.poll(() => heardBy(place, "look at a").length, { timeout: 30_000 }).toBe(1);
    running.child.kill("SIGKILL");
    await running.done;
    isHeld = false;
    await writeFile(config, configOf({}, { maxChildren: 1 }));
    const session = (JSON.parse(running.stdout().split("\n")[0] ?? "") as { session: string }).session;
    const asked = await place.json(["resume", session]);
    expect([asked.code, names(asked).length]).toEqual([11, 1]);
    const on = await place.json(["resume", session, "--approve", names(asked)[0] ?? ""]);
    expect([on.code, on.end.text]).toEqual([0, "All done."]);
    const told = heardBy(place, "go").at(-1);
    expect(told).toContain("Looked at a.");
    expect(told).toContain("worker 2: not begun, for there is no agent of that name any more");
    expect(heardBy(place, "look at b")).toEqual([]);
  });
});

/** How the calls of the session's helpers ended, as its records have it. */
const endsIn = async (place: Place, id: string): Promise<string[]> => {
  const calls = await place.run(["sessions", "show", id, "--calls"]);
  return calls.stdout.split("\n");
};

describe("what helpers ask is called off with their session's call, and says whose word that was", () => {
  const policy = (decision: string): string => JSON.stringify({ rules: [{ tool: "agent", decision }] });

  it("of a rule that denies it", async () => {
    const place = await placeOf(looking, guarded);
    await writeFile(join(place.home, "config.json"), configOf(worker));
    const asked = await place.json(["run", "go"]);
    await writeFile(join(place.home, "policy.json"), policy("deny"));
    const on = await place.json(["resume", asked.session, "--approve", names(asked)[0] ?? ""]);
    expect(on.end.reason).toBe("done");
    const told = (await endsIn(place, asked.session)).join("\n");
    expect(told).toContain("denied by policy: the call that it worked for:");
    expect(told).not.toContain("the person");
    expect(on.of("decision").filter(({ by }) => by === "person")).toHaveLength(1);
  });

  it("of the person who denies it", async () => {
    const place = await placeOf(looking, guarded);
    await writeFile(join(place.home, "config.json"), configOf(worker));
    const asked = await place.json(["run", "go"]);
    await writeFile(join(place.home, "policy.json"), policy("ask"));
    const back = await place.json(["resume", asked.session, "--approve", names(asked)[0] ?? ""]);
    expect(names(back)).toContainEqual(expect.stringMatching(/^[^@]+:c1@/u));
    const on = await place.json(["resume", asked.session, "--deny", "c1", "--reason", "not now"]);
    expect([on.code, on.end.reason]).toEqual([10, "done"]);
    const told = (await endsIn(place, asked.session)).join("\n");
    expect(told).toContain("denied by the person, with the call that it worked for: not now");
    expect(told).not.toContain("stopped the turn");
  });
});
