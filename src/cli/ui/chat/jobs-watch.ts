import { setTimeout } from "node:timers/promises";
import type { AgentEvent } from "../../../graph/events.ts";
import type { Session } from "../../../session/session.ts";
import type { SessionAbout } from "../../services/session-services.ts";

/** The time between two looks: a job's state is kept every two seconds. */
const lookEveryMs = 1_000;

interface JobsWatchPorts {
  session(): Session;
  about: Pick<SessionAbout, "jobs">;
  show(running: number): void;
}

/**
 * Watches the number of background jobs of the session that run. It is looked up from the first that is begun on until none runs: not of
 * every end there is an event.
 */
export class JobsWatch {
  readonly #ports: JobsWatchPorts;
  #watched: Session | undefined;

  constructor(ports: JobsWatchPorts) {
    this.#ports = ports;
  }

  heard(events: readonly AgentEvent[]): void {
    const session = this.#ports.session();
    if (this.#watched !== session && events.some(beginsJob)) void this.#watch(session).catch(() => undefined);
  }

  async #watch(session: Session): Promise<void> {
    this.#watched = session;
    try {
      for (let running = 1; running > 0; await setTimeout(lookEveryMs, undefined, { ref: false })) {
        const jobs = await this.#ports.about.jobs(session);
        if (session !== this.#ports.session()) return;
        running = jobs.filter(({ runs }) => runs).length;
        this.#ports.show(running);
      }
    } finally {
      if (this.#watched === session) this.#watched = undefined;
    }
  }
}

/** A helper's jobs are its own session's. */
const beginsJob = (event: AgentEvent): boolean =>
  event.type === "tool_call" &&
  event.parent === undefined &&
  event.call.status === "success" &&
  "result" in event.call &&
  typeof event.call.result.metadata?.["job"] === "string";
