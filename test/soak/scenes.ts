import { setTimeout as wait } from "node:timers/promises";
import { complaintsOfRun, complaintsOfStore } from "./check.ts";
import { type Talk, talk } from "./person.ts";
import { type AgentProgram, type Ended, eventsOf, openSoakPlace, type ShortRun, type SoakPlace } from "./place.ts";

/** What came of one scene. */
export interface Played {
  /** Runs of a script, and turns of a chat. */
  runs: number;
  killed: number;
  complaints: string[];
}

export interface Scene {
  name: string;
  /** @param share how much of its whole time or rounds it is given, above 0 and at most 1 */
  play(programs: readonly AgentProgram[], share: number): Promise<Played>;
}

const wholeMs = 60_000;
const rounds = 5;

/** So many first runs at once on a home that is not there yet, and so many again, some of which are killed. */
const burst = (many: number, home?: string): Scene => ({
  name: `${many} runs at once${home === undefined ? "" : ", the home in the workspace"}`,
  play: (programs, share) =>
    inPlace({ programs, home }, async (place) => {
      const runs: ShortRun[] = [];
      const complaints: string[] = [];
      for (let round = 1; round <= Math.max(1, Math.round(rounds * share)); round += 1) {
        const kills = round > 1 || share < 0.5;
        const now = await Promise.all(
          Array.from({ length: many }, (_, at) =>
            place.shortRun(kills && at % 4 === 1 ? { killAfterMs: 200 + ((at * 137) % (many * 200)) } : {}),
          ),
        );
        runs.push(...now);
        complaints.push(
          ...now.flatMap((run) => complaintsOfRun(place, run)),
          ...(await complaintsOfStore(place, runs)),
        );
        if (complaints.length > 0) break;
      }
      return { runs, complaints };
    }),
});

/** One long run, and so many terminals beside it that do short runs in turn. */
const beside = (terminals: number): Scene => ({
  name: `a long run beside ${terminals} terminal${terminals === 1 ? "" : "s"}`,
  play: (programs, share) =>
    inPlace({ programs }, async (place) => {
      const until = Date.now() + wholeMs * share;
      const model = await place.longScript("long", Math.ceil((wholeMs * share) / 250));
      const long = place.start(["run", "long", "--json", "--mode", "full-auto", "--max-steps", "1000", "-m", model]);
      const runs = await Promise.all(
        Array.from({ length: terminals }, (_, at) => inTurn(until, () => place.shortRun(killing(at)))),
      ).then((all) => all.flat());
      const ended = await long.done;
      const complaints = [...runs.flatMap((run) => complaintsOfRun(place, run)), ...complaintsOfLong(ended)];
      return { runs, complaints: [...complaints, ...(await complaintsOfStore(place, runs))] };
    }),
});

let turns = 0;
/** Every seventh run of a terminal is killed somewhere. */
function killing(at: number): { killAfterMs?: number } {
  turns += 1;
  return (turns + at) % 7 === 0 ? { killAfterMs: 50 + ((turns * 89) % 700) } : {};
}

function complaintsOfLong({ code, stdout, stderr }: Ended): string[] {
  const end = eventsOf(stdout).at(-1);
  const whole = code === 0 && end?.type === "turn_ended" && end.text === "said long";
  return whole ? [] : [`the long run ended with ${code}: ${stderr.trim()}`];
}

/** A person who talks and decides at a terminal, and so many terminals beside them that do short runs in turn. */
const besideChat = (terminals: number): Scene => ({
  name: `a chat beside ${terminals} terminal${terminals === 1 ? "" : "s"}`,
  play: (programs, share) =>
    inPlace({ programs }, async (place) => {
      const until = Date.now() + wholeMs * share;
      const [chat, ...written] = await Promise.all([
        talk(place, programs, until),
        ...Array.from({ length: terminals }, (_, at) => inTurn(until, () => place.shortRun(killing(at)))),
      ]);
      const runs = written.flat();
      const complaints = [...chat.complaints, ...runs.flatMap((run) => complaintsOfRun(place, run))];
      return { runs, chat, complaints: [...complaints, ...(await complaintsOfStore(place, runs))] };
    }),
});

