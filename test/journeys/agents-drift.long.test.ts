import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Place } from "../support/cli.ts";
import { asks, type Reply, says } from "../support/model-server.ts";
import { readQuestion } from "../support/read-question.ts";
import { answersIn } from "../support/talks.ts";
import { askHelpersFile, placeWithTools } from "../support/tool-files.ts";

const edit = (from: string): Reply =>
  asks("edit_file", { file_path: "a.txt", old_string: from, new_string: from.toUpperCase() });

const talks: Readonly<Record<string, readonly Reply[]>> = {
  go: [asks("ask_helpers", { tasks: ["first", "second"] }), says("All done.")],
  first: [edit("one"), says("Edited.")],
  second: [edit("two"), says("Edited.")],
};

const answer = answersIn(talks);

/** Two helpers that edit one file, each of which has to ask. */
async function open(): Promise<Place> {
  const place = await placeWithTools(
    { "helpers.mjs": askHelpersFile },
    Array.from({ length: 20 }, () => answer),
  );
  await writeFile(join(place.workspace, "a.txt"), "one\ntwo\n");
  return place;
}

/** Of the session: while a helper works it is running. */
async function stateIn(place: Place): Promise<string> {
  const [row = "{}"] = (await place.run(["sessions", "--json"])).stdout.split("\n");
  return (JSON.parse(row) as { state: string }).state;
}

const flags = ["--allow", "ask_helpers"];
const textIn = ({ workspace }: Place): Promise<string> => readFile(join(workspace, "a.txt"), "utf8");

describe("of two helpers' edits of one file that wait, once one is approved and made,", () => {
  it("the other one is printed as it can be applied, and no flag that means the older plan applies it", async () => {
    const place = await open();
    const asked = await place.json(["run", "go", ...flags]);
    const calls = asked.of("approval_requested").at(-1)?.calls ?? [];
    const named = (nth: number) => calls.find(({ session }) => session.endsWith(`@c1.${nth}`));
    const flagOf = (call: (typeof calls)[number] | undefined) =>
      `${call?.session}:${call?.callId}@${call?.digest.slice(0, 12)}`;
    const one = await place.json(["resume", asked.session, "--approve", flagOf(named(1)), ...flags]);
    const [now] = one.of("approval_requested").at(-1)?.calls ?? [];
    expect([one.code, await textIn(place)]).toEqual([11, "ONE\ntwo\n"]);
    expect(now).toMatchObject({ session: named(2)?.session, changed: { from: named(2)?.digest } });
    expect(now?.plan.diff).toContain(" ONE\n");
    const old = await place.json(["resume", asked.session, "--approve", flagOf(named(2)), ...flags]);
    expect([old.code, old.stderr, await textIn(place)]).toEqual([
      ...[11, expect.stringContaining("was not approved: its digest is"), "ONE\ntwo\n"],
    ]);
    const rest = await place.json(["resume", asked.session, "--approve", flagOf(now), ...flags]);
    expect([rest.code, rest.end.text, await textIn(place)]).toEqual([0, "All done.", "ONE\nTWO\n"]);
  });

  it.each([
    ["in the dialog", {}, "y"],
    ["in lines", { HOLDFAST_SCREEN_READER: "1" }, "y\r"],
  ])("the other one is shown so %s, and applied as it is shown", async (_, env, yes) => {
    const place = await open();
    const pty = place.chat(["chat", "go", ...flags], { cols: 100, rows: 40 }, env);
    const shows = (pattern: RegExp) => pty.waitFor((one) => pattern.test(one.scrollback().join("\n")), 30_000);
    await shows(/asked by the sub-agent/iu);
    await expect.poll(() => stateIn(place), { timeout: 30_000 }).toBe("awaiting_approval");
    await readQuestion();
    pty.type(yes);
    await shows(/asked anew: the file changed since you were asked/iu);
    await readQuestion();
    pty.type(yes);
    await pty.waitFor("All done.", 30_000);
    pty.key("ctrl-d");
    await pty.exit;
    expect(await textIn(place)).toBe("ONE\nTWO\n");
  });
});
