import { type Dirent, lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { skillFile } from "../../core/skill.ts";
import { isInside } from "../../files/boundary.ts";
import { repositoryRoot } from "../../files/project-root.ts";
import { type Ignored, ignoredIn } from "./project-ignores.ts";

/** The folders in which other programs have a project's skills, and those of a person, below their home. */
const projectFolders = [".agents/skills", ".claude/skills", ".opencode/skills"];
export const userSkillFolders = [".agents/skills", ".claude/skills", ".config/opencode/skills"];

/** The project's own, relative to the workspace; `.holdfast` is read whole. */
const ownFolder = ".holdfast/skills";

/** More than this nobody has written for one project. */
const mostSkills = 500;

export const isSkillFolder = (path: string, whose: "user" | "project"): boolean =>
  (whose === "user" ? userSkillFolders : projectFolders).includes(path);

const skillPath = /^(?:\.holdfast|(?:\.\.\/)*\.(?:agents|claude|opencode))\/skills\/([^/]+)\/SKILL\.md$/u;

/** Tells whether a file of the project, by its path relative to the workspace, is one of a skill. */
export const isProjectSkill = (path: string): boolean => skillPath.test(path);

/** Tells whether any folder is there in which a project may have skills: only then they are looked for. */
export const mayHaveSkills = (workspace: string): boolean =>
  [join(workspace, ownFolder), ...placesOf(workspace)].some(isFolder);

/**
 * Skills that a project has for other programs, relative to the workspace, from its folder up to the root of the repository; none that git
 * ignores. A folder that leads out of the project stands for what is in it.
 * @param root of the workspace, links resolved
 */
export async function otherSkillFiles(root: string): Promise<string[]> {
  const places = placesOf(root).filter(isFolder);
  if (places.length === 0) return [];
  const isIgnored = await ignoredIn(root);
  const top = repositoryRoot(root) ?? root;
  const found: string[] = [];
  for (const place of places) {
    const folder = relative(root, place);
    if (await isIgnored(folder, true)) continue;
    if (isInside(top, realpathSync(place))) found.push(...(await skillsIn(root, folder, isIgnored)));
    else found.push(folder);
  }
  return found.slice(0, mostSkills);
}

async function skillsIn(root: string, folder: string, isIgnored: Ignored): Promise<string[]> {
  const found: string[] = [];
  const real = realpathSync.native(join(root, folder));
  for (const entry of entriesOf(real)) {
    const below = `${entry.name}/${skillFile}`;
    const kind = kindOf(`${real}/${below}`);
    if (kind === undefined) continue;
    const leads = kind === "plain" && entry.isDirectory() ? `${real}/${below}` : undefined;
    if (!(await isIgnored(`${folder}/${below}`, false, leads))) found.push(`${folder}/${below}`);
  }
  return found;
}

/** Absolute; those nearest to the workspace first. */
function placesOf(workspace: string): string[] {
  const top = repositoryRoot(workspace) ?? workspace;
  const found: string[] = [];
  for (let at = workspace; ; at = dirname(at)) {
    found.push(...projectFolders.map((folder) => join(at, folder)));
    if (at === top || at === dirname(at)) return found;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false; // it may not be looked at, or leads round
  }
}

/** Lists the entries that may be folders of skills, in the order of their names. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return []; // it cannot be read
  }
}

/** Tells whether a path itself lies there (`plain`) or is a link to something (`link`); undefined where neither is seen. */
function kindOf(path: string): "plain" | "link" | undefined {
  try {
    const kind = lstatSync(path, { throwIfNoEntry: false });
    if (kind?.isSymbolicLink() !== true) return kind && "plain";
    return statSync(path, { throwIfNoEntry: false }) && "link";
  } catch {
    return undefined; // it may not be looked at, or leads round
  }
}
