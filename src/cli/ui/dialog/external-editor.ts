import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

type Env = Readonly<Record<string, string | undefined>>;

/** The person's editor as a shell would run it. */
export const editorOf = (env: Env): string => env["VISUAL"] || env["EDITOR"] || "vi";

/**
 * Lets the person edit a text in their own editor, in a private file that is gone afterwards. The terminal must have been
 * handed over. `name` is the file's, for the editor to know its language. The editor's command line may hold arguments, as git takes them.
 *
 * @returns the text as saved, or undefined when the editor failed: then nothing counts.
 */
export async function editExternally(
  text: string,
  name: string,
  editor: string,
  env: Env,
): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "holdfast-edit-"));
  const file = join(folder, name);
  try {
    await writeFile(file, text, { mode: 0o600 });
    const code = await run(editor, file, env);
    if (code !== 0) return undefined;
    const after = await readFile(file, "utf8");
    // Editors end the last line, whether it was ended or not.
    return text.endsWith("\n") ? after : after.replace(/\n$/, "");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function run(editor: string, file: string, env: Env): Promise<number | null> {
  return new Promise((resolve) => {
    const child = spawn("/bin/sh", ["-c", `${editor} "$1"`, "sh", file], { stdio: "inherit", env: { ...env } });
    child.once("error", () => resolve(null));
    child.once("exit", (code) => resolve(code));
  });
}
