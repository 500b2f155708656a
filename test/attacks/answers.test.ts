import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CallLife } from "../../src/records/call-life.ts";
import { openPlace, type Place } from "../support/cli.ts";

const write = (file_path: string, content = "x\n") => ({ name: "write_file", arguments: { file_path, content } });
const head = { v: 1, kind: "holdfast-script" };

async function scriptAt(place: Place, ...lines: object[]): Promise<string> {
  const file = join(place.home, "shared.ndjson");
  await writeFile(file, [head, ...lines].map((line) => JSON.stringify(line)).join("\n"));
  return `script:${file}`;
}

const answers = (...person: object[]) => ({ person });
const yes = { match: {}, decision: "approve" };
const summary = (ran: Awaited<ReturnType<Place["json"]>>) => ({
  code: ran.code,
  reason: ran.end.reason,
  decisions: ran.of("decision").map(({ callId, decision, by }) => `${callId} ${decision} by ${by}`),
  notices: ran.of("notice").map(({ code }) => code),
});

describe("a script that somebody shared (F14)", () => {
  it("does not answer for the person, and says so; with --answers it does, and is named as who did", async () => {
    const place = await openPlace();
    const lines = [{ prompt: "write" }, answers(yes), { calls: [write("a.txt")] }, { text: "Done." }, { prompt: "on" }];
    const model = await scriptAt(place, ...lines, { text: "More." });
    const alone = await place.json(["run", "-m", model]);
    expect(summary(alone)).toEqual({
      code: 11,
      reason: "awaiting_approval",
      decisions: [],
      notices: ["answers_ignored"],
    });
    expect(alone.the("notice").text).toBe("the script brings 1 answer for you: not used without --answers");
    expect(place.has("a.txt")).toBe(false);

    const again = await place.json(["resume", alone.session]);
    expect(summary(again)).toMatchObject({ code: 11, decisions: [], notices: ["answers_ignored"] });
    const answered = await place.json(["resume", alone.session, "--answers"]);
    expect(summary(answered)).toEqual({ code: 0, reason: "done", decisions: ["c1 approve by script"], notices: [] });
    expect(await place.read("a.txt")).toBe("x\n");

    await place.write("a.txt", "other\n");
    const whole = await place.json(["run", "--answers", "-m", model]);
    expect(summary(whole)).toMatchObject({ code: 0, decisions: ["c1 approve by script"], notices: [] });
    expect(whole.end.text).toBe("More.");
  });

  it.each([
    ["a guarded file", [write(".github/workflows/ci.yml")], [yes]],
    ["a guarded file, denied", [write(".github/workflows/ci.yml")], [{ match: {}, decision: "deny" }]],
    ["the reading of a secret", [{ name: "read_file", arguments: { file_path: ".env" } }], [yes]],
    [
      "a call that its own edit makes guarded",
      [write("a.txt")],
      [{ match: {}, decision: "edit", arguments: { file_path: ".envrc", content: "x" } }, yes],
    ],
  ])("never answers for %s: it stops there, whatever follows in it", async (_, calls, person) => {
    const place = await openPlace([], { ".env": "KEY=hunter2\n" });
    const model = await scriptAt(
      place,
      { prompt: "go" },
      { calls },
      answers(...person),
      { prompt: "on" },
      { text: "on" },
    );
    const ran = await place.json(["run", "--answers", "-m", model]);
    expect(summary(ran)).toMatchObject({ code: 11, reason: "awaiting_approval" });
    expect(ran.of("notice").map(({ code }) => code)).toEqual(["person_only"]);
    expect(ran.of("user_message").map(({ text }) => text)).toEqual(["go"]);
    expect((await readdir(place.workspace)).sort()).toEqual([".env"]);
    expect(ran.stdout).not.toContain("hunter2");
  });

  it("answers for the other calls of the message, and a person for what it may not", async () => {
    const place = await openPlace();
    const model = await scriptAt(place, { calls: [write(".envrc"), write("a.txt")] }, answers(yes, yes), {
      text: "Done.",
    });
    const ran = await place.json(["run", "go", "--answers", "-m", model]);
    expect(summary(ran)).toEqual({
      code: 11,
      reason: "awaiting_approval",
      decisions: ["c2 approve by script"],
      notices: ["person_only"],
    });
    const rest = await place.json(["resume", ran.session, "--approve", "c1"]);
    expect(summary(rest)).toMatchObject({ code: 0, decisions: ["c1 approve by person"] });
    expect([await place.read(".envrc"), await place.read("a.txt")]).toEqual(["x\n", "x\n"]);
  });
});

describe("the demo", () => {
  it("answers without the flag: no call of its tour is guarded or of high risk", async () => {
    const place = await openPlace();
    const ran = await place.json(["run", "-m", "demo"]);
    expect(summary(ran)).toMatchObject({ code: 10, reason: "done", notices: ["demo"] });
    const shown = await place.run(["sessions", "show", ran.session, "--calls", "--json"]);
    const calls = shown.stdout
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as CallLife).call);
    expect(calls.length).toBeGreaterThan(5);
    expect(calls.filter(({ risk }) => risk === "high")).toEqual([]);
    expect(
      JSON.parse(await readFile(join(ran.the("session_started").workspace, "package.json"), "utf8")),
    ).toMatchObject({
      version: "1.0.1",
    });
  });
});
