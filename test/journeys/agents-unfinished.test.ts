import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openPlace, type Place } from "../support/cli.ts";
import { asks, type Reply, says } from "../support/model-server.ts";
import { answersIn, firstWords, type Talks } from "../support/talks.ts";

const read = (file: string): Reply => asks("read_file", { file_path: file });
const edit = (old: string, by: string): Reply =>
  asks("edit_file", { file_path: "a.txt", old_string: old, new_string: by });

const noKey: Reply = { status: 401, body: { error: { message: "no such key" } } };
const nobodyThere: Reply = { status: 404, body: { error: { message: "no such model" } } };

/** A place whose server answers in these sessions only with what `refused` says, as long as it says something. */
async function placeOf(talks: Talks) {
  const refused = new Map<string, Reply>();
  const answer = answersIn(talks);
  const place = await openPlace(
    Array.from({ length: 24 }, () => (request) => refused.get(firstWords(request)) ?? answer(request, 0)),
    { "a.txt": "one\n", "b.txt": "b\n" },
  );
  return { place, refused };
}

/** Settings with a server that takes no request without a key. */
const keyed = ({ home, server }: Place, more: object = {}): Promise<void> =>
  writeFile(
    join(home, "config.json"),
    JSON.stringify({ servers: { other: { baseUrl: server.url, apiKeyEnv: "OTHER_KEY" } }, ...more }),
  );

const withKey = { env: { OTHER_KEY: "k" } };

/** What was asked of the model in the session with these first words, by how much had been said in it. */
const askedAt = ({ server }: Place, first: string): number[] =>
  server.requests
    .filter((request) => firstWords(request) === first)
    .map(({ body }) => body.messages.filter(({ role }) => role === "assistant").length);

const mended: Talks = {
  go: [asks("agent", { task: "mend a" }), says("All done.")],
  "mend a": [edit("one", "two"), read("b.txt"), says("Mended.")],
};

