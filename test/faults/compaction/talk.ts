import type { AgentEvent, AgentEventBody } from "../../../src/graph/events.ts";
import { openStore } from "../../../src/store/open-store.ts";
import type { Ended, FaultPlace } from "../place.ts";
import { goal } from "./scenes.ts";

/** How a session stands on disk, between two of its processes. */
export interface Standing {
  /** The calls that are not settled. */
  open: { callId: string; status: string; digest: string | undefined; attempt: number }[];
  compactions: { upTo: string; shown: string }[];
  jobs: string[];
  /** Processes of jobs, running or not. */
  pids: number[];
}

/** The session of one case: its commands one after another, and what they said. */
export class Talk {
  readonly place: FaultPlace;
  readonly processes: Ended[] = [];
  session = "";

  constructor(place: FaultPlace) {
    this.place = place;
  }

  begin(): Promise<Ended> {
    return this.#command(["run", goal]);
  }

  resume(flags: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
    return this.#command(["resume", this.session, ...flags], env);
  }

  /** Flags that approve these calls, each as it was shown last. */
  approve(...ids: readonly string[]): string[] {
    const shown = this.of("approval_requested").flatMap(({ calls }) => calls);
    return ids.flatMap((id) => ["--approve", `${id}@${shown.findLast(({ callId }) => callId === id)?.digest}`]);
  }

  of<T extends AgentEventBody["type"]>(type: T): Extract<AgentEvent, { type: T }>[] {
    const events = this.processes.flatMap((one) => one.events);
    return events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);
  }

  /** Read by another process than the session's. */
  async standing(): Promise<Standing> {
    const store = await openStore({ file: this.place.database });
    try {
      const journal = store.readJournal(this.session);
      const open = journal.openCalls().map((call) => {
        const { callId, status, attempt } = call;
        return { callId, status, attempt, digest: call.digest };
      });
      const summaries = journal.compactions().flatMap((one) => (one.kind === "summary" ? [one] : []));
      return {
        open,
        compactions: summaries.map(({ upTo, shown }) => ({ upTo, shown })),
        jobs: journal.runningJobs(),
        pids: journal.allCalls().flatMap(({ callId }) => journal.childrenOf(callId).map(({ pid }) => pid)),
      };
    } finally {
      store.close();
    }
  }

  async #command(argv: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
    const ended = await this.place.start([], { HOLDFAST_COMMAND: JSON.stringify(argv), ...env }).done;
    this.processes.push(ended);
    this.session ||= ended.events[0]?.session ?? "";
    return ended;
  }
}
