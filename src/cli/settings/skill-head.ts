import { isSkillName } from "../../core/skill.ts";
import { agentFiles } from "../../words/en/agent-files.ts";
import { skills as words } from "../../words/en/skills.ts";
import { readYaml, withQuotes } from "./agent-file.ts";

/** The head of a SKILL.md, as agentskills.io has it; keys that are not known are not looked at. */
export interface SkillHead {
  name: string;
  /** One line. */
  description: string;
  /** Tools that it wishes for; it gets none by that. */
  wishes: boolean;
}

const known = ["name", "description", "compatibility", "allowed-tools"] as const;
type Keys = Partial<Record<(typeof known)[number], unknown>>;

/** Characters, by agentskills.io. */
const mostDescription = 1_024;
const mostCompatibility = 500;

/**
 * @param front what stands between its two lines of `---`
 * @param folder its folder's name, which is the skill's
 * @returns what is wrong with it, in words, where it is none.
 */
export function readSkillHead(
  front: string | undefined,
  folder: string,
): SkillHead | { wrong: string } | Promise<SkillHead | { wrong: string }> {
  if (front === undefined) return { wrong: agentFiles().noHead };
  const plain = plainKeys(front);
  if (plain !== undefined) return headOf(plain, folder);
  return yamlKeys(front).then((read) => ("wrong" in read ? read : headOf(read.keys, folder)));
}

function headOf(found: Keys, folder: string): SkillHead | { wrong: string } {
  const { name, description, compatibility } = found;
  if (typeof name !== "string" || !isSkillName(name)) return { wrong: words().nameShape };
  if (name !== folder) return { wrong: words().otherFolder({ name }) };
  const line = typeof description === "string" ? said(description) : "";
  if (typeof description !== "string" || line === "") return { wrong: words().noDescription };
  if (description.length > mostDescription) return { wrong: words().longDescription({ most: mostDescription }) };
  if (typeof compatibility === "string" && compatibility.length > mostCompatibility)
    return { wrong: words().longCompatibility({ most: mostCompatibility }) };
  return { name, description: line, wishes: found["allowed-tools"] !== undefined };
}

/** In one line. Most are that already, and tables of Unicode take long to load. */
const said = (text: string): string =>
  /^[!-~]+(?: [!-~]+)*$/u.test(text) ? text : text.replaceAll(/[\s\p{C}]+/gu, " ").trim();

/**
 * The keys of plain lines `key: words`, which most skills have: there may be hundreds, and the parser of YAML takes longer to load than they
 * all to be read. Undefined where any that is looked at could mean another thing in YAML.
 */
function plainKeys(front: string): Keys | undefined {
  // Line ends of YAML, or of some of its readers, that are none here.
  if (/\r(?!\n)|[\u0085\u2028\u2029]/.test(front)) return undefined;
  const found: Record<string, string> = {};
  let isOpen: boolean | undefined = false;
  for (const line of front.split("\n")) {
    if (/^\w/.test(line)) isOpen = addPair(line, found);
    // Blank, a comment, or a further line of a value that is not looked at.
    else if (!/^\s*(?:#|$)/.test(line) && (isOpen || !/^[\s-]/.test(line))) return undefined;
    if (isOpen === undefined) return undefined;
  }
  return found;
}

/**
 * @param line begins with a letter, a digit or `_`
 * @returns whether its key is looked at; undefined where it is no plain line.
 */
function addPair(line: string, found: Record<string, string>): boolean | undefined {
  const end = line.indexOf(":");
  const key = line.slice(0, end);
  const after = line.slice(end + 1);
  const isPair = end > 0 && /^[\w-]+$/.test(key) && /^(?:\s|$)/.test(after) && !Object.hasOwn(found, key);
  if (!isPair || !(known as readonly string[]).includes(key)) return isPair ? false : undefined;
  const plain = plainValue(after.trim());
  if (plain === undefined) return undefined;
  found[key] = plain;
  return true;
}

function plainValue(value: string): string | undefined {
  const [, single, double] = /^(?:'([^']*)'|"([^"\\]*)")$/u.exec(value) ?? [];
  if (single !== undefined || double !== undefined) return single ?? double;
  return (/^[a-z0-9]/iu.test(value) || /^[\p{L}\p{N}]/u.test(value)) && !/:(?:\s|$)|\s#/u.test(value)
    ? value
    : undefined;
}

async function yamlKeys(front: string): Promise<{ keys: Keys } | { wrong: string }> {
  const read = await readYaml(front, withQuotes);
  if ("wrong" in read) return read;
  const { value } = read;
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? { keys: value }
    : { wrong: words().noKeys };
}
