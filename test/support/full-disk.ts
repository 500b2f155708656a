import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { main } from "../../src/cli/main.ts";

/**
 * Run with a small file system mounted at `home`: the same run again and again, with ever more room left for the store, then with
 * room enough. Prints a line of JSON for each.
 */
const [home = "", work = "", ...rooms] = process.argv.slice(2);

const script = [
  { v: 1, kind: "holdfast-script" },
  { calls: [{ name: "edit_file", arguments: { file_path: "a.txt", old_string: "old", new_string: "new" } }] },
  { text: "Done." },
];

async function agent(place: string, argv: string[]): Promise<{ code: number; stderr: string }> {
  let stderr = "";
  const sink = (take: (text: string) => void) =>
    Object.assign(
      new Writable({
        write: (part: Buffer, _, done) => {
          take(part.toString());
          done();
        },
      }),
      {
        isTTY: false,
      },
    );
  const io = {
    stdin: Object.assign(Readable.from([]), { isTTY: false }) as unknown as NodeJS.ReadStream,
    stdout: sink(() => undefined) as unknown as NodeJS.WriteStream,
    stderr: sink((text) => {
      stderr += text;
    }) as unknown as NodeJS.WriteStream,
    env: { AGENT_HOME: join(home, place), HOME: home, PATH: process.env["PATH"] },
    cwd: () => join(work, place),
  };
  return { code: await main(argv, io), stderr };
}

/** Fills the disk but for `room` bytes. */
function fill(file: string, room: number): void {
  const handle = openSync(file, "w");
  const block = Buffer.alloc(1024, 1);
  let size = 0;
  try {
    for (;;) size += writeSync(handle, block);
  } catch {
    // full
  }
  closeSync(handle);
  writeFileSync(file, Buffer.alloc(Math.max(0, size - room)));
}

for (const room of rooms.map(Number)) {
  const place = `room-${room}`;
  mkdirSync(join(work, place));
  const [file, filler, lines] = [join(work, place, "a.txt"), join(home, "filler"), join(work, "script.ndjson")];
  writeFileSync(file, "old\n");
  writeFileSync(lines, script.map((line) => `${JSON.stringify(line)}\n`).join(""));
  await agent(place, ["sessions"]);
  fill(filler, room);
  const flags = ["--model", `script:${lines}`, "--mode", "accept-edits"];
  const full = await agent(place, ["run", "edit it", ...flags]);
  const then = readFileSync(file, "utf8");
  rmSync(filler);
  // Taken over, for the lease of this very process could not be given back on a full disk.
  const again = await agent(place, full.code === 0 ? ["sessions"] : ["resume", "--take-over", ...flags]);
  process.stdout.write(`${JSON.stringify({ room, full, then, again, last: readFileSync(file, "utf8") })}\n`);
  rmSync(join(home, place), { recursive: true });
}
