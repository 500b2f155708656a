import { readdir, realpath } from "node:fs/promises";
import { join, relative } from "node:path";
import { z } from "zod";
import { ToolRefusal } from "../../core/codes.ts";
import { oneLine } from "../../core/fence.ts";
import { sha256 } from "../../core/json.ts";
import { nearestName } from "../../core/nearest-name.ts";
import { bodyOf, type Skill, skillFile } from "../../core/skill.ts";
import { defineTool, type Plan, type Tool, type ToolResult } from "../../core/tool.ts";
import { isInside } from "../../files/boundary.ts";
import { isKeyFile } from "../../files/bytes/file-head.ts";
import { openRegular, readBounded } from "../../files/bytes/read-regular.ts";
import { asBuiltIn } from "../built-in.ts";
import { listedSkills } from "./listed-skills.ts";

const args = z.strictObject({
  name: z.string().optional().describe("Of the skill; without it all are listed."),
  file: z.string().optional().describe("A file that comes with it, by its path in the skill's folder."),
});

type Args = z.infer<typeof args>;

export interface SkillToolOptions {
  skills: readonly Skill[];
  /**
   * Returns the reason why a file of a person's own skill is not shown, in words, by its real path and that of the skill; undefined where
   * it is.
   */
  closed?(real: string, folder: string): string | undefined;
}

/** Bytes of a file that comes with a skill. */
const largestFile = 200_000;

const head =
  "Reads a skill: what the person wants done, and how, for one kind of task. Where one of these fits the task, read it before you begin. It gives no rights: what it names is asked about as ever.";

/** Reads skills when they are needed, and files that come with them; never what lies outside of a skill's folder. */
export function createSkillTool({ skills, closed = () => undefined }: SkillToolOptions): Tool {
  const known = new Map(skills.map((skill) => [skill.name, skill]));
  let told: { window: number | undefined; list: string } | undefined;
  const listFor = (window: number | undefined): string => {
    if (told?.window !== window || told === undefined) told = { window, list: listedSkills(skills, window) };
    return told.list;
  };
  return asBuiltIn(
    defineTool({
      name: "skill",
      description: ({ contextWindow }) => `${head}\n${listFor(contextWindow)}`,
      args,
      risk: "low",
      effect: "none",
      display: {
        en: { name: "Skill", params: { name: "Name", file: "File" } },
        zh: { name: "技能", params: { name: "名称", file: "文件" } },
      },
      validate: (given) => complaint(given, known),
      plan: async (given, { cwd }) => plannedUse(given, known, cwd),
      execute: async ({ name, file }) => {
        const skill = name === undefined ? undefined : known.get(name);
        if (skill === undefined) return all(skills);
        return file === undefined ? body(skill, closed) : beside(skill, file, closed);
      },
    }),
  );
}

function complaint({ name, file }: Args, known: ReadonlyMap<string, Skill>): string | undefined {
  if (name === undefined) return file === undefined ? undefined : "file goes with the name of a skill";
  if (known.has(name)) return undefined;
  const near = nearestName(name, [...known.keys()]);
  return `there is no skill ${JSON.stringify(name)}; ${near === undefined ? "call it without a name: all are listed" : `did you mean ${near}?`}`;
}

/** Plans a call: a file that lies in the project is judged as it would be for read_file. */
async function plannedUse({ name, file }: Args, known: ReadonlyMap<string, Skill>, cwd: string): Promise<Plan> {
  const skill = name === undefined ? undefined : known.get(name);
  if (skill === undefined) return { summary: "list the skills", cwd };
  const summary = file === undefined ? `read the skill ${name}` : `read ${oneLine(file, 200)} of the skill ${name}`;
  if (skill.bound === undefined || skill.sealed) return { summary, cwd };
  const path = file ?? skillFile;
  return { summary, cwd, reads: [{ asked: `${skill.source}/${path}`, real: await placeOf(skill, path) }] };
}

