import { renameSync } from "node:fs";
import { argv } from "node:process";

/** Exchanges two names in a loop until it is ended: what is `one` at one instant is `other` at the next. */
const [one = "", other = ""] = argv.slice(2);
process.stdout.write("ready\n");
for (;;) {
  renameSync(one, `${one}.aside`);
  renameSync(other, one);
  renameSync(one, other);
  renameSync(`${one}.aside`, one);
}
