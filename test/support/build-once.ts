import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Before all tests: the command that the journeys start is the one of these sources. @throws where it cannot be built */
export function setup(): void {
  const script = fileURLToPath(new URL("../../scripts/build.mjs", import.meta.url));
  const { status } = spawnSync(process.execPath, [script, "--if-stale"], { stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw new Error("the command could not be built");
}
