import { describe, expect, it } from "vitest";
import type { Place } from "../support/cli.ts";
import { asks, type Reply, says } from "../support/model-server.ts";
import { answersIn, firstWords, type Talks } from "../support/talks.ts";
import { placeWithTools, toolFile } from "../support/tool-files.ts";

const looks = (name: string): Reply[] => [asks("read_file", { file_path: `${name}.txt` }), says(`Saw ${name}.`)];

/** A project whose one tool of a file drives helpers so. */
function placeOf(body: string): Promise<Place> {
  const talks: Talks = {
    go: [asks("drive", {}), says("All done.")],
    ...Object.fromEntries(["a", "b", "c"].map((name) => [name, looks(name)])),
  };
  const fields = `risk: "low", effect: "child", async execute(_, ctx) { ${body} }`;
  return placeWithTools({ "drive.mjs": toolFile("drive", fields) }, Array(12).fill(answersIn(talks)));
}

const askedOf = ({ server }: Place): string[] => server.requests.map(firstWords);
const run = (place: Place) => place.json(["run", "go", "--allow", "drive"]);

describe("children that a tool of a file begins", () => {
  it("work no more at once than it says, and have no more steps", async () => {
    const place = await placeOf(`
      const ends = ["a", "b", "c"].map((task) => ctx.runChild({ task, atOnce: 1, ...(task === "b" && { maxSteps: 1 }) }));
      return (await Promise.all(ends)).map(({ status, text }) => status + ": " + text).join("; ");`);
    expect((await run(place)).code).toBe(0);
    expect(askedOf(place)).toEqual(["go", "a", "a", "b", "c", "c", "go"]);
    expect(place.heard(-1, -1)).toBe("done: Saw a.; max_steps: ; done: Saw c.");
  });

  it("are not begun where the tool has ended before there was a place for them", async () => {
    const place = await placeOf(`
      for (const task of ["a", "b", "c"]) void ctx.runChild({ task, atOnce: 1 });
      return "a is on it";`);
    expect((await run(place)).code).toBe(0);
    expect(askedOf(place)).toEqual(["go", "a", "a", "go"]);
    expect(place.heard(-1, -1)).toBe("a is on it");
  });

  it.each([
    ['model: "other:x"', "runChild: a tool of a file says no model of a child; it says task, agent, tools, kind,"],
    ["atOnce: 0", "runChild: atOnce of a child: "],
    ["atOnce: Infinity", "runChild: atOnce of a child: "],
  ])("are refused by name where it says %s", async (field, words) => {
    const place = await placeOf(`return String(await ctx.runChild({ task: "a", ${field} }).catch((e) => e.message));`);
    expect((await run(place)).code).toBe(0);
    expect(place.heard(-1, -1)).toContain(words);
    expect(askedOf(place)).toEqual(["go", "go"]);
  });
});
