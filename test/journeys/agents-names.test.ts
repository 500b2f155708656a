import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openPlace, type Place } from "../support/cli.ts";
import { type Answer, asks, says } from "../support/model-server.ts";
import { readQuestion } from "../support/read-question.ts";

const idIn = /\((\S+@\S+)\)/u;

/** Two reviewers side by side of which the first is asked about, a helper without a name, and one that goes on with the first reviewer. */
async function placeOf(): Promise<Place> {
  const answer: Answer = ({ body: { messages } }) => {
    const said = String(messages.find(({ role }) => role === "user")?.content).split("\n", 1)[0] ?? "";
    const spoken = messages.filter(({ role }) => role === "assistant").length;
    if (said === "look at a") return spoken === 0 ? asks("read_file", { file_path: ".env" }) : says("Looked.");
    if (said !== "go") return says("Nothing more.");
    const heard = messages.filter(({ role }) => role === "tool").map(({ content }) => String(content));
    const continues = idIn.exec(heard[0] ?? "")?.[1] ?? "";
    return (
      [
        asks("agent", { task: ["look at a", "look at b"], agent: "reviewer" }),
        asks("agent", { task: "work" }),
        asks("agent", { task: "look again", continue_from: continues }),
      ][spoken] ?? says("All done.")
    );
  };
  const place = await openPlace(
    Array.from({ length: 24 }, () => answer),
    { ".env": "KEY=1\n" },
  );
  const reviewer = { description: "reviews", prompt: "You review." };
  await mkdir(place.home, { recursive: true });
  await writeFile(join(place.home, "config.json"), JSON.stringify({ agents: { reviewer } }));
  return place;
}

const names = ["reviewer 1", "reviewer 2", "helper", "reviewer 1"];

it("a helper has one name, in events, for the model, in records and in lists", async () => {
  const place = await placeOf();
  const asked = await place.json(["run", "go"]);
  const [call] = asked.the("approval_requested").calls;
  const address = `${call?.session}:${call?.callId}@${call?.digest}`;
  const ran = await place.json(["resume", asked.session, "--approve", address]);
  expect([asked.code, call?.agent, ran.code]).toEqual([11, names[0], 0]);

  const events = [...asked.events, ...ran.events].filter(({ parent }) => parent !== undefined);
  const told = new Map(events.map(({ session }) => [session, new Set<string | undefined>()]));
  for (const { session, agent } of events) told.get(session)?.add(agent);
  const helpers = [...told.keys()];
  expect([...told.values()].map((one) => [...one])).toEqual(names.map((name) => [name]));
  expect(ran.end.helpers?.map(({ session, agent }) => [session, agent])).toEqual(
    helpers.map((id, at) => [id, names[at]]),
  );

  const heard = place.server.requests.at(-1)?.body.messages.filter(({ role }) => role === "tool") ?? [];
  const said = heard.map(({ content }) => String(content)).join("\n");
  for (const [at, id] of helpers.entries()) expect(said).toContain(`${names[at]} (${id})`);
  const ends = ran.of("tool_call").flatMap(({ call: one, parent }) => {
    const made = parent === undefined && "result" in one ? one.result?.metadata?.["helpers"] : undefined;
    return (made ?? []) as unknown as { session: string; agent: string }[];
  });
  expect(ends.map(({ session, agent }) => [session, agent])).toEqual(helpers.map((id, at) => [id, names[at]]));

  const shown = (await place.run(["sessions", "show", asked.session])).stdout;
  const page = (await place.run(["sessions", "export", asked.session, "--html"])).stdout;
  for (const [at, id] of helpers.entries()) {
    expect(shown).toContain(`${id}  ${names[at]}: `);
    expect(page).toContain(`${names[at]} · ${id}`);
  }
});

it("a helper has that name where lines are printed, and none of its own there", async () => {
  const place = await placeOf();
  const { code, stderr } = await place.run(["run", "go"]);
  expect(code).toBe(11);
  expect(stderr).toMatch(/^reviewer 1 begins: \S+-001$/mu);
  expect(stderr).toMatch(/^asked by the sub-agent reviewer 1$/mu);
  const denied = await place.run(["resume", stderr.match(/session (\S+)/u)?.[1] ?? "", "--deny", "all"]);
  expect(denied.stderr).toMatch(/^reviewer 1: ✖ .*denied/mu);
});

it.each([
  [100, 30],
  [60, 20],
])(
  "a helper has that name on cards, in its question, in what was denied and in the list at %d columns",
  async (cols, rows) => {
    const place = await placeOf();
    const pty = place.chat(["chat", "go"], { cols, rows });
    await pty.waitFor(/asked by the sub-agent reviewer 1/u);
    await readQuestion();
    pty.type("r");
    pty.type("not that one");
    pty.key("enter");
    await pty.waitFor("All done.", 15_000);
    const drawn = pty.scrollback().join("\n");
    expect(drawn).toMatch(/denied by you · reviewer 1 · /u);
    expect(drawn).not.toMatch(/explore \d|delegate \d/u);
    pty.type("/agents\r");
    await pty.waitFor((one) => /1 {2}reviewer 1 .*\n.*2 {2}reviewer 2 /u.test(one.screen().join("\n")), 15_000);
    pty.key("escape");
    await pty.waitFor((one) => one.screen().join("\n").includes("ask, or"), 15_000);
    pty.key("ctrl-d");
    await pty.exit;
  },
);
