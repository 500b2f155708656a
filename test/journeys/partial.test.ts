import { readFile, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { openPlace } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";

const long = `${"x".repeat(1_990)}EVIL();${"y".repeat(2_003)}`;

/** 9,000 lines, the one in the middle of 4,000 characters. */
const content = (width: number): string =>
  Array.from({ length: 9_000 }, (_, at) => (at === 4_500 ? long : `${at} ${"w".repeat(width)}`))
    .map((line) => `${line}\n`)
    .join("");

/** With a model that reads so much. */
async function openWide(...replies: Parameters<typeof openPlace>[0] & object) {
  const place = await openPlace(replies);
  await place.write("../home/config.json", '{"contextWindow": 2000000}');
  return place;
}

const opened = (text: string) =>
  openWide(asks("write_file", { file_path: "big.txt", content: text }), says("Written."));

describe("a write of less than a megabyte", () => {
  it("is shown whole, a line of 4,000 characters too, and approved by --approve all", async () => {
    const text = content(50);
    const place = await opened(text);
    const asked = await place.json(["run", "write it"]);
    expect(asked.code).toBe(11);
    const [call] = asked.the("approval_requested").calls;
    expect(call?.plan).toMatchObject({ summary: "write big.txt (+9000 -0)", files: [{ added: 9_000, removed: 0 }] });
    expect(call?.plan.diff).toBe(
      `--- /dev/null\n+++ b/big.txt\n@@ -0,0 +1,9000 @@\n${text.replace(/^/gm, "+").slice(0, -1)}`,
    );
    expect(call?.partial).toBeUndefined();
    const plain = await place.run(["resume", asked.session]);
    expect(plain.code).toBe(11);
    expect(plain.stderr).toContain(`+${long}\n`);
    expect((await place.run(["resume", asked.session, "--approve", "all"])).code).toBe(0);
    expect(await place.read("big.txt")).toBe(text);
    expect((await place.run(["sessions", "show", asked.session, "--diff"])).stdout).toBe(call?.plan.diff);
  });
});

describe("a write of more than a megabyte", () => {
  it("is partial: only its digest by name approves it, and then it writes the very bytes", async () => {
    const text = content(150);
    const place = await opened(text);
    const asked = await place.run(["run", "write it"]);
    expect(asked.code).toBe(11);
    const { session, ...told } = await place.json(["resume"]);
    const [call] = told.the("approval_requested").calls;
    const { digest = "", plan, partial } = call ?? {};
    expect(partial).toEqual({ lines: expect.any(Number), bytes: expect.any(Number), why: "size" });
    const { lines = 0, bytes = 0 } = partial ?? {};
    expect(plan?.diff?.endsWith(`\n\\ not shown: -0 +${lines} lines, ${bytes} bytes\n`)).toBe(true);
    expect(plan?.diff?.match(/^\+(?!\+)/gm)).toHaveLength(9_000 - lines);
    expect(plan?.files?.[0]?.hunks[0]?.lines.map((line) => `${line.text}\n`).join("")).toBe(text);
    expect(asked.stderr).toContain(
      `! partial: ${lines} lines, ${bytes} bytes of this change are not shown: it is too large; --approve all leaves it waiting, --approve c1@${digest.slice(0, 12)} approves it`,
    );

    expect((await place.run(["resume", session, "--approve", `c1@${digest.slice(0, 11)}`])).code).toBe(2);
    for (const approval of ["all", "c1"]) {
      const refused = await place.json(["resume", session, "--approve", approval]);
      expect(refused).toMatchObject({ code: 11, end: { reason: "awaiting_approval", exitCode: 11 } });
      expect(refused.of("notice").filter(({ code }) => code === "partial")).toMatchObject([
        { text: expect.stringContaining(`c1@${digest.slice(0, 12)}`) },
      ]);
      expect(place.has("big.txt")).toBe(false);
    }
    const plain = await place.run(["resume", session, "--approve", "all", "and go on"]);
    expect(plain.code).toBe(11);
    expect(plain.stderr.match(/call c1 is partial: /g)).toHaveLength(1);
    expect(plain.stderr).toContain("the message was not sent: answer the waiting calls first");

    expect(await place.json(["resume", session, "--approve", `c1@${"0".repeat(12)}`])).toMatchObject({ code: 11 });
    const done = await place.json(["resume", session, "--approve", `c1@${digest.slice(0, 12)}`]);
    expect(done).toMatchObject({ code: 0, end: { text: "Written." } });
    expect(await place.read("big.txt")).toBe(text);
    const shown = await place.run(["sessions", "show", session, "--diff"]);
    expect(shown.stdout).toBe(
      `--- /dev/null\n+++ b/big.txt\n@@ -0,0 +1,9000 @@\n${text.replace(/^/gm, "+").slice(0, -1)}`,
    );
  });

  it("leaves the other calls of its message to --approve all", async () => {
    const both = {
      calls: [
        { name: "write_file", arguments: { file_path: "big.txt", content: content(150) } },
        { name: "write_file", arguments: { file_path: "small.txt", content: "1\n" } },
      ],
    };
    const place = await openWide(both, says("Written."));
    const { session, ...asked } = await place.json(["run", "write them"]);
    const [big] = asked.the("approval_requested").calls;
    const half = await place.json(["resume", session, "--approve", "all"]);
    expect(half).toMatchObject({ code: 11, end: { reason: "awaiting_approval" } });
    expect(half.of("decision")).toMatchObject([{ callId: "c2", decision: "approve" }]);
    expect(place.has("small.txt")).toBe(false);
    expect(await place.json(["resume", session, "--approve", `c1@${big?.digest}`])).toMatchObject({ code: 0 });
    expect(await place.read("small.txt")).toBe("1\n");
  });
});

it("a write over what is no text is partial, and so is taking it back, also with --yes", async () => {
  const place = await openPlace([asks("write_file", { file_path: "a.png", content: "text\n" }), says("Written.")]);
  const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 255]);
  await writeFile(place.path("a.png"), bytes);
  const { session, ...asked } = await place.json(["run", "write it"]);
  const [call] = asked.the("approval_requested").calls;
  expect(call?.partial).toEqual({ lines: 0, bytes: 8, why: "binary" });
  expect((await place.run(["resume", session, "--approve", "all"])).code).toBe(11);
  expect((await place.run(["resume", session, "--approve", `c1@${call?.digest}`])).code).toBe(0);

  const undone = await place.json(["undo", session, "--yes"]);
  expect(undone.code).toBe(11);
  expect(undone.stderr).toContain("call c2 is partial: ");
  const [back] = undone.the("approval_requested").calls;
  expect(await place.read("a.png")).toBe("text\n");
  expect((await place.run(["resume", session, "--approve", `c2@${back?.digest}`])).code).toBe(0);
  expect(await readFile(place.path("a.png"))).toEqual(bytes);
});
