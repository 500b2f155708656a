import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { openPlace, type Place } from "./cli.ts";
import type { Answer } from "./model-server.ts";

const folder = ".holdfast/tools";

/** A tool file whose tool has this name, and these further fields as they are written. */
export const toolFile = (name: string, fields: string): string =>
  `import { defineTool, z } from "holdfast";
export default defineTool({ name: "${name}", description: "Tool ${name}.", args: z.object({}), ${fields} });
`;

/** A tool of the project that has a helper's session work on each task, side by side. */
export const askHelpersFile = `import { defineTool, z } from "holdfast";
export default defineTool({
  name: "ask_helpers",
  description: "Hands each task to a helper.",
  args: z.object({ tasks: z.array(z.string()) }),
  risk: "low",
  effect: "child",
  async execute({ tasks }, ctx) {
    const ends = await Promise.all(tasks.map((task, i) => ctx.runChild({ task, agent: "helper " + (i + 1) })));
    return ends.map(({ status, text }) => status + ": " + text).join("\\n");
  },
});
`;

/** A place whose project has these files of tools, trusted. */
export async function placeWithTools(files: Record<string, string>, answers: Answer[] = []): Promise<Place> {
  const place = await openPlace(answers);
  for (const [name, text] of Object.entries(files)) await place.write(`${folder}/${name}`, text);
  await trustAll(place);
  return place;
}

export async function trustAll(place: Place): Promise<void> {
  const { code, stderr } = await place.run(["trust", "--yes"]);
  if (code !== 0) throw new Error(stderr);
}

/** Processes of tools that run in this folder. */
export function toolProcesses(workspace: string): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, "latin1");
        return command.includes("tool-host.js") && readlinkSync(`/proc/${pid}/cwd`) === workspace;
      } catch {
        return false; // it is gone, or no process
      }
    });
}
