import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { agentCommand } from "../support/agent-command.ts";
import { ended, freeRun, job, sessionOf, sleep, timesIn, toldIn } from "../support/background-jobs.ts";
import { builtProgram } from "../support/built.ts";
import { openPlace, type Place } from "../support/cli.ts";
import { type Answer, asks, says } from "../support/model-server.ts";
import type { Pty } from "../support/pty.ts";
import { processesOf } from "../support/under-way.ts";

/** A test here is ended by this, and its children with it. */
const longest = 120_000;
const wide = { cols: 160, rows: 40 };

const jobs = (first: string, ...more: string[]): Answer =>
  asks(
    "shell",
    { command: first, background: true },
    { calls: more.map((command) => ({ name: "shell", arguments: { command, background: true } })) },
  );

async function say(pty: Pty, text: string, answer: string | RegExp): Promise<void> {
  pty.type(text);
  await pty.waitFor(text);
  pty.key("enter");
  await pty.waitFor(answer);
}

/** A chat in which the model has answered once. */
async function chatOf(place: Place, answer: string, env: Record<string, string> = {}): Promise<Pty> {
  const pty = place.chat(["chat", ...freeRun], wide, env);
  await pty.waitFor(/ask, or|^> /mu);
  await say(pty, "serve", answer);
  return pty;
}

const shownOf = (pty: Pty): string => pty.scrollback().join("\n");

/** Rows that the terminal has wrapped are one. */
function shownRows({ term }: Pty): string[] {
  const rows: string[] = [];
  for (let at = 0; at < term.buffer.active.length; at += 1) {
    const line = term.buffer.active.getLine(at);
    const text = line?.translateToString(true) ?? "";
    if (line?.isWrapped === true) rows.push(`${rows.pop() ?? ""}${text}`);
    else rows.push(text);
  }
  return rows;
}

/** The rows from the first that tells of a job that was ended. */
const lastLines = (pty: Pty): string[] => {
  const rows = shownRows(pty).filter((row) => row !== "");
  return rows.slice(rows.findIndex((row) => row.startsWith("the background job")));
};

/** What the next process tells the person of lost jobs, and how often it tells the model of each. */
async function toldNext(place: Place, words: string, calls = ["c1"]): Promise<[string[], number[]]> {
  const next = await place.json(["resume", await sessionOf(place), words]);
  const notices = next.of("notice").flatMap(({ code, text }) => (code === "job_gone" ? [text] : []));
  return [notices, calls.map((call) => toldIn(place, call))];
}

/** The person was told, and is not again; the model is told with the next request alone. */
async function expectToldOnce(place: Place, calls = ["c1"]): Promise<void> {
  for (const words of ["and now?", "sure?"])
    expect(await toldNext(place, words, calls)).toEqual([[], calls.map(() => 1)]);
}

