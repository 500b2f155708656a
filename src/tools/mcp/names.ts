import { sha256 } from "../../core/json.ts";

/** Of a name that had to be changed, or is too long, so many characters stay; a hash of the whole follows. */
const most = 64;
const hashed = 8;

/**
 * Returns the name by which the model calls a server's tool: `mcp__server__tool`. Where that is no name that models' servers take, or could be read
 * as another server's tool or ends as these do, it ends with a hash of both names.
 */
export function toolNameOf(server: string, tool: string): string {
  const [first, second] = [plain(server), plain(tool)];
  const name = `mcp__${first}__${second}`;
  const isAsItWas =
    first === server &&
    second === tool &&
    tool !== "" &&
    !server.includes("__") &&
    !server.endsWith("_") &&
    !/_[0-9a-f]{8}$/u.test(tool);
  if (isAsItWas && name.length <= most) return name;
  const hash = sha256(JSON.stringify([server, tool])).slice(0, hashed);
  return `${name.slice(0, most - hashed - 1)}_${hash}`;
}

/**
 * Returns the name that a person types behind a slash for a server's prompt: `server:prompt`. Where the prompt's name has other signs than letters,
 * digits, _ and -, or could be read as one that was changed, it ends with a hash.
 */
export function promptNameOf(server: string, prompt: string): string {
  const name = plain(prompt);
  const isAsItWas = name === prompt && prompt !== "" && prompt.length <= most && !/_[0-9a-f]{8}$/u.test(prompt);
  if (isAsItWas) return `${server}:${prompt}`;
  return `${server}:${name.slice(0, most - hashed - 1)}_${sha256(prompt).slice(0, hashed)}`;
}

const plain = (name: string): string => name.replace(/[^A-Za-z0-9_-]/gu, "_");
