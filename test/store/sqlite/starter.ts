import { join } from "node:path";
import { openStore } from "../../../src/store/open-store.ts";

/**
 * Another process that starts on one fresh home after another, each at a time that all such processes know: `folder` of the homes,
 * how many, the time of the first and between two of them in milliseconds, and the name of its sessions.
 */
const [folder = "", homes = "0", first = "0", gap = "0", name = ""] = process.argv.slice(2);

for (let home = 0; home < Number(homes); home += 1) {
  const at = Number(first) + home * Number(gap);
  while (Date.now() < at); // to the instant, which a timer is not
  const store = await openStore({ file: join(folder, String(home), "agent.db") });
  await store.sessions.create({ id: name, workspace: "/w", model: "m", title: "t" });
  store.close();
}
