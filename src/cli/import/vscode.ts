import { importing } from "../../words/en/importing.ts";
import type { FoundSetting, Gathered } from "./found.ts";
import { serversIn } from "./servers.ts";
import { settled } from "./settled.ts";
import { type Looked, objectOf, otherSettings, readSources } from "./sources.ts";

/** Its folders of the person, on Linux and on macOS. */
const folders = ["Code", "Code - Insiders", "VSCodium"].flatMap((name) => [
  `.config/${name}/User`,
  `Library/Application Support/${name}/User`,
]);

const reasons = () => ({ inputs: importing().inputsLeft });

/** Finds the servers in Visual Studio Code's files: the rest of its settings is an editor's. */
export async function fromVscode(at: Looked): Promise<FoundSetting[]> {
  const into: Gathered = { found: [], entries: [] };
  const files = { user: folders.map((folder) => `${folder}/mcp.json`), project: [".vscode/mcp.json"] };
  for (const scope of ["user", "project"] as const) {
    const wanted = files[scope].map((path) => ({ path }));
    for (const source of await readSources(at, scope, wanted, into)) {
      const said = objectOf(source, into);
      if (said === undefined) continue;
      await serversIn(source, said["servers"], { program: "vscode" }, at, into);
      otherSettings(source, said, ["servers"], reasons(), into);
    }
  }
  return settled(into, "strictest");
}
