import { type Dirent, readdirSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Sha, sha256 } from "../../core/json.ts";
import { frontOf, largestSkill, type Skill, skillFile } from "../../core/skill.ts";
import { isInside } from "../../files/boundary.ts";
import { readOwn } from "../../files/bytes/read-regular.ts";
import { isProjectSkill, mayHaveSkills, userSkillFolders } from "../../policy/files/other-skills.ts";
import type { ProjectFile, TrustState } from "../../policy/files/trust.ts";
import { cells as cellWords } from "../../words/en/cells.ts";
import { skills as words } from "../../words/en/skills.ts";
import { otherWriter, otherWriterOf } from "./others-write.ts";
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
  await addProjects(await trusted(), found);
  return found;
}

/** Paths of a project's skills. */
export const skillPathsOf = ({ files }: Pick<TrustState, "files">): string[] => inOrder(files).map(({ path }) => path);

/** Those of skills, as they count: the project's own first. */
function inOrder(files: readonly ProjectFile[]): ProjectFile[] {
  const [own, others]: [ProjectFile[], ProjectFile[]] = [[], []];
  for (const file of files) if (isProjectSkill(file.path)) (isOwn(file.path) ? own : others).push(file);
  return [...own, ...others];
}

/** Skills as a person reads of them before they trust them. */
export const countOfSkills = ({ length }: readonly unknown[]): string[] =>
  length === 0 ? [] : [cellWords().skills({ count: length })];

const isOwn = (path: string): boolean => path.startsWith(".holdfast/");

/** A person's places, and how a skill of each is named. */
function userFolders(configDir: string, home: string | undefined): [folder: string, shown: string][] {
  const others =
    home === undefined ? [] : userSkillFolders.map((one): [string, string] => [join(home, one), `~/${one}`]);
  return [[join(configDir, "skills"), "skills"], ...others];
}

async function addUsers(folder: string, shown: string, found: Found): Promise<void> {
  const entries = entriesIn(folder);
  if (entries.length === 0) return;
  const others = otherWriter(folder);
  if (others !== undefined) return found.leave(shown, `the folder ${others}`);
  const real = realpathSync.native(folder);
  const { readSkillHead } = await import("./skill-head.ts");
  for (const entry of entries) {
    const path = `${real}/${entry.name}`;
    const own = entry.isSymbolicLink() ? realOf(path) : path;
    const read = own === undefined ? undefined : userText(own);
    if (own === undefined || read === undefined) continue;
    const source = `${shown}/${entry.name}`;
    if ("wrong" in read) found.leave(source, read.wrong);
    else {
      const { text } = read;
      await found.add(readSkillHead(frontOf(text)?.front, entry.name), { text, source, folder: own });
    }
  }
}

const mostSkills = 1_000;

/** Folders that may be skills, in the order of their names. */
function entriesIn(folder: string): Dirent[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .slice(0, mostSkills);
  } catch {
    return []; // not there, or no folder
  }
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

type UserText = { text: string } | { wrong: string };

/** Of a skill of the person's own no more than its beginning is read; undefined where there is none. @param folder links resolved */
function userText(folder: string): UserText | undefined {
  const path = `${folder}/${skillFile}`;
  const read = userHead(path) ?? linkedHead(folder, path);
  if (read === undefined || "wrong" in read) return read;
  const others = otherWriter(folder);
  return others === undefined ? read : { wrong: `its folder ${others}` };
}

/** Undefined where it is no regular file: a link is none. */
const userHead = (real: string): UserText | undefined =>
  readOwn(real, ({ size, stats, read }): UserText => {
    const others = otherWriterOf(stats);
    if (others !== undefined) return { wrong: `its file ${others}` };
    return size > largestSkill ? { wrong: tooLarge() } : { text: read(0, Math.min(size, mostHead)).toString("utf8") };
  });

function linkedHead(folder: string, path: string): UserText | undefined {
  const leads = realOf(path);
  if (leads === undefined) return undefined;
  if (!isInside(folder, leads)) return { wrong: words().leadsOut({ file: skillFile }) };
  return (leads === path ? undefined : userHead(leads)) ?? { wrong: words().noFile };
}

