import type { AgentEvent } from "../../../graph/events.ts";
import type { Session } from "../../../session/session.ts";
import { chat as words } from "../../../words/en/chat.ts";
import type { SessionAbout } from "../../services/session-services.ts";
import { cleanLine } from "../safe-text.ts";
import type { Item } from "../view/view.ts";

/** The chat in which a hint is given. */
interface Place {
  session(): Session;
  about: Pick<SessionAbout, "ruleOffer">;
  /** Nothing runs, nothing is asked, and nothing is being typed. */
  isFree(): boolean;
  say(item: Item): void;
}

/** Says at most once a session, after a turn in which the person answered at a question, that `/suggest` has a rule for such answers. */
export class RuleHint {
  readonly #place: Place;
  readonly #told = new Set<string>();
  #answered = false;

  constructor(place: Place) {
    this.#place = place;
  }

  heard(events: readonly AgentEvent[]): void {
    for (const event of events) {
      if (event.type === "decision") this.#answered ||= event.by === "person";
      else if (event.type === "turn_ended" && event.parent === undefined) {
        // A hint that cannot be had is not given.
        if (this.#answered) void this.#look().catch(() => undefined);
        this.#answered = false;
      }
    }
  }

  async #look(): Promise<void> {
    const { about, session, isFree, say } = this.#place;
    const { id, workspace } = session();
    if (this.#told.has(id)) return;
    const offer = await about.ruleOffer(workspace, id);
    if (offer === undefined || this.#told.has(id) || session().id !== id || !isFree()) return;
    this.#told.add(id);
    const text = words().answeredAlike({ times: offer.times, rule: cleanLine(offer.line) });
    say({ kind: "notice", level: "info", text });
  }
}
