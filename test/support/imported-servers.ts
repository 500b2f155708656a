import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { openPlace, type Place } from "./cli.ts";

type Servers = Record<string, unknown>;

/** What an import of these servers of the person's writes, and all that it says. */
export async function imported(mcpServers: unknown, known: Servers = {}) {
  const place = await openPlace();
  const folder = join(place.home, "person");
  await mkdir(folder);
  const text = typeof mcpServers === "string" ? mcpServers : JSON.stringify({ mcpServers });
  await writeFile(join(folder, ".claude.json"), text);
  const own = join(place.home, "config.json");
  await writeFile(own, JSON.stringify({ mcpServers: known }));
  const env = { HOME: folder };
  const rows = await place.run(["import", "claude", "--json"], { env });
  const ran = await place.run(["import", "claude", "--yes"], { env });
  const listed = await place.run(["mcp", "list"], { env });
  const written = await readFile(own, "utf8");
  const told = [rows, ran, listed].flatMap(({ stdout, stderr }) => [stdout, stderr]).join("\n");
  const whys = rows.stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { kind: string; name: string; why?: string })
    .filter(({ kind }) => kind === "server");
  return {
    ...{ place, ran, told, written },
    servers: (JSON.parse(written) as { mcpServers: Servers }).mcpServers,
    why: Object.fromEntries(whys.map(({ name, why }) => [name, why])),
  };
}

export async function writeAll(folder: string, files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/** A place whose repository has these files, and whose person has those of other programs. */
export async function importPlace(
  repository: Record<string, string>,
  persons: Record<string, string> = {},
): Promise<Place> {
  const place = await openPlace([], repository);
  const person = join(place.home, "person");
  await writeAll(person, { ".keep": "", ...persons });
  Object.assign(place.env, { HOME: person });
  return place;
}

/** What the person's own settings have. */
export async function serversOf(place: Place): Promise<Servers> {
  const text = await readFile(join(place.home, "config.json"), "utf8").catch(() => "{}");
  return (JSON.parse(text) as { mcpServers?: Servers }).mcpServers ?? {};
}
