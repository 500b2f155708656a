import { createProgramHashes } from "../../src/tools/shell/reading/program-hash.ts";

/** Prints how each of the programs given is bound, for the user that it runs as. */
const bound = await createProgramHashes()(process.argv.slice(2).map((path) => ({ path })));
process.stdout.write(JSON.stringify(bound));
