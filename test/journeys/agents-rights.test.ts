import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openPlace, type Place, type Told } from "../support/cli.ts";
import { asks, type Reply, says } from "../support/model-server.ts";

const write = (file: string): Reply => asks("write_file", { file_path: file, content: "new\n" });
const shell: Reply = asks("shell", { command: "touch made.txt" });
const policyOf = (rules: Record<string, unknown>[]): string =>
  `// mine\n${JSON.stringify({ rules: rules.map((rule) => ({ why: "mine", tool: "write_file", ...rule })) })}`;
const put = (place: Place, rules: Record<string, unknown>[]) =>
  writeFile(join(place.home, "policy.json"), policyOf(rules));

/** A place whose session hands on work, a step of it each of `steps`, and then has one more written itself. */
async function placeOf(steps: readonly Reply[], meanwhile?: (place: Place, spoken: number) => Promise<void> | void) {
  const go = [asks("agent", { task: "work" }), write("own.txt"), says("All done.")];
  const place: Place = await openPlace(
    Array.from({ length: 24 }, () => async ({ body }) => {
      const said = String(body.messages.find(({ role }) => role === "user")?.content);
      const spoken = body.messages.filter(({ role }) => role === "assistant").length;
      if (said === "work") await meanwhile?.(place, spoken);
      return said === "work" ? (steps[spoken] ?? says("Worked.")) : (go[spoken] ?? says("?"));
    }),
  );
  return place;
}

/** What the newest question is, as flags that approve it. */
function approving(ran: Told): string[] {
  const [call] = ran.of("approval_requested").at(-1)?.calls ?? [];
  return ["--approve", `${call?.session}:${call?.callId}@${call?.digest}`];
}
const askedIn = (ran: Told) =>
  ran
    .of("approval_requested")
    .at(-1)
    ?.calls.map(({ plan }) => plan.summary) ?? [];
const written = (place: Place) => ["a.txt", "b.txt", "c.txt", "made.txt", "own.txt"].filter((file) => place.has(file));

