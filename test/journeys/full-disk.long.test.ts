import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const program = fileURLToPath(new URL("../support/full-disk.ts", import.meta.url));
/** Needs a mount of its own: root, or user namespaces. */
const canMount = spawnSync("unshare", ["-rm", "mount", "-t", "tmpfs", "none", "/mnt"]).status === 0;
const rooms = Array.from({ length: 14 }, (_, i) => i * 8 * 1024);

interface Try {
  room: number;
  full: { code: number; stderr: string };
  then: string;
  again: { code: number; stderr: string };
  last: string;
}

it.runIf(canMount)(
  "a disk that is full for the store: nothing is done that was not written down, and with room it goes on (needs mounts)",
  () => {
    const root = mkdtempSync(join(tmpdir(), "holdfast-full-"));
    try {
      const [home, work] = [join(root, "home"), join(root, "work")];
      for (const folder of [home, work]) mkdirSync(folder);
      const mount = 'mount -t tmpfs -o size=1m none "$1" && exec "$0" --import tsx "$@"'.replace(
        '"$@"',
        '"$2" "$1" "$3" $4',
      );
      const args = ["-rm", "sh", "-c", mount, process.execPath, home, program, work, rooms.join(" ")];
      const { stdout, stderr } = spawnSync("unshare", args, { encoding: "utf8" });
      const tries = stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Try);
      expect(
        tries.map(({ room }) => room),
        stderr,
      ).toEqual(rooms);
      for (const { full, then, again, last } of tries) {
        expect([0, 74]).toContain(full.code);
        if (full.code === 0) continue;
        expect(full.stderr).toContain("the disk is full; free some space");
        expect(["old\n", "new\n"]).toContain(then);
        // What was told its name goes on; where not even the prompt could be kept, nothing is claimed.
        if (/^session \S+ · /.test(full.stderr)) expect({ ...again, last }).toMatchObject({ code: 0, last: "new\n" });
        else expect([last, again.stderr]).toEqual(["old\n", expect.stringMatching(/no session|restored/)]);
      }
      const stopped = tries.filter(({ full }) => full.code === 74);
      expect(stopped.some(({ then }) => then === "old\n")).toBe(true);
      expect(stopped.some(({ again }) => again.code === 0)).toBe(true);
      expect(tries.at(-1)?.full.code).toBe(0);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  },
);