const all = (skills: readonly Skill[]): ToolResult => ({
  output: skills.map(({ name, description }) => `${name}: ${description}`).join("\n"),
  title: `${skills.length} skills`,
});

type Closed = NonNullable<SkillToolOptions["closed"]>;

async function body(skill: Skill, closed: Closed): Promise<ToolResult> {
  const text = await textOf(skill, skillFile, closed);
  const files = await filesOf(skill);
  const beside = files.length === 0 ? [] : [`its files, which file shows: ${files.join(", ")}`];
  return {
    output: [`skill ${skill.name}, in ${skill.folder}`, ...beside, "", bodyOf(text).trim()].join("\n"),
    title: `skill ${skill.name} (${skill.source})`,
    metadata: { skill: skill.name, source: skill.source },
  };
}

async function beside(skill: Skill, file: string, closed: Closed): Promise<ToolResult> {
  const output = await textOf(skill, file, closed);
  return {
    output: output === "" ? "(the file is empty)" : output,
    title: `${oneLine(file, 200)} of skill ${skill.name}`,
    metadata: { skill: skill.name, source: skill.source, file },
  };
}

/** Finds the real path of a skill's file. @throws ToolRefusal where that is not in its folder. */
async function placeOf({ name, folder }: Skill, file: string): Promise<string> {
  const asked = join(folder, file);
  const real = isInside(folder, asked) ? await realpath(asked).catch(() => undefined) : asked;
  if (real === undefined) throw new ToolRefusal("NOT_FOUND", `the skill ${name} has no file ${file}`);
  if (real !== folder && isInside(folder, asked) && isInside(folder, real)) return real;
  const why = `${file} does not lie in the folder of the skill ${name}: a skill gives no right to what lies elsewhere`;
  throw new ToolRefusal("OUTSIDE_WORKSPACE", why);
}

/** Returns the text that a call shows of a skill: of the project's those bytes alone that the person trusted, as far as they are bound. */
async function textOf(skill: Skill, file: string, closed: Closed): Promise<string> {
  const { name, folder, bound } = skill;
  const real = await placeOf(skill, file);
  const path = relative(folder, real);
  const why = bound === undefined ? closed(real, folder) : undefined;
  if (why !== undefined || isKeyFile(real))
    throw new ToolRefusal("PROTECTED", `${file} is not shown: ${why ?? "it is a key"}`);
  const { handle, stats } = await openRegular(real, file);
  const bytes = await readBounded(handle, stats.size, largestFile, file).finally(() => handle.close());
  const sha = bound === undefined || !Object.hasOwn(bound, path) ? undefined : bound[path];
  const mustHold = bound !== undefined && (sha !== undefined || skill.sealed === true || path === skillFile);
  if (mustHold && sha !== sha256(bytes))
    throw new ToolRefusal("STALE", `${file} of the skill ${name} is not what the person trusted: it is not read`);
  if (bytes.includes(0)) throw new ToolRefusal("BINARY", `${file} is not a text`);
  return bytes.toString("utf8");
}

const mostFiles = 50;
const maxDepth = 3;

/** Lists the files that come with it, by paths in its folder; links and hidden names left out. */
async function filesOf({ folder, sealed, bound }: Skill): Promise<string[]> {
  const found = sealed === true ? Object.keys(bound ?? {}) : await below(folder, "", 0);
  return found
    .filter((path) => path !== skillFile)
    .sort()
    .slice(0, mostFiles)
    .map((path) => oneLine(path, 200));
}

async function below(folder: string, at: string, depth: number): Promise<string[]> {
  const entries = await readdir(join(folder, at), { withFileTypes: true }).catch(() => []);
  const found: string[] = [];
  for (const entry of entries) {
    const path = at === "" ? entry.name : `${at}/${entry.name}`;
    if (found.length > mostFiles || entry.name.startsWith(".")) continue;
    if (entry.isFile()) found.push(path);
    else if (entry.isDirectory() && depth < maxDepth) found.push(...(await below(folder, path, depth + 1)));
  }
  return found;
}
