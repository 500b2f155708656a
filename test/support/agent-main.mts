/** The command `agent` from its source, for journeys that need a process of their own: what bin/agent.js does, without a build. */
import { main } from "../../src/cli/main.ts";

const code = await main(process.argv.slice(2), process);
process.exitCode = code;
process.stdout.write("", () => process.stderr.write("", () => process.exit()));
