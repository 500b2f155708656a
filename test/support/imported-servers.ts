import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openPlace } from "./cli.ts";

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