describe("a helper's rights are the least of those it was begun with and those of now", () => {
  it("of the mode: one begun in ask asks on where the session goes on in full-auto, and the session itself does not", async () => {
    const place = await placeOf([write("a.txt"), write("b.txt"), shell]);
    const began = await place.json(["run", "go"]);
    expect([began.code, written(place)]).toEqual([11, []]);
    const full = ["resume", began.session, "--mode", "full-auto"];
    const second = await place.json([...full, ...approving(began)]);
    expect([second.code, written(place), askedIn(second)]).toEqual([11, ["a.txt"], [expect.stringContaining("b.txt")]]);
    const third = await place.json([...full, ...approving(second)]);
    expect([third.code, written(place), askedIn(third)]).toEqual([
      ...[11, ["a.txt", "b.txt"], [expect.stringContaining("touch")]],
    ]);
    const last = await place.json([...full, ...approving(third)]);
    expect([last.code, written(place)]).toEqual([0, ["a.txt", "b.txt", "made.txt", "own.txt"]]);
  });

  it("of the mode: one begun in full-auto asks, or may not, once that is the session's mode", async () => {
    const place = await placeOf([write("AGENTS.md"), write("b.txt"), write("c.txt")]);
    const began = await place.json(["run", "go", "--mode", "full-auto"]);
    expect([began.code, askedIn(began)]).toEqual([11, [expect.stringContaining("AGENTS.md")]]);
    const second = await place.json(["resume", began.session, "--mode", "ask", ...approving(began)]);
    expect([second.code, askedIn(second)]).toEqual([11, [expect.stringContaining("b.txt")]]);
    const last = await place.json(["resume", began.session, "--mode", "full-auto", ...approving(second)]);
    expect([last.code, written(place)]).toEqual([0, ["b.txt", "c.txt", "own.txt"]]);
  });

  it("of the mode, after kill -9 at work too", async () => {
    let running: { child: { pid?: number | undefined } } | undefined;
    const place = await placeOf([asks("ls", {}), write("b.txt")], async (_, spoken) => {
      if (spoken !== 1 || running?.child.pid === undefined) return;
      process.kill(running.child.pid, "SIGKILL");
      running = undefined;
    });
    const first = place.spawn(["run", "go", "--json"]);
    running = first;
    expect((await first.done).signal).toBe("SIGKILL");
    const { session } = JSON.parse(first.stdout().split("\n")[0] ?? "") as { session: string };
    const ran = await place.json(["resume", session, "--mode", "full-auto"]);
    expect([ran.code, written(place), askedIn(ran)]).toEqual([11, [], [expect.stringContaining("b.txt")]]);
  });

  it("of rules that allow: what is added meanwhile is none of it, by file or flag; what was there holds, wherever it stands by then", async () => {
    const a = { paths: ["a.txt"], decision: "allow" };
    const b = { paths: ["b.txt"], decision: "allow" };
    const place = await placeOf(
      [write("a.txt"), write("c.txt"), write("a.txt"), write("b.txt")],
      async (at, spoken) => {
        if (spoken === 1) await put(at, [{ paths: ["z.txt"], decision: "deny" }, b, { ...a, why: "in other words" }]);
      },
    );
    await put(place, [a]);
    const began = await place.json(["run", "go"]);
    expect([began.code, written(place), askedIn(began)]).toEqual([11, ["a.txt"], [expect.stringContaining("c.txt")]]);
    const allow = ["--allow", "write_file(b.txt)", "--allow", "write_file(own.txt)"];
    const second = await place.json(["resume", began.session, ...allow, ...approving(began)]);
    expect([second.code, askedIn(second)]).toEqual([11, [expect.stringContaining("b.txt")]]);
    const last = await place.json(["resume", began.session, ...allow, ...approving(second)]);
    expect([last.code, written(place)]).toEqual([0, ["a.txt", "b.txt", "c.txt", "own.txt"]]);
  });

  it("of rules that deny and of risks: taken away they hold for it still, and for the session no more", async () => {
    const place = await placeOf([write("a.txt"), write("own.txt")], async (at, spoken) => {
      if (spoken === 1) await writeFile(join(at.home, "policy.json"), '{"rules": [], "risk": {"write_file": "low"}}');
    });
    await put(place, [
      { paths: ["own.txt"], decision: "deny" },
      { paths: ["a.txt"], decision: "allow" },
    ]);
    const ran = await place.json(["run", "go"]);
    const decided = ran.of("decision").map(({ session, decision }) => [session === ran.session, decision]);
    expect(decided).toEqual([
      [true, "allow"],
      [false, "allow"],
      [false, "deny"],
      [true, "allow"],
    ]);
    expect(written(place)).toEqual(["a.txt", "own.txt"]);
  });

  /** Two folders beside the workspace, and a file to be in each. */
  const beside = async (place: Place) => {
    const [early, late] = ["early", "late"].map((name) => join(dirname(place.workspace), name)) as [string, string];
    await mkdir(early);
    await mkdir(late);
    return { early, late, files: [join(early, "n.txt"), join(late, "n.txt")] as const };
  };
  /** As the helper is told of the folders, by its newest request. */
  const toldOf = (place: Place) =>
    place.server.requests
      .map(({ body: { messages } }) => messages)
      .findLast((messages) => messages.find(({ role }) => role === "user")?.content === "work")?.[0]?.content;
  const edits = ["--mode", "accept-edits"];

  it("of added folders: what is added meanwhile is its session's alone, and what was there is its own still", async () => {
    const steps: Reply[] = [write("AGENTS.md")];
    const place = await placeOf(steps);
    const { early, late, files } = await beside(place);
    steps.push(write(files[0]), write(files[1]));
    const began = await place.json(["run", "go", "--add-dir", early, ...edits]);
    expect([began.code, askedIn(began)]).toEqual([11, [expect.stringContaining("AGENTS.md")]]);
    const both = ["--add-dir", late, "--add-dir", early, ...edits];
    const ran = await place.json(["resume", began.session, ...both, ...approving(began)]);
    expect([ran.code, files.map((file) => existsSync(file))]).toEqual([0, [true, false]]);
    const ended = ran.of("tool_call").map(({ call }) => (call as { errorMsg?: string }).errorMsg);
    expect(ended.filter((text) => text !== undefined)).toEqual([
      expect.stringContaining("is not inside the workspace"),
    ]);
    expect(toldOf(place)).toContain(`added folder: ${early}`);
    expect(toldOf(place)).not.toContain(late);
  });

  it("of added folders: one that is added no more is none of it", async () => {
    const steps: Reply[] = [write("AGENTS.md")];
    const place = await placeOf(steps);
    const { early, late, files } = await beside(place);
    steps.push(write(files[0]), write(files[1]));
    const began = await place.json(["run", "go", "--add-dir", early, "--add-dir", late, ...edits]);
    const ran = await place.json(["resume", began.session, "--add-dir", late, ...edits, ...approving(began)]);
    expect([ran.code, files.map((file) => existsSync(file))]).toEqual([0, [false, true]]);
  });
});