describe("a helper whose model cannot be asked", () => {
  it("for want of a key, as its session is resumed, stays where it is and goes on with the key, nothing twice", async () => {
    const { place } = await placeOf(mended);
    await keyed(place);
    const first = await place.json(["run", "go", "-m", "other:x"], withKey);
    expect(first.code).toBe(11);
    const keyless = await place.json(["resume", first.session, "--approve", "all"]);
    expect([keyless.code, await place.read("a.txt")]).toEqual([41, "two\n"]);
    expect(keyless.of("error").filter(({ parent }) => parent === undefined)).toMatchObject([
      { code: "CREDENTIALS", hint: expect.stringContaining("OTHER_KEY") },
    ]);
    expect(keyless.end).toMatchObject({ reason: "failed", exitCode: 41, resume: `agent resume ${first.session}` });
    expect(keyless.the("notice").text).toBe(
      `1 helper has not come to its end: agent resume ${first.session} goes on with it, a message in its place ends it; while the session is open /agents, or agent stop with its id, ends one alone`,
    );
    const shown = await place.run(["sessions", "show", first.session]);
    expect(shown.stdout).toContain("not finished");
    expect((await place.json(["resume", first.session])).code).toBe(41);
    const on = await place.json(["resume", first.session], withKey);
    expect([on.code, on.end.text, await place.read("a.txt")]).toEqual([0, "All done.", "two\n"]);
    expect(askedAt(place, "mend a")).toEqual([0, 1, 2]);
    expect(place.heard(-1, -1)).toContain("Mended.");
  });

  it("at its first word, stops the turn as its session's own would; the others of its call come to their ends before", async () => {
    const { place, refused } = await placeOf({
      go: [asks("agent", { task: ["look at a", "look at b"] }), says("All seen.")],
      "look at a": [read("a.txt"), says("a is one")],
      "look at b": [read("b.txt"), says("b is b")],
    });
    refused.set("look at a", noKey);
    const ran = await place.json(["run", "go"]);
    expect([ran.code, ran.end.reason]).toEqual([41, "failed"]);
    const ended = ran.of("turn_ended").flatMap(({ agent, reason }) => (agent === undefined ? [] : [[agent, reason]]));
    expect(ended).toEqual([["explorer 2", "done"]]);
    expect(askedAt(place, "go")).toEqual([0]);
    refused.clear();
    const on = await place.json(["resume", ran.session]);
    expect([on.code, on.end.text]).toEqual([0, "All seen."]);
    expect(askedAt(place, "look at a")).toEqual([0, 0, 1]);
    expect(askedAt(place, "look at b")).toEqual([0, 1]);
    expect(place.heard(-1, -1)).toMatch(/a is one[\s\S]*b is b/u);
  });

  it("goes on so after kill -9, behind its failure and before its turn's, beside one that was at work then", async () => {
    const slow = says("word ".repeat(100_000), { chunks: 100_000, delayMs: 20 });
    const { place, refused } = await placeOf({
      go: [asks("agent", { task: ["look at a", "look at b"] }), says("All seen.")],
      "look at a": [read("a.txt"), says("a is one")],
      "look at b": [read("b.txt"), says("b is b")],
    });
    refused.set("look at a", nobodyThere).set("look at b", slow);
    const running = place.spawn(["run", "go", "--json"]);
    await running.shows('"MODEL_REFUSED"');
    await expect.poll(() => askedAt(place, "look at b").length).toBe(1);
    running.child.kill("SIGKILL");
    await running.done;
    refused.clear();
    const { session } = JSON.parse(running.stdout().split("\n")[0] ?? "") as { session: string };
    const on = await place.json(["resume", session]);
    expect([on.code, on.end.text]).toEqual([0, "All seen."]);
    expect([askedAt(place, "look at a"), askedAt(place, "look at b")]).toEqual([
      [0, 0, 1],
      [0, 0, 1],
    ]);
  });

  it("stays while another one waits for the person, who is asked once it can be asked", async () => {
    const { place, refused } = await placeOf({
      go: [asks("agent", { task: ["look at a", "look at env"] }), says("All seen.")],
      "look at a": [read("a.txt"), says("a is one")],
      "look at env": [read(".env"), says("it is set")],
    });
    await place.write(".env", "A=1\n");
    refused.set("look at a", noKey);
    const ran = await place.json(["run", "go"]);
    const told = /^2 helpers have not come.*; calls that wait for you: 1, agent sessions show \S+ --calls has them$/u;
    expect([ran.code, ran.the("notice").text]).toEqual([41, expect.stringMatching(told)]);
    const stays = await place.json(["resume", ran.session]);
    expect(stays.code).toBe(41);
    refused.clear();
    const asked = await place.json(["resume", ran.session]);
    const [call] = asked.of("approval_requested").at(-1)?.calls ?? [];
    expect([asked.code, call?.agent]).toEqual([11, "explorer 2"]);
    const on = await place.json(["resume", ran.session, "--approve", `${call?.session}:c1@${call?.digest}`]);
    expect([on.code, on.end.text]).toEqual([0, "All seen."]);
    expect(askedAt(place, "look at a").filter((said) => said > 0)).toEqual([1]);
    expect(askedAt(place, "look at env")).toEqual([0, 1]);
  });

  it("ends with its call where a message comes in place of going on", async () => {
    const { place, refused } = await placeOf({
      go: [asks("agent", { task: "look at a" }), says("Then not.")],
      "look at a": [read("a.txt"), says("a is one")],
    });
    refused.set("look at a", noKey);
    const ran = await place.json(["run", "go"]);
    const on = await place.json(["resume", ran.session, "leave it"]);
    expect([on.code, on.end.text]).toEqual([0, "Then not."]);
    expect((await place.run(["sessions", "show", ran.session])).stdout).not.toContain("not finished");
  });
});

describe("a helper with a model of its own", () => {
  async function ownModel(talks: Talks) {
    const { place } = await placeOf(talks);
    await keyed(place, { agents: { reviewer: { description: "r", prompt: "p", model: "other:x" } } });
    return place;
  }
  const talks: Talks = {
    go: [asks("agent", { task: "mend a", agent: "reviewer" }), says("Went on.")],
    "mend a": mended["mend a"] ?? [],
  };

  it("that has never answered ends, and the session's model goes on by itself", async () => {
    const place = await ownModel(talks);
    const ran = await place.json(["run", "go"]);
    expect([ran.code, ran.end.text]).toEqual([0, "Went on."]);
    expect(place.heard(-1, -1)).toContain("failed after 0 steps");
  });

  it("that has answered before stays where it is", async () => {
    const place = await ownModel(talks);
    const asked = await place.json(["run", "go"], withKey);
    expect(asked.code).toBe(11);
    const keyless = await place.json(["resume", asked.session, "--approve", "all"]);
    expect(keyless.code).toBe(41);
    const on = await place.json(["resume", asked.session], withKey);
    expect([on.code, on.end.text, await place.read("a.txt")]).toEqual([0, "Went on.", "two\n"]);
    expect(askedAt(place, "mend a")).toEqual([0, 1, 2]);
  });
});

it("a helper whose own request is refused ends, and the session's model reads so", async () => {
  const { place, refused } = await placeOf({
    go: [asks("agent", { task: "look at a" }), says("Went on.")],
    "look at a": [],
  });
  refused.set("look at a", { status: 400, body: { error: { message: "not that picture" } } });
  const ran = await place.json(["run", "go"]);
  expect([ran.code, ran.end.text]).toEqual([0, "Went on."]);
  expect(place.heard(-1, -1)).toContain("failed after 0 steps");
});