/** Commands that only look, and one that tidies, beside runs that write. */
const readers: Scene = {
  name: "readers beside writers",
  play: (programs, share) =>
    inPlace({ programs }, async (place) => {
      const first = await place.shortRun();
      const session = first.events[0]?.session ?? "";
      const until = Date.now() + wholeMs * share;
      const complaints: string[] = [];
      const commands = [
        ["sessions", "list", "--json"],
        ["sessions", "show", session],
        ["stats", "--json"],
        ["sessions", "verify"],
        ["sessions", "prune", "--days", "1"],
        ["sessions", "export", session],
        ["sessions", "rm", "none-such"],
        ["doctor"],
      ];
      let next = 0;
      const look = inTurn(until, async () => {
        const argv = commands[next++ % commands.length] ?? [];
        const ended = await place.start(argv).done;
        const wanted = argv.includes("none-such") ? 2 : 0;
        if (ended.code !== wanted && argv[0] !== "doctor")
          complaints.push(`${argv.join(" ")} ended with ${ended.code}: ${ended.stdout}${ended.stderr}`);
      });
      const [, ...written] = await Promise.all([
        look,
        inTurn(until, () => place.shortRun(killing(0))),
        inTurn(until, () => place.shortRun(killing(1))),
      ]);
      const runs = [first, ...written.flat()];
      complaints.push(...runs.flatMap((run) => complaintsOfRun(place, run)));
      return { runs, complaints: [...complaints, ...(await complaintsOfStore(place, runs))] };
    }),
};

/** One session that is asked for by many at once: one drives it, the others are told who. */
const oneSession: Scene = {
  name: "one session asked for by many",
  play: (programs, share) =>
    inPlace({ programs }, async (place) => {
      const runs: ShortRun[] = [];
      const complaints: string[] = [];
      for (let round = 0; round < Math.max(1, Math.round(rounds * share)); round += 1) {
        const first = await place.shortRun();
        const session = first.events[0]?.session ?? "";
        runs.push(first);
        const model = await place.longScript(`again${round}`, 8);
        const resume = ["resume", session, "more", "--json", "--mode", "full-auto", "-m", model];
        const ended = await Promise.all(Array.from({ length: 5 }, () => place.start(resume).done));
        const codes = ended.map(({ code }) => code);
        if (codes.some((code) => code !== 0 && code !== 75) || !codes.includes(0))
          complaints.push(`round ${round}: ${codes}: ${ended.map(({ stderr }) => stderr.trim()).join(" | ")}`);
      }
      complaints.push(...(await complaintsOfStore(place, runs)));
      return { runs, complaints };
    }),
};

export const scenes: readonly Scene[] = [
  ...[2, 5, 16, 50].map((many) => burst(many)),
  burst(5, "work/home"),
  ...[1, 2, 4].map(beside),
  ...[1, 2].map(besideChat),
  readers,
  oneSession,
];

async function inTurn<T>(until: number, act: () => Promise<T>): Promise<T[]> {
  const done: T[] = [];
  while (Date.now() < until) done.push(await act());
  return done;
}

async function inPlace(
  { programs, home }: { programs: readonly AgentProgram[]; home?: string | undefined },
  play: (place: SoakPlace) => Promise<{ runs: readonly ShortRun[]; chat?: Talk; complaints: string[] }>,
): Promise<Played> {
  const place = await openSoakPlace(programs, home);
  try {
    const { runs, chat = { turns: 0, killed: 0 }, complaints } = await play(place);
    const killed = runs.filter((run) => run.killed).length;
    return { runs: runs.length + chat.turns, killed: killed + chat.killed, complaints };
  } finally {
    await place.remove();
    await wait(0);
  }
}
