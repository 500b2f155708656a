import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import type { Place, Ran } from "./cli.ts";
import { type McpHttp, openHttpPlace, startMcpHttp } from "./mcp-http.ts";
import type { Answer } from "./model-server.ts";
import { guard, type SignInServer, startSignInServer } from "./sign-in-server.ts";

/** A person's place with a server of tools that lets in those alone who signed in at another one. */
export interface Scene {
  web: McpHttp;
  server: SignInServer;
  place: Place;
  described: Record<string, unknown>;
}

export async function openScene({
  entry = {},
  answers = [],
}: {
  entry?: object;
  answers?: Answer[];
} = {}): Promise<Scene> {
  const [web, server] = [await startMcpHttp(), await startSignInServer()];
  const { described } = guard(web, server);
  return { web, server, described, place: await openHttpPlace(web, answers, { trusted: false, entry }) };
}

/** Of something that a test waits for. */
export function signal(): { came: Promise<void>; comes: () => void } {
  let comes: () => void = () => undefined;
  const came = new Promise<void>((resolve) => {
    comes = resolve;
  });
  return { came, comes };
}

/** The page that a sign-in waits at. */
export const pageIn = (stdout: string): string => /^ {2}(http\S+response_type=\S+)$/mu.exec(stdout)?.[1] ?? "";

/** A sign-in in which the person goes to the page. */
export async function signIn({ place }: Pick<Scene, "place">): Promise<Ran> {
  const login = place.spawn(["mcp", "login", "web", "--yes"]);
  await login.shows("response_type=");
  await fetch(pageIn(login.stdout()));
  return login.done;
}

/** One where the person is signed in, and trusts the server. */
export async function signedInScene(answers: Answer[] = [], before?: (scene: Scene) => Promise<void>): Promise<Scene> {
  const scene = await openScene({ answers });
  await before?.(scene);
  expect(await signIn(scene)).toMatchObject({ code: 0 });
  expect(await scene.place.run(["mcp", "trust", "web", "--yes"])).toMatchObject({ code: 0 });
  return scene;
}

/** The file of the one sign-in that is kept. */
export async function rowFile({ home }: Place): Promise<string> {
  const folder = join(home, "secrets", "sign-ins");
  return join(folder, (await readdir(folder)).find((name) => name.endsWith(".json")) ?? "");
}

/** Has the server's entry be another one. */
export const writeEntry = ({ home }: Place, entry: object): Promise<void> =>
  writeFile(join(home, "config.json"), JSON.stringify({ mcpServers: { web: { type: "http", ...entry } } }));

/** Words of a shell that a keyring's program does at the beginning of what it is asked for. */
export type Does = Partial<Record<"store" | "stored" | "lookup" | "clear", string>>;

/** A keyring of the one value, in the place of the system's. @returns what changes how it behaves, and its value */
export async function giveKeyring(
  place: Place,
): Promise<{ behaves(does: Does): Promise<void>; value(): Promise<string> }> {
  const [bin, ring] = [join(place.home, "bin"), join(place.home, "ring")];
  await mkdir(bin);
  const tool = join(bin, "secret-tool");
  const behaves = async ({ store = "", stored = "", lookup = "", clear = "" }: Does): Promise<void> => {
    const arms = [
      `store) ${store}\n cat > '${ring}'\n ${stored}\n ;;`,
      `lookup) ${lookup}\n cat '${ring}' ;;`,
      `clear) ${clear}\n rm -f '${ring}' ;;`,
    ];
    await writeFile(tool, `#!/bin/sh\ncase "$1" in\n${arms.join("\n")}\nesac\n`);
    await chmod(tool, 0o700);
  };
  await behaves({});
  place.env["PATH"] = `${bin}:${process.env["PATH"]}`;
  return { behaves, value: async () => Buffer.from(await readFile(ring, "utf8"), "base64").toString("utf8") };
}
