import { storeSuite } from "./suite/store-suite.ts";
import { open, places, reopened } from "./support.ts";

for (const [where, place] of places)
  storeSuite(`SQLite ${where}`, { open: (options) => open({ ...options, file: place() }), reopened });
