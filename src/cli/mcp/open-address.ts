import { spawn } from "node:child_process";
import { realpathSync } from "node:fs";
import { platform } from "node:process";
import { isInside } from "../../files/boundary.ts";
import { findProgram } from "../../process/find-program.ts";
import { childPath } from "../../tools/shell/running/surroundings.ts";

interface Around {
  env: Readonly<Record<string, string | undefined>>;
  workspace: string;
}

/**
 * Shows an address in the person's browser: by the first program of BROWSER, else by the system's opener. The address is one word of its arguments, and no
 * shell reads it; a program in the workspace is none.
 * @returns the program; undefined where there is none to be seen
 */
export async function openAddress(url: URL, { env, workspace }: Around): Promise<string | undefined> {
  const words = openerOf(env);
  if (words === undefined) return undefined;
  const { path } = childPath({ env, shellPath: [] }, [workspace]);
  const [name = "", ...rest] = words;
  const program = await findProgram(name, "/", path);
  if (program === undefined || isInside(workspace, program) || isInside(workspace, realpathSync(program)))
    return undefined;
  const has = rest.some((word) => word.includes("%s"));
  const args = has ? rest.map((word) => word.replaceAll("%s", () => url.href)) : [...rest, url.href];
  return new Promise((resolve) => {
    const own = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined));
    const child = spawn(program, args, { cwd: "/", env: { ...own, PATH: path }, detached: true, stdio: "ignore" });
    child.once("error", () => resolve(undefined)).once("spawn", () => resolve(name));
    child.unref();
  });
}

function openerOf(env: Around["env"]): string[] | undefined {
  const named = (env["BROWSER"] ?? "").split(":", 1)[0]?.split(/\s+/u).filter(Boolean) ?? [];
  if (named.length > 0) return named;
  if (platform === "darwin") return ["open"];
  // Without a screen it would draw into this terminal.
  return (env["DISPLAY"] ?? "") + (env["WAYLAND_DISPLAY"] ?? "") === "" ? undefined : ["xdg-open"];
}
