import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openPlace, type Place } from "../support/cli.ts";
import { type Answer, asks, says } from "../support/model-server.ts";

const skill = (name: string, description: string, body = "Do it.", more = ""): string =>
  `---\nname: ${name}\ndescription: ${description}\n${more}---\n${body}\n`;

interface Row {
  name: string;
  source?: string;
  error?: string;
  unused?: string[];
}

const skillsOf = async (place: Place, argv: string[] = []): Promise<Row[]> =>
  (await place.spawn(["skills", "--json", ...argv]).done).stdout
    .trim()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Row);

const described = ({ server }: Place): string =>
  server.requests.at(-1)?.body.tools?.find(({ function: { name } }) => name === "skill")?.function.description ?? "";

/** Where each skill lies, from the folder that holds home and workspace on, and how it is named to a person. */
const places = [
  ["home/skills/a-own", "skills/a-own"],
  [".agents/skills/b-agents", "~/.agents/skills/b-agents"],
  [".claude/skills/c-claude", "~/.claude/skills/c-claude"],
  [".config/opencode/skills/d-opencode", "~/.config/opencode/skills/d-opencode"],
  ["work/deep/.holdfast/skills/e-own", ".holdfast/skills/e-own"],
  ["work/deep/.agents/skills/f-agents", ".agents/skills/f-agents"],
  ["work/deep/.claude/skills/g-claude", ".claude/skills/g-claude"],
  ["work/deep/.opencode/skills/h-opencode", ".opencode/skills/h-opencode"],
  ["work/.agents/skills/i-agents", "../.agents/skills/i-agents"],
  ["work/.claude/skills/j-claude", "../.claude/skills/j-claude"],
  ["work/.opencode/skills/k-opencode", "../.opencode/skills/k-opencode"],
] as const;

const nameOf = (path: string): string => path.split("/").at(-1) ?? "";

describe("skills", () => {
  it("of each folder that people have are told by name, and read with what comes with them when they are needed", async () => {
    const reads = places.flatMap(([path]) => [
      asks("skill", { name: nameOf(path) }),
      asks("skill", { name: nameOf(path), file: "more/notes.md" }),
    ]);
    const place = await openPlace([says("Before."), ...reads, says("Done.")]);
    const put = (path: string, text: string): void => {
      const file = join(dirname(place.workspace), path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    };
    mkdirSync(place.path(".git/objects"), { recursive: true });
    mkdirSync(place.path(".git/refs"));
    writeFileSync(place.path(".git/HEAD"), "ref: refs/heads/main\n");
    for (const [path] of places) {
      put(`${path}/SKILL.md`, skill(nameOf(path), `For ${nameOf(path)}.`, `Body of ${nameOf(path)}.`));
      put(`${path}/more/notes.md`, `Notes of ${nameOf(path)}.`);
    }
    const cwd = place.path("deep");
    const users = places.slice(0, 4);

    const first = await place.json(["run", "go"], { cwd });
    for (const [path] of places)
      expect(described(place).includes(`${nameOf(path)}: For`)).toBe(users.some(([one]) => one === path));
    expect(first.of("notice").map(({ text }) => text)).toContainEqual(expect.stringContaining("7 skills."));

    const trusted = await place.spawn(["trust", "--yes", "-C", cwd]).done;
    expect(trusted.stdout).toContain("│ Body of k-opencode.");
    expect((await place.run(["trust"], { cwd })).stdout).toContain("in force: 7 skills\n");
    expect((await skillsOf(place, ["-C", cwd])).map(({ source }) => source)).toEqual(places.map(([, shown]) => shown));

    expect((await place.spawn(["run", "--json", "go"], { cwd }).done).code).toBe(0);
    const heard = JSON.stringify(place.server.requests.at(-1)?.body.messages);
    expect(heard).not.toContain("description: For");
    for (const [path] of places) {
      expect(heard).toContain(`Body of ${nameOf(path)}.`);
      expect(heard).toContain("more/notes.md");
      expect(heard).toContain(`Notes of ${nameOf(path)}.`);
    }
  }, 120_000);

  it("are no part of a request where there are none, nor is their tool", async () => {
    const place = await openPlace([says("Done.")]);
    await place.json(["run", "go"]);
    expect(described(place)).toBe("");
    expect((await place.run(["skills"])).stdout).toBe("there are no skills and no commands of files here\n");
  });

  it("take at most 2 % of the model's window, and what does not fit is said", async () => {
    const names = Array.from({ length: 60 }, (_, at) => `skill-${at}`);
    const files = Object.fromEntries(
      names.map((name) => [`.holdfast/skills/${name}/SKILL.md`, skill(name, "x".repeat(200))]),
    );
    const list: Answer = ({ body }) =>
      body.messages.some(({ role }) => role === "tool") ? says("Done.") : asks("skill", {});
    const place = await openPlace([list, list], files);
    await place.run(["trust", "--yes"]);
    writeFileSync(join(place.home, "config.json"), JSON.stringify({ contextWindow: 20_000 }));
    const { end } = await place.json(["run", "go"]);
    expect(end.exitCode).toBe(0);
    const list2 = described(place).split("\n").slice(1).join("\n");
    expect(list2.length).toBeLessThanOrEqual(20_000 * 0.02 * 4);
    expect(list2).toMatch(/^skill-0: x+\n/u);
    expect(list2).toMatch(/\d+ did not fit: called without a name, skill lists all\.$/u);
    const told = String(place.server.requests.at(-1)?.body.messages.find(({ role }) => role === "tool")?.content);
    expect(told.split("\n")).toHaveLength(60);
  });

  it("count once by name, the person's first, and what is hidden by that is said", async () => {
    const place = await openPlace([says("Done.")], {
      ".holdfast/skills/mine/SKILL.md": skill("mine", "the project's own"),
      ".agents/skills/two/SKILL.md": skill("two", "first"),
      ".claude/skills/two/SKILL.md": skill("two", "second"),
      ".claude/skills/same/SKILL.md": skill("same", "one"),
      ".opencode/skills/same/SKILL.md": skill("same", "one"),
    });
    mkdirSync(join(place.home, "skills/mine"), { recursive: true });
    writeFileSync(join(place.home, "skills/mine/SKILL.md"), skill("mine", "the person's"));
    await place.run(["trust", "--yes"]);
    const ran = await place.json(["run", "go"]);
    expect(described(place)).toContain("mine: the person's\n");
    expect(described(place)).toContain("two: first");
    expect(described(place)).not.toMatch(/the project's own|second/u);
    expect(
      ran
        .of("notice")
        .filter(({ code }) => code === "skill_left_out")
        .map(({ text }) => text),
    ).toEqual([
      "skills left out: .holdfast/skills/mine (another one has this name, and comes first: skills/mine); .claude/skills/two (another one has this name, and comes first: .agents/skills/two)",
    ]);
    expect((await skillsOf(place)).filter(({ error }) => error !== undefined)).toHaveLength(3);
  });
});
