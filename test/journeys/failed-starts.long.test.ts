import { spawn } from "node:child_process";
import { mkdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { mounting, withoutMounts } from "../faults/mounts.ts";
import { agentCommand } from "../support/agent-command.ts";
import { openPlace, type Place, type Ran } from "../support/cli.ts";
import { expectTruth, underLimit } from "../support/few-files.ts";
import { says } from "../support/model-server.ts";
import { RawStore } from "../support/raw-store.ts";

const canMount = withoutMounts() === undefined;
const storeOf = (place: Place): string => join(place.home, "agent.db");
const idsIn = (text: string): string[] => [...new Set(text.match(/\b[a-z]+-[a-z]+-[0-9a-f]{4}\b/g))];

interface Way {
  before?: (place: Place) => unknown;
  argv?: readonly string[];
  env?: Record<string, string | undefined>;
  code: number;
  says: string;
}

const ways: Record<string, Way> = {
  "settings that are no JSON": {
    before: ({ home }) => writeFileSync(join(home, "config.json"), "{"),
    code: 52,
    says: "config.json:1: the file ends too early",
  },
  "rules of the project that are no JSON": {
    before: (place) => place.write(".holdfast/policy.json", "{"),
    code: 52,
    says: "policy.json:1: the file ends too early",
  },
  "settings of the project that are no JSON": {
    before: (place) => place.write(".holdfast/config.json", "{"),
    code: 52,
    says: "config.json:1: the file ends too early",
  },
  "a model that is none": { argv: ["-m", "foo"], code: 2, says: '"foo" names no model' },
  "no key": {
    env: { OPENAI_API_KEY: undefined, OPENAI_BASE_URL: undefined },
    code: 41,
    says: "OPENAI_API_KEY is not set",
  },
  "a damaged store": {
    before: (place) => writeFileSync(storeOf(place), "this is no database".repeat(500)),
    code: 74,
    says: "the store is damaged; nothing was changed",
  },
  "a store that is a folder": {
    before: (place) => {
      rmSync(storeOf(place), { force: true });
      mkdirSync(storeOf(place));
    },
    code: 74,
    says: "not a regular file",
  },
  "a store that was emptied": {
    before: (place) => {
      writeFileSync(`${storeOf(place)}-made`, "");
      writeFileSync(storeOf(place), "");
      truncateSync(storeOf(place), 0);
    },
    code: 74,
    says: "it is empty, and was a store before",
  },
  "a picture that is not there": { argv: ["-i", "none.png"], code: 2, says: "none.png does not exist" },
};

describe("a start that fails says once why, and names no session that is not there", () => {
  it.each(Object.entries(ways))("%s: agent run", async (_name, { before, argv = [], env = {}, code, says }) => {
    const place = await openPlace();
    await before?.(place);
    const ran = await place.spawn(["run", "hi", ...argv], { env }).done;
    expect(ran).toMatchObject({ code, stdout: "" });
    expect(ran.stderr.split(says)).toHaveLength(2);
    expect(idsIn(ran.stderr)).toEqual([]);
    const told = await place.spawn(["run", "hi", "--json", ...argv], { env }).done;
    const lines = told.stdout.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { seq: 1, session: "", type: "error", message: expect.stringContaining(says) as unknown },
      { seq: 2, session: "", type: "turn_ended", reason: "failed", exitCode: code },
    ]);
    expect(lines.at(-1)).not.toContain("resume");
    expect(idsIn(told.stdout)).toEqual([]);
    expect(place.server.requests).toHaveLength(0);
  });

  it("the folder of an older session is read by three needs, and what is wrong in it is said once", async () => {
    const place = await openPlace([says("First.")]);
    const { session } = await place.json(["run", "one"]);
    await place.write(".holdfast/config.json", "{");
    const ran = await place.spawn(["resume", session, "more"]).done;
    expect([ran.code, ran.stderr.trimEnd().split("\n")]).toEqual([
      52,
      [`agent: ${place.path(".holdfast/config.json")}:1: the file ends too early`],
    ]);
  });

  it("a store that another process keeps locked: 75", async () => {
    const place = await openPlace();
    await place.run(["sessions"]);
    const db = new RawStore(storeOf(place));
    try {
      db.exec("BEGIN EXCLUSIVE");
      const ran = await place.spawn(["run", "hi"]).done;
      expect(ran).toMatchObject({ code: 75, stdout: "" });
      expect(ran.stderr).toBe(
        `agent: ${storeOf(place)}: the store is busy: another process keeps it locked; try again when it has finished\n`,
      );
    } finally {
      db.close();
    }
  });

  it("agent chat at a terminal: the sentence stands there, with the code", async () => {
    const place = await openPlace();
    writeFileSync(join(place.home, "config.json"), "{");
    const pty = place.chat(["chat", "hi"]);
    expect((await pty.exit).code).toBe(52);
    const shown = pty.scrollback().join("\n");
    expect(shown).toContain("the file ends too early");
    expect(idsIn(shown)).toEqual([]);
  });
});

