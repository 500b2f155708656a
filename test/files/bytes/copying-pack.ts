// Copies a pack of two contents, of which one is wanted, as a fork does; for a look at what is on disk by then.
import { closeSync, fsyncSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../../src/core/json.ts";
import { copyPack, packFiles, readPack } from "../../../src/files/bytes/pack-file.ts";

const [, , home = ""] = process.argv;
const kept = join(home, "kept");
mkdirSync(kept);
const above = openSync(home, "r");
fsyncSync(above);
closeSync(above);
const [wanted, other] = [Buffer.from("wanted"), Buffer.from("other")];
const { bytes, index } = packFiles(join(kept, "from"));
writeFileSync(bytes, Buffer.concat([other, wanted]));
writeFileSync(index, `${sha256(other)} 0 ${other.length}\n${sha256(wanted)} ${other.length} ${wanted.length}\n`);
process.stdout.write("begun\n");
copyPack(readPack(join(kept, "from")), join(kept, "to"), [sha256(wanted)]);
process.stdout.write("copied\n");
