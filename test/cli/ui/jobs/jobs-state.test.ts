import { describe, expect, it } from "vitest";
import type { JobLine } from "../../../../src/cli/services/session-services.ts";
import type { Key } from "../../../../src/cli/terminal/key.ts";
import { plainText } from "../../../../src/cli/terminal/span.ts";
import { jobsFrame, jobsText, saidText } from "../../../../src/cli/ui/jobs/jobs-frame.ts";
import {
  type JobList,
  type JobsStep,
  jobsKey,
  jobWords,
  newJobList,
  withJobs,
} from "../../../../src/cli/ui/jobs/jobs-state.ts";
import { fakeCall } from "../../../support/fake-session.ts";

const keyNamed = (name: string): Key => {
  const plain = { ctrl: false, alt: false, shift: false } as const;
  return [...name].length === 1 ? { ...plain, name: "char", text: name } : { ...plain, name: name as Key["name"] };
};

const job = (id: string, said: string, runs = false): JobLine => ({
  ref: fakeCall(id),
  command: `npm run ${id}`,
  runs,
  startedAt: 0,
  said,
});
const three = [job("c1", "built\n(exit code 0)\n"), job("c4", "up\n", true), job("c7", "(it is gone: it ended with)")];
const list = newJobList(three, 0);

const pressed = (from: JobList, ...names: string[]): JobsStep =>
  names.reduce<JobsStep>(
    (step, name) => (step.list === undefined ? step : jobsKey(step.list, keyNamed(name), { window: 5, total: 40 })),
    {
      list: from,
    },
  );
const drawn = (one: JobList, rows = 8): string[] =>
  jobsFrame(one, { columns: 60, rows, now: 60_000 }).lines.map((line) => plainText(line).trimEnd());

describe("the list of jobs", () => {
  it("points at the newest that runs, else at the newest, and stays inside", () => {
    expect(list.at).toBe(1);
    expect(
      newJobList(
        three.filter(({ runs }) => !runs),
        0,
      ).at,
    ).toBe(1);
    const at = (...names: string[]) => pressed(list, ...names).list?.at;
    expect([at("k"), at("k", "k"), at("G"), at("j", "j", "j"), at("pageup"), at("g", "end")]).toEqual([
      0, 0, 2, 2, 0, 2,
    ]);
  });

  it("tells how each stands: that it runs, how it ended, or that its end was not seen", () => {
    expect([...three, job("c8", "half a li")].map(jobWords)).toEqual([
      "exit code 0",
      "runs",
      "it is gone",
      "was cut off",
    ]);
  });

  it("ends the one that is pointed at by y alone, and only one that runs", () => {
    expect(pressed(list, "x", "y")).toEqual({ list: undefined, effect: { do: "stop_job", ref: fakeCall("c4") } });
    for (const other of ["n", "enter", "escape", "j", "x"])
      expect(pressed(list, "x", other)).toEqual({ list: { ...list, note: "it runs on" } });
    expect(pressed(list, "y").effect).toBeUndefined();
    expect(pressed(list, "k", "x").list).toMatchObject({ stopping: false, note: "it runs no more" });
  });

  it("decides nothing where nothing of it is on the screen", () => {
    expect(jobsKey(list, keyNamed("x"), { window: 0, total: 3 })).toEqual({ list });
    expect(jobsKey({ ...list, stopping: true }, keyNamed("y"), { window: 0, total: 3 }).effect).toBeUndefined();
  });

  it("shows the end of what one said, looks for what came since, and goes back by esc", () => {
    const said = Array.from({ length: 40 }, (_, at) => `line ${at}`).join("\n");
    const long = newJobList([job("c1", said, true)], 0);
    const read = pressed(long, "enter");
    expect(read.effect).toEqual({ do: "follow_jobs", look: 1 });
    expect(drawn(read.list ?? long).slice(1, 7)).toEqual([34, 35, 36, 37, 38, 39].map((at) => `line ${at}`));
    expect(drawn(pressed(long, "enter", "k", "pageup").list ?? long)[1]).toBe("line 28");
    expect(pressed(long, "enter", "g", "j").list?.fromEnd).toBe(34);
    expect(pressed(long, "enter", "j").list?.fromEnd).toBe(0);
    expect(pressed(long, "enter", "escape").list).toEqual({ ...long, look: 1 });
    expect(pressed(long, "escape").list).toBeUndefined();
  });

  it("keeps what is pointed at while jobs come and go", () => {
    const now = [job("c0", ""), ...three];
    expect(withJobs(list, now).at).toBe(2);
    expect(withJobs(list, [job("c9", "")]).at).toBe(0);
  });

  it("keeps what is read in the window while more is said, and follows at the end", () => {
    const said = (lines: number): JobLine =>
      job("c1", Array.from({ length: lines }, (_, at) => `line ${at}`).join("\n"), true);
    const read = pressed(newJobList([said(40)], 0), "enter").list ?? list;
    expect(drawn(withJobs(read, [said(50)]))[6]).toBe("line 49");
    const back = pressed(newJobList([said(40)], 0), "enter", "pageup").list ?? list;
    expect(drawn(withJobs(back, [said(50)]))[6]).toBe(drawn(back)[6]);
  });

  it("asks nothing more about a job that is not there any more, nor about another one of its name", () => {
    const asked = pressed(list, "x").list ?? list;
    expect(asked.stopping).toBe(true);
    const others = three.map((one) => ({ ...one, ref: { session: "other-one-1", call: one.ref.call } }));
    expect(withJobs(asked, others)).toMatchObject({ stopping: false, fromEnd: undefined });
    expect(withJobs(asked, three)).toMatchObject({ stopping: true, at: 1 });
  });

  it("shows a long line whole, in rows", () => {
    const long = newJobList([job("c1", `${"x".repeat(59)}END of it\n`, true)], 0);
    expect(
      drawn(pressed(long, "enter").list ?? long)
        .slice(1, 3)
        .join(""),
    ).toContain("END of it");
    expect(saidText(job("c1", "a\nb\n", true))).toBe("npm run c1: runs\na\nb");
  });

  it("draws no control sequence of a command or of what it said", () => {
    const evil = newJobList([{ ...job("c1", "\u001b[2Jout\u202e\n", true), command: "echo \u001b]0;x\u0007 a\nb" }], 0);
    const text = [
      ...drawn(evil),
      ...drawn(pressed(evil, "enter").list ?? evil),
      jobsText(evil.jobs, 0),
      ...evil.jobs.map(saidText),
    ].join("\n");
    expect(text).toContain("out");
    expect([...text].filter((one) => one !== "\n" && (one < " " || one === "\u202e" || one === "\u0007"))).toEqual([]);
  });
});
