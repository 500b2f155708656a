import { catchSignals } from "../../src/cli/signals.ts";

/** Says which signals were heard, and never ends by itself. */
const signals = catchSignals(process.stdout, () => process.stdout.write(`stop ${signals.came()}\n`));
setInterval(() => undefined, 60_000);
process.stdout.write("ready\n");