/** Bytes; its description lies in them. */
const mostHead = 8_000;

const tooLarge = (): string => words().tooLarge({ kilobytes: largestSkill / 1_000 });

/** The project's files of skills in the order in which they count, each with what is bound with it. */
function projectSkills({ files }: TrustState): { file: ProjectFile; bound: Record<string, Sha> }[] {
  const bounds = new Map<string, Record<string, Sha>>();
  for (const { path, sha } of files) {
    const [, folder, below] = /^((?:\.\.\/)*\.\w+\/skills\/[^/]+)\/(.+)$/u.exec(path) ?? [];
    if (folder === undefined || below === undefined) continue;
    const bound = bounds.get(folder) ?? {};
    bounds.set(folder, bound);
    bound[below] = sha;
  }
  return inOrder(files).map((file) => ({ file, bound: bounds.get(dirname(file.path)) ?? {} }));
}

async function addProjects(state: TrustState, found: Found): Promise<void> {
  const { readSkillHead } = await import("./skill-head.ts");
  for (const { file, bound } of projectSkills(state)) {
    const { path, text } = file;
    if (state.state !== "trusted") found.leave(path, words().waits, true);
    else if (!isText(file)) found.leave(path, words().noText);
    else if (text.length > largestSkill) found.leave(path, tooLarge());
    else {
      const source = dirname(path);
      const lies = { source, folder: folderOf(state.workspace, file), bound };
      const from = { text, ...lies, ...(isOwn(path) ? { sealed: true as const } : {}) };
      await found.add(readSkillHead(frontOf(text)?.front, basename(source)), from);
    }
  }
}

/** Bytes that are no UTF-8 stand as U+FFFD. */
const isText = ({ text, sha }: ProjectFile): boolean => !text.includes("\uFFFD") || sha256(text) === sha;

/** The folder of a skill's file, links resolved: not that to which the file itself leads. */
function folderOf(workspace: string, { path, real }: ProjectFile): string {
  const asked = join(workspace, path);
  return real === asked ? dirname(real) : realpathSync.native(dirname(asked));
}

type Head = SkillHead | { wrong: string };

/** `text` is what its description was read from. */
type From = Pick<Skill, "source" | "folder" | "bound" | "sealed"> & { text: string };

class Found implements FoundSkills {
  readonly skills: Skill[] = [];
  readonly leftOut: LeftOutSkill[] = [];
  readonly wishing: string[] = [];
  readonly #byName = new Map<string, From>();

  /** At once where its description is there: there may be hundreds. */
  add(head: Head | Promise<Head>, from: From): Promise<void> | undefined {
    if (head instanceof Promise) return head.then((read) => this.#add(read, from));
    this.#add(head, from);
    return undefined;
  }

  #add(head: Head, from: From): void {
    const { text, ...lies } = from;
    const { source, folder } = lies;
    if ("wrong" in head) {
      this.leave(source, head.wrong);
      return;
    }
    const { name, description, wishes } = head;
    const known = this.#byName.get(name);
    if (known !== undefined) {
      // The same one by another way hides nothing.
      const isSame = known.folder === folder || known.text === text;
      this.leave(source, words().hasName({ source: known.source }), isSame);
      return;
    }
    this.#byName.set(name, from);
    if (wishes) this.wishing.push(source);
    this.skills.push({ name, description, ...lies });
  }

  leave(name: string, why: string, untold = false): void {
    this.leftOut.push({ name, why, ...(untold ? { untold: true as const } : {}) });
  }
}

/** Makes a notice of the skills that are left out and of which each session is told, in one line. */
export function leftOutNotices(leftOut: readonly LeftOutSkill[]): { code: string; text: string }[] {
  const told = leftOut.filter(({ untold }) => untold !== true);
  if (told.length === 0) return [];
  const lines = told.slice(0, mostTold).map(({ name, why }) => `${name} (${why})`);
  const more = told.length > mostTold ? [words().more({ count: told.length - mostTold })] : [];
  return [{ code: "skill_left_out", text: words().leftOut({ names: [...lines, ...more] }) }];
}

const mostTold = 8;
