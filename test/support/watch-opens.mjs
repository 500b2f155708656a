/*
 * Loaded before a program: writes down each file of the store in STORE_WATCHED that its JavaScript opens, in STORE_OPENED. SQLite opens
 * them without asking Node, so that nothing at all is to be written there.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const opening = [
  ...["open", "openSync", "readFile", "readFileSync", "writeFile", "writeFileSync", "appendFile", "appendFileSync"],
  ...["copyFile", "copyFileSync", "truncate", "truncateSync", "createReadStream", "createWriteStream", "cp", "cpSync"],
];
const { statSync, appendFileSync } = fs;
const identity = (path) => {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? "" : `${found.dev}:${found.ino}`;
};

function look(name, path) {
  const asked = identity(path);
  const store = process.env.STORE_WATCHED ?? "";
  const ours = ["", "-wal", "-shm", "-journal"].some((end) => asked !== "" && identity(`${store}${end}`) === asked);
  if (ours) appendFileSync(process.env.STORE_OPENED ?? "/dev/null", `${name} ${path}\n`);
}

for (const of of [fs, fs.promises])
  for (const name of opening) {
    const original = of[name];
    if (typeof original !== "function") continue;
    of[name] = Object.assign((...args) => {
      try {
        look(name, args[0]);
      } catch {
        // What cannot be looked at cannot be opened either.
      }
      return Reflect.apply(original, of, args);
    }, original);
  }
syncBuiltinESMExports();
