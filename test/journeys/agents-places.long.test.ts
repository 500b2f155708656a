import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openPlace, type Place, type Running } from "../support/cli.ts";
import { asks, type Reply, says } from "../support/model-server.ts";
import type { Pty } from "../support/pty.ts";
import { readQuestion } from "../support/read-question.ts";
import { answersIn, firstWords, replyLater } from "../support/talks.ts";

const poll = { timeout: 60_000 };

const looks = (name: string): Reply[] => [asks("read_file", { file_path: `.env.${name}` }), says(`Looked at ${name}.`)];

/** Two explorers that ask, one that works until it is told to end, and one behind them. */
async function placeOf(maxChildren: number): Promise<{ place: Place; end(): void }> {
  const ofC = replyLater();
  const answer = answersIn({
    go: [asks("agent", { task: ["look at a", "look at b", "look at c", "look at d"] }), says("All done.")],
    "look at a": looks("a"),
    "look at b": looks("b"),
    "look at c": [ofC.reply],
    "look at d": looks("d").slice(1),
  });
  const files = { ".env.a": "KEY=a\n", ".env.b": "KEY=b\n" };
  const place = await openPlace(
    Array.from({ length: 24 }, () => answer),
    files,
  );
  await writeFile(join(place.home, "config.json"), JSON.stringify({ maxChildren }));
  return { place, end: () => ofC.say(says("Looked at c.")) };
}

const heard = (place: Place): string[] => place.server.requests.map(firstWords);
const times = (place: Place, task: string): number => heard(place).filter((one) => one === task).length;

interface Asked {
  session: string;
  callId: string;
  digest: string;
}

/** What the newest question of a run that goes on asks about, once it asks about so many calls. */
async function asked(running: Running, count: number): Promise<Asked[]> {
  const now = (): Asked[] =>
    running
      .stdout()
      .split("\n")
      .flatMap((line) =>
        line.includes('"type":"approval_requested"') && line.endsWith("}]}")
          ? [(JSON.parse(line) as { calls: Asked[] }).calls]
          : [],
      )
      .at(-1) ?? [];
  await expect.poll(() => now().length, poll).toBe(count);
  return now();
}

const approve = async (place: Place, { session, callId, digest }: Asked): Promise<void> => {
  const root = session.split("@")[0] ?? "";
  const told = await place.run(["answer", root, "--approve", `${session}:${callId}@${digest.slice(0, 12)}`]);
  expect([told.code, told.stderr]).toEqual([0, expect.stringContaining("is approved")]);
};

describe("helpers that wait for the person take no place: with more tasks than may work at once", () => {
  it("each question is there while a later one works, is answered from another process, and goes on in the next free place", async () => {
    const { place, end } = await placeOf(1);
    const running = place.spawn(["run", "go", "--json"]);
    const [a] = await asked(running, 2);
    await expect.poll(() => heard(place).at(-1), poll).toBe("look at c");
    if (a !== undefined) await approve(place, a);
    expect(times(place, "look at a")).toBe(1);
    end();
    const { code } = await running.done;
    expect([code, heard(place)]).toEqual([11, ["go", "look at a", "look at b", "look at c", "look at a", "look at d"]]);
  });

  it("it goes on beside the one that works where there is a place, and so it does behind kill -9", async () => {
    const { place, end } = await placeOf(2);
    const running = place.spawn(["run", "go", "--json"]);
    const [a] = await asked(running, 2);
    // What was said is on disk by then: it is not asked for again.
    await expect.poll(() => running.stdout(), poll).toMatch(/"type":"assistant_message".*"text":"Looked at d\."/u);
    expect([times(place, "look at c"), times(place, "look at d")]).toEqual([1, 1]);
    running.child.kill("SIGKILL");
    await running.done;
    const session = a?.session.split("@")[0] ?? "";
    const on = place.spawn(["resume", session, "--json"]);
    const again = await asked(on, 2);
    await expect.poll(() => times(place, "look at c"), poll).toBe(2);
    for (const one of again) await approve(place, one);
    await expect.poll(() => [times(place, "look at a"), times(place, "look at b")], poll).toEqual([2, 2]);
    end();
    expect((await on.done).code).toBe(0);
    expect(["go", "look at a", "look at b", "look at c", "look at d"].map((task) => times(place, task))).toEqual([
      ...[2, 2, 2, 2, 1],
    ]);
  });

  it.each([
    [100, 30],
    [60, 20],
  ])("the dialog has each of them while another one works, behind kill -9 too, at %d columns", async (cols, rows) => {
    const { place, end } = await placeOf(1);
    const shows = (pty: Pty, who: string) =>
      pty.waitFor((one) => one.screen().join("\n").includes(`asked by the sub-agent ${who}`), 30_000);
    const say = async (pty: Pty, who: string): Promise<void> => {
      await shows(pty, who);
      await readQuestion();
      pty.type("y");
      await pty.waitFor("type yes to approve", 30_000);
      pty.type("yes\r");
    };
    const first = place.chat(["chat", "go"], { cols, rows });
    await shows(first, "explorer 1");
    await expect.poll(() => heard(place).at(-1), poll).toBe("look at c");
    await say(first, "explorer 1");
    await shows(first, "explorer 2");
    expect([times(place, "look at a"), heard(place).at(-1)]).toEqual([1, "look at c"]);
    first.kill("SIGKILL");
    await first.exit;
    const { id } = JSON.parse((await place.run(["sessions", "--json"])).stdout.split("\n")[0] ?? "") as { id: string };
    const pty = place.chat(["resume", id], { cols, rows });
    await expect.poll(() => [times(place, "look at a"), times(place, "look at c")], poll).toEqual([2, 2]);
    await say(pty, "explorer 2");
    await pty.waitFor((one) => !one.screen().join("\n").includes("asked by the sub-agent explorer 2"), 30_000);
    end();
    await pty.waitFor("All done.", 30_000);
    expect(heard(place).slice(-3)).toEqual(["look at b", "look at d", "go"]);
    pty.key("ctrl-d");
    expect(await pty.exit).toMatchObject({ code: 0 });
  });
});
