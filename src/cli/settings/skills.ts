import { type Dirent, readdirSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { sha256 } from "../../core/json.ts";
import { frontOf, largestSkill, type Skill, skillFile } from "../../core/skill.ts";
import { readThere } from "../../files/bytes/read-regular.ts";
import { isProjectSkill, mayHaveSkills, userSkillFolders } from "../../policy/files/other-skills.ts";
import { isTrusted, type TrustState } from "../../policy/files/trust.ts";
import { otherWriter } from "./others-write.ts";
import type { SkillHead } from "./skill-head.ts";

/** Skills that count for work in one folder, and what is left out, each with why. */
export interface FoundSkills {
  skills: Skill[];
  leftOut: LeftOutSkill[];
  /** Of those that count, where they lie: these wish for tools, and are given none by that. */
  wishing: string[];
}

/** `untold`: whoever asks for skills is told, and not each session. */
export interface LeftOutSkill {
  name: string;
  why: string;
  untold?: true;
}

export interface SkillPlaces {
  configDir: string;
  home: string | undefined;
  workspace: string;
  /** Asked only where the project may have skills. */
  trusted(): Promise<TrustState>;
}

/**
 * The person's skills, those beside their settings first, then the project's as far as they are trusted with these very bytes, its own
 * first. A name counts once, of the first that has it: none of the project's takes the place of one of the person's.
 */
export async function findSkills(places: SkillPlaces): Promise<FoundSkills> {
  const { configDir, home, workspace, trusted } = places;
  const found = new Found();
  for (const [folder, shown] of userFolders(configDir, home)) await addUsers(folder, shown, found);
  if (!mayHaveSkills(workspace)) return found;
  const state = await trusted();
  for (const path of skillPathsOf(state)) await addProjects(path, state, found);
  return found;
}

/** The project's files of skills in the order in which they count: its own first. */
export function skillPathsOf({ files }: TrustState): string[] {
  const paths = files.map(({ path }) => path).filter(isProjectSkill);
  return [...paths.filter(isOwn), ...paths.filter((path) => !isOwn(path))];
}

/** Skills as a person reads of them before they trust them. */
export const countOfSkills = ({ length }: readonly unknown[]): string[] =>
  length === 0 ? [] : [`${length} skill${length === 1 ? "" : "s"}`];

const isOwn = (path: string): boolean => path.startsWith(".holdfast/");

/** A person's places, and how a skill of each is named. */
function userFolders(configDir: string, home: string | undefined): [folder: string, shown: string][] {
  const others =
    home === undefined ? [] : userSkillFolders.map((one): [string, string] => [join(home, one), `~/${one}`]);
  return [[join(configDir, "skills"), "skills"], ...others];
}

async function addUsers(folder: string, shown: string, found: Found): Promise<void> {
  const entries = entriesIn(folder);
  const others = entries.length === 0 ? undefined : otherWriter(folder);
  if (others !== undefined) return void found.leave(shown, `the folder ${others}`);
  for (const name of entries) {
    const read = userText(join(folder, name, skillFile));
    if (read === undefined) continue;
    if ("wrong" in read) found.leave(`${shown}/${name}`, read.wrong);
    else await found.add(name, read.text, { source: `${shown}/${name}`, folder: dirname(read.real) });
  }
}

const mostSkills = 1_000;

/** Names of folders that may be skills, in their order. */
function entriesIn(folder: string): string[] {
  const mayBe = (entry: Dirent): boolean => entry.isDirectory() || entry.isSymbolicLink();
  try {
    const entries = readdirSync(folder, { withFileTypes: true }).filter(mayBe);
    return entries
      .map(({ name }) => name)
      .sort()
      .slice(0, mostSkills);
  } catch {
    return []; // not there, or no folder
  }
}

/** Of a skill of the person's own no more than its beginning is read; undefined where there is none. */
function userText(path: string): { text: string; real: string } | { wrong: string } | undefined {
  let real: string;
  try {
    real = realpathSync.native(path);
  } catch {
    return undefined;
  }
  const others = otherWriter(real);
  if (others !== undefined) return { wrong: `its file ${others}` };
  const read = readThere(real, (file) =>
    file.size > largestSkill ? { wrong: tooLarge } : { text: file.read(0, mostHead).toString("utf8"), real },
  );
  return read ?? { wrong: "it is no regular file that can be read" };
}

/** Bytes; its description lies in them. */
const mostHead = 8_000;

const tooLarge = `it is larger than ${largestSkill / 1_000} kB`;

async function addProjects(path: string, state: TrustState, found: Found): Promise<void> {
  const { workspace, files } = state;
  const text = files.find((file) => file.path === path)?.text ?? "";
  const name = basename(dirname(path));
  if (!isTrusted(state, path, text)) {
    if (state.state === "trusted") found.leave(path, "it is no UTF-8 text");
    else found.leave(path, "it waits for your trust (agent trust)", true);
    return;
  }
  if (Buffer.byteLength(text) > largestSkill) return found.leave(path, tooLarge);
  const folder = dirname(join(workspace, path));
  const below = `${dirname(path)}/`;
  const bound = Object.fromEntries(
    files.filter((file) => file.path.startsWith(below)).map((file) => [file.path.slice(below.length), file.sha]),
  );
  const from = { source: dirname(path), folder: realpathSync(folder), bound };
  await found.add(name, text, { ...from, ...(isOwn(path) ? { sealed: true as const } : {}) });
}

type From = Pick<Skill, "source" | "folder" | "bound" | "sealed">;

class Found implements FoundSkills {
  readonly skills: Skill[] = [];
  readonly leftOut: LeftOutSkill[] = [];
  readonly wishing: string[] = [];
  readonly #byName = new Map<string, { source: string; folder: string; sha: string }>();

  /** @param folder its name */
  async add(folder: string, text: string, { source, folder: real, bound, sealed }: From): Promise<void> {
    const { readSkillHead } = await import("./skill-head.ts");
    const head: SkillHead | { wrong: string } = await readSkillHead(frontOf(text)?.front, folder);
    if ("wrong" in head) return this.leave(source, head.wrong);
    const { name, description, wishes } = head;
    const sha = sha256(text);
    const known = this.#byName.get(name);
    if (known !== undefined) {
      // The same one by another way hides nothing.
      const isSame = known.folder === real || known.sha === sha;
      return this.leave(source, `another one has this name, and comes first: ${known.source}`, isSame);
    }
    this.#byName.set(name, { source, folder: real, sha });
    if (wishes) this.wishing.push(source);
    this.skills.push({
      ...{ name, description, source, folder: real },
      ...(bound === undefined ? {} : { bound }),
      ...(sealed === undefined ? {} : { sealed }),
    });
  }

  leave(name: string, why: string, untold = false): void {
    this.leftOut.push({ name, why, ...(untold ? { untold: true as const } : {}) });
  }
}

/** What is left out and each session is told of, in one line. */
export function leftOutNotices(leftOut: readonly LeftOutSkill[]): { code: string; text: string }[] {
  const told = leftOut.filter(({ untold }) => untold !== true);
  if (told.length === 0) return [];
  const lines = told.slice(0, mostTold).map(({ name, why }) => `${name} (${why})`);
  const more = told.length > mostTold ? [`and ${told.length - mostTold} more (agent skills)`] : [];
  return [{ code: "skill_left_out", text: `skills left out: ${[...lines, ...more].join("; ")}` }];
}

const mostTold = 8;