it.each([19, 22])("with no more than %i open files at once: one sentence, 74, nothing damaged", async (most) => {
  expectTruth(most, await underLimit(most));
});

/** The command with its home on a small disk that is full but for `room` bytes; what it wrote there is kept. */
function onFullDisk(place: Place, room: number, argv: readonly string[]): Promise<Ran> {
  const copy = `${place.home}.copy`;
  const wrapper = mounting(
    'cp -a "$H" "$C" && mount -t tmpfs -o size=2m none "$H" && cp -a "$C/." "$H/" && ' +
      '{ dd if=/dev/zero of="$H/filler" bs=4k 2>"$H/../dd"; truncate -s -"$ROOM" "$H/filler"; "$@"; code=$?; ' +
      'rm "$H/filler"; rm -r "$C"; mkdir "$C"; cp -a "$H/." "$C/"; umount "$H"; rm -r "$H"; mv "$C" "$H"; exit $code; }',
  );
  const [program = "", ...args] = [...wrapper, ...agentCommand, ...argv];
  const env = Object.fromEntries(Object.entries(place.env).filter(([, value]) => value !== undefined));
  const child = spawn(program, args, {
    cwd: place.workspace,
    env: { ...env, H: place.home, C: copy, ROOM: String(room) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => {
      texts[name] += text;
    });
  return new Promise((resolve) => child.on("close", (code) => resolve({ code: code ?? -1, ...texts })));
}

describe.runIf(canMount)("a disk that is full for the store at the start (needs mounts)", () => {
  it.each([0, 4, 20, 36, 44, 52, 60, 68, 76, 84, 92, 108, 124])(
    "with room for %i KiB: one sentence with the place, 74, and the next start with room works",
    async (kib) => {
      const place = await openPlace([says("First."), says("Second."), says("Third."), says("Fourth.")]);
      const ran = await onFullDisk(place, kib * 1024, ["run", "remember the milk"]);
      const ids = idsIn(ran.stderr.replaceAll(place.workspace, ""));
      if (ran.code !== 0) {
        expect(ran).toMatchObject({ code: 74, stdout: "" });
        const [why, ...more] = ran.stderr.split("\n").filter((line) => /^(?:agent|error): /.test(line));
        expect(more).toEqual([]);
        expect(why).toContain(`${storeOf(place)}: the disk is full; free some space there, then try again`);
      }
      expect((await place.spawn(["sessions", "verify"]).done).code).toBe(0);
      const stored = (await place.run(["sessions", "--json"])).stdout.match(/"id":"[^"]+"/g) ?? [];
      // What is stored was told, and nothing else.
      expect(stored).toEqual(ids.map((id) => `"id":"${id}"`));
      if (ran.code !== 0 && ids.length > 0) {
        expect(ran.stderr).toContain(`agent resume ${ids[0]}`);
        const on = await place.spawn(["resume", ids[0] ?? ""]).done;
        expect([on.code, on.stdout], on.stderr).toEqual([0, expect.stringMatching(/^\w+\.\n$/)]);
        const heard = JSON.stringify(place.server.requests.at(-1)?.body.messages);
        expect(heard.split("remember the milk")).toHaveLength(2);
      }
      const next = await place.spawn(["run", "again"]).done;
      expect([next.code, next.stdout], next.stderr).toEqual([0, expect.stringMatching(/^\w+\.\n$/)]);
    },
  );
});