describe.each([
  ["on the screen", {}],
  ["of plain lines", { TERM: "dumb" }],
])("a background job of a chat %s", (_, env: Record<string, string>) => {
  it(
    "is told where another session begins, and in the last lines",
    async () => {
      const [one, two] = [`exec ${sleep(86_436)}`, `exec ${sleep(86_437)}`];
      const place = await openPlace([job(one), says("It runs."), job(two), says("That one, too.")]);
      const pty = await chatOf(place, "It runs.", env);
      await say(pty, "/new", /the background job c1 \(exec sleep 86436\S+\) was ended with its session; it had said/u);
      expect(processesOf(sleep(86_436))).toBe(0);
      expect(processesOf(sleep(86_437))).toBe(0);
      await say(pty, "again", "That one, too.");
      pty.type("/quit");
      pty.key("enter");
      expect((await pty.exit).code).toBe(0);
      const shown = shownOf(pty);
      expect([
        timesIn(shown, ended("c1", "exec sleep 86436")),
        timesIn(shown, ended("c1", "exec sleep 86437")),
      ]).toEqual([1, 1]);
      expect(lastLines(pty).slice(-2)).toEqual([
        expect.stringMatching(
          /^the background job c1 \(exec sleep 86437\S+\) was ended with its session; it had said nothing$/u,
        ),
        expect.stringMatching(/^agent resume \S+$/u),
      ]);
      expect(processesOf(sleep(86_437))).toBe(0);
    },
    longest,
  );

  it(
    "is told also of what it changed meanwhile that nobody may change unasked, where the chat is left",
    async () => {
      const make = `while ! [ -e goes-on ]; do sleep 0.05; done; echo x > AGENTS.md; : > written; exec ${sleep(86_450)}`;
      const place = await openPlace([job("sh make.sh"), says("It runs.")], { "make.sh": make });
      const pty = await chatOf(place, "It runs.", env);
      await place.write("goes-on", "");
      await expect.poll(() => place.has("written"), { timeout: 20_000 }).toBe(true);
      pty.type("/quit");
      pty.key("enter");
      expect((await pty.exit).code).toBe(0);
      const rows = shownRows(pty);
      expect(rows.filter((row) => /^while a background job ran, .*AGENTS\.md.* changed/u.test(row))).toHaveLength(1);
      expect(rows.filter((row) => row.startsWith("the background job c1 (sh make.sh) was ended"))).toHaveLength(1);
      expect(rows.findLast((row) => row !== "")).toMatch(/^agent resume /u);
      expect(processesOf(sleep(86_450))).toBe(0);
    },
    longest,
  );

  it(
    "is told of each of two where Ctrl-C leaves, and then not again; the model is told at the next request",
    async () => {
      const place = await openPlace([
        jobs(`exec ${sleep(86_438)}`, `echo up; exec ${sleep(86_439)}`),
        ...["They run.", "I see.", "Yes."].map((text) => says(text)),
      ]);
      const pty = await chatOf(place, "They run.", env);
      pty.leave();
      expect((await pty.exit).code).toBe(0);
      expect(lastLines(pty)).toEqual([
        expect.stringMatching(
          /^the background job c1 \(exec sleep .*\) was ended with its session, 1 of 2; it had said nothing$/u,
        ),
        expect.stringMatching(
          /^the background job c2 \(echo up; .*\) was ended with its session, 2 of 2; its last words: up$/u,
        ),
        expect.stringMatching(/^agent resume /u),
      ]);
      await expectToldOnce(place, ["c1", "c2"]);
    },
    longest,
  );

  it(
    "is told where SIGTERM ends the chat",
    async () => {
      const place = await openPlace([
        job(`exec ${sleep(86_440)}`),
        ...["It runs.", "I see.", "Yes."].map((text) => says(text)),
      ]);
      const pty = await chatOf(place, "It runs.", env);
      pty.kill("SIGTERM");
      expect((await pty.exit).code).toBe(143);
      expect(lastLines(pty)).toEqual([
        expect.stringMatching(/^the background job c1 .* was ended with its session; /u),
        expect.stringMatching(/^agent resume /u),
      ]);
      await expectToldOnce(place);
    },
    longest,
  );

  it(
    "is told by the next process where SIGHUP comes of a terminal that is gone",
    async () => {
      const place = await openPlace([
        job(`exec ${sleep(86_441)}`),
        ...["It runs.", "I see.", "Yes."].map((text) => says(text)),
      ]);
      const shown = await hungUp(place, env, "It runs.");
      expect(timesIn(shown, /was ended with/gu)).toBe(0);
      const [notices, model] = await toldNext(place, "and now?");
      expect(notices).toEqual([
        expect.stringMatching(/^the background job c1 .* is gone with the process that ran it; /u),
      ]);
      expect(model).toEqual([1]);
      expect(await toldNext(place, "sure?")).toEqual([[], [1]]);
      expect(processesOf(sleep(86_441))).toBe(0);
    },
    longest,
  );

  it(
    "that had ended by itself a moment before is not told of, nor counted",
    async () => {
      const first = `: ${sleep(86_444)}; until [ -e go ]; do sleep 0.05; done; echo bye; exit 3`;
      const place = await openPlace([
        jobs(first, `exec ${sleep(86_442)}`),
        says("They run."),
        asks("shell_output", { id: "c1" }),
        ...["One runs.", "I see.", "Yes."].map((text) => says(text)),
      ]);
      const pty = await chatOf(place, "They run.", env);
      await place.write("go", "");
      await expect.poll(() => processesOf(sleep(86_444))).toBe(0);
      await say(pty, "well?", "One runs.");
      expect(place.heard(-1, -1)).toContain("exit code 3");
      pty.leave();
      await pty.exit;
      expect(lastLines(pty)).toEqual([
        expect.stringMatching(
          /^the background job c2 \(exec sleep .*\) was ended with its session; it had said nothing$/u,
        ),
        expect.stringMatching(/^agent resume /u),
      ]);
      expect((await toldNext(place, "and now?", ["c1", "c2"]))[1]).toEqual([0, 1]);
    },
    longest,
  );

  it(
    "whose command and words hold escape sequences and line ends is shown in one safe line",
    async () => {
      const evil = `printf 'a\\033[2J\\033]0;stolen\\007b\\033[31mred'\nexec ${sleep(86_443)}`;
      const place = await openPlace([job(evil), says("It runs.")]);
      const pty = await chatOf(place, "It runs.", env);
      pty.leave();
      await pty.exit;
      expect(lastLines(pty)).toEqual([
        expect.stringMatching(/^the background job c1 \(printf .* exec sleep \S+\) was ended .*words: a.*b.*red$/u),
        expect.stringMatching(/^agent resume /u),
      ]);
      expect(pty.raw()).not.toMatch(/\x1b\]0;stolen|\x1b\[2J\x1b\]0/u);
    },
    longest,
  );
});

/** Plays a chat at a terminal that goes away once the answer is there. @returns what it showed until then */
async function hungUp(place: Place, env: Record<string, string>, answer: string): Promise<string> {
  const command = `trap '' HUP; "$0" "$@"; echo $? > "$AGENT_HOME/code"`;
  const program = await builtProgram("test/support/hang-up.ts");
  const args = [program, "sh", "-c", command, ...agentCommand, "chat", "serve", ...freeRun];
  const defined = Object.entries({ ...place.env, ...env }).filter(
    (one): one is [string, string] => one[1] !== undefined,
  );
  const holder = spawn(process.execPath, args, {
    cwd: place.workspace,
    env: Object.fromEntries(defined),
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void holder.kill("SIGKILL"));
  let shown = "";
  holder.stdout.on("data", (data: Buffer) => {
    shown += data.toString();
  });
  await expect.poll(() => shown).toContain(answer);
  holder.kill("SIGKILL");
  const code = join(place.home, "code");
  await expect.poll(() => (existsSync(code) ? readFileSync(code, "utf8") : "")).toBe("129\n");
  return shown;
}
