import { spawn } from "node:child_process";
import { type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { beforeAll, describe, expect, test } from "vitest";
import { parseStep } from "../../src/core/step-id.ts";
import { brokenLink } from "../../src/store/journal/call-events.ts";
import { builtProgram } from "../support/built.ts";
import { RawStore } from "../support/raw-store.ts";
import { open, stateOf, tempFile, tempFolder } from "./support.ts";

const session = "calm-fox-0001";
let program = "";
let folder: ReturnType<typeof tempFolder>;

beforeAll(async () => {
  folder = tempFolder();
  program = await builtProgram("test/store/child.ts");
  return () => folder.remove();
});

interface Ended {
  said: string[];
  signal: string | null;
  code: number | null;
  errors: string;
}

function run(...args: (string | number)[]): Promise<Ended> {
  const child = spawn(process.execPath, [program, ...args.map(String)], { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  let errors = "";
  child.stdout.on("data", (data: Buffer) => {
    said += data.toString();
  });
  child.stderr.on("data", (data: Buffer) => {
    errors += data.toString();
  });
  return new Promise((resolve) => {
    child.on("close", (code, signal) => resolve({ said: said.split("\n").slice(0, -1), signal, code, errors }));
  });
}

/** All messages of the child's run, in order. */
const whole = ["h1", ...Array.from({ length: 50 }, (_, i) => [`a${i + 1}`, `t${i + 1}`]).flat()];

async function judge(file: string, said: string[]): Promise<void> {
  const raw = new RawStore(file);
  expect(raw.one("PRAGMA integrity_check")).toBe("ok");
  raw.close();

  const store = await open({ file });
  const lease = await store.acquire(session); // its holder is dead: no take-over is needed
  const journal = store.journal(lease);
  const state = await stateOf(store.saver, session);
  const ids = ((state?.["messages"] ?? []) as BaseMessage[]).map((message) => message.id ?? "");
  // A checkpoint goes to disk with the journal's next transaction, which is one that says something else.
  const written = said.slice(
    0,
    said.findLastIndex((line) => !line.startsWith("put ")),
  );
  const puts = written.filter((line) => line.startsWith("put ")).map((line) => Number(line.slice(4)));
  expect(ids).toEqual(whole.slice(0, ids.length));
  expect(ids.length).toBeGreaterThanOrEqual(puts.at(-1) ?? 0);

  expect(journal.turns().length).toBeGreaterThanOrEqual(said.includes("turn 1") ? 1 : 0);
  for (const line of said.filter((other) => other.startsWith("reply ")))
    expect(journal.findReply(parseStep(line.slice(6)))?.calls).toHaveLength(1);
  const lived = journal.events().map((event) => `${event.to} ${event.callId}`);
  expect(lived).toEqual(expect.arrayContaining(said.filter((line) => /^(executing|success) /.test(line))));
  expect(brokenLink(session, journal.events())).toBeUndefined();
  for (const call of journal.openCalls()) expect(journal.startedHere(call.callId)).toBe(false);
}

describe("a process that is killed", () => {
  // Some forty statements a step: the points fall into every kind of transaction, and between them.
  const points = Array.from({ length: 20 }, (_, i) => 1 + i * 7);
  test.each(points)("before its statement %i leaves all that it acknowledged, and nothing by halves", async (point) => {
    const file = tempFile();
    const ended = await run(file, session, 8, point);
    expect(ended).toMatchObject({ signal: "SIGKILL", errors: "" });
    await judge(file, ended.said);
  });

  test("can be followed by one that goes on with the same session", async () => {
    const file = tempFile();
    await run(file, session, 6, 100);
    const store = await open({ file });
    const journal = store.journal(await store.acquire(session));
    await journal.addTurn({ text: "go on", message: new HumanMessage({ id: "h2", content: "go on" }), queued: false });
    expect(journal.turns().map(({ turn }) => turn)).toEqual([1, 2]);
  });
});

describe("two processes", () => {
  test("with a session each write to one new store at once and lose nothing", async () => {
    const file = tempFile();
    const ended = await Promise.all([run(file, "one-fox-0001", 15), run(file, "two-owl-0002", 15)]);
    for (const { said, code, errors } of ended) {
      expect({ code, errors, last: said.at(-1) }).toEqual({ code: 0, errors: "", last: "end" });
      expect(said).toHaveLength(1 + 15 * 5 + 1);
    }
    const store = await open({ file });
    for (const id of ["one-fox-0001", "two-owl-0002"]) {
      const journal = store.readJournal(id);
      expect(journal.allCalls().map((call) => call.status)).toEqual(Array(15).fill("success"));
      expect(journal.events()).toHaveLength(45);
      expect(brokenLink(id, journal.events())).toBeUndefined();
      const state = (await stateOf(store.saver, id)) ?? {};
      expect((state["messages"] as BaseMessage[]).map((message) => message.id)).toEqual(whole.slice(0, 31));
    }
  });

  test("cannot drive one session: the second is told who does", async () => {
    const store = await open();
    await store.sessions.create({ id: session, workspace: "/w", model: "demo", title: "mine" });
    await store.acquire(session);
    const { code, errors } = await run(store.file, session, 1);
    expect(code).toBe(1);
    expect(errors).toContain(`session ${session} is driven by process ${process.pid} since `);
    expect(store.readJournal(session).turns()).toEqual([]);
  });
});
