import { loadDriver } from "../../src/store/sqlite/driver/load-driver.ts";

/** Says which library the store has here, once it has opened a file. */
const [file = ""] = process.argv.slice(2);

const driver = await loadDriver();
driver.open(file, { blockMs: 0, make: true }).close();
process.stdout.write(`${driver.name}\n`);
