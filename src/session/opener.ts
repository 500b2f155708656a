import { loadPart } from "../core/agent-packages.ts";
import { FolderLost } from "../core/folder-lost.ts";
import { type HeldRoots, pinRoots } from "../files/pinned-roots.ts";
import type { AgentParts } from "./agent-parts.ts";
import type { EventStream } from "./event-stream.ts";
import type { ModelAndMode } from "./model-and-mode.ts";
import { OpenForms } from "./open-forms.ts";
import type { OpenSession } from "./open-session.ts";
import type { Opening } from "./opening.ts";
import { type SentMessage, typedIn } from "./sent-message.ts";

export type Named = Pick<Opening, "id" | "workspace" | "model" | "mode" | "isNew" | "takeOver">;

interface OpenerParts {
  parts: AgentParts;
  named: Named;
  chosen: ModelAndMode;
  stream: EventStream;
  /** A new session is stored from now on. */
  stored(): void;
  asksMeanwhile(): void;
  /** This process holds it from now on. */
  opened(session: OpenSession): void;
}

/**
 * Opens a session at the first need. Its workspace is the folder that had the name when this was made, however late that need is; it is
 * kept open until the end.
 */
export class Opener {
  readonly #with: OpenerParts;
  readonly #roots: HeldRoots | FolderLost;
  /** With what a try stored the session. */
  #begun: SentMessage | undefined;
  #opened: Promise<OpenSession> | undefined;
  /** The forms by which its calls ask the person while they run. */
  readonly forms = new OpenForms();

  constructor(given: OpenerParts) {
    this.#with = given;
    this.#roots = pinnedOr(given.named.workspace);
  }

  /** Undefined as long as nobody needed it, and where it could not be opened. */
  get opened(): Promise<OpenSession> | undefined {
    return this.#opened;
  }

  /**
   * @param first with what a new session begins
   * @throws FolderLost where the workspace was no folder; what `openSession` throws. The next need tries again.
   */
  open(first: SentMessage | undefined): Promise<OpenSession> {
    this.#opened ??= this.#openNow(first).then((session) => {
      this.#with.opened(session);
      return session;
    });
    this.#opened.catch(() => {
      this.#opened = undefined;
    });
    return this.#opened;
  }

  async #openNow(said: SentMessage | undefined): Promise<OpenSession> {
    const begun = this.#begun;
    // What servers give for the same words may be another text by now, and it was said once.
    const isSaid = begun !== undefined && said !== undefined && typedIn(said) === typedIn(begun);
    const first = isSaid ? begun : said;
    const { parts, named, chosen, stream, stored, asksMeanwhile } = this.#with;
    const pins = this.#roots;
    if (pins instanceof FolderLost) throw pins;
    const { openSession } = await loadPart(() => import("./open-session.ts"));
    return openSession(parts, {
      ...named,
      ...chosen.named,
      pins,
      ...(first === undefined ? {} : { first }),
      emit: (body, heard, of) => stream.emit(body, heard, of),
      allHeard: () => stream.allHeard(),
      ...{ forms: this.forms, asksMeanwhile },
      stored: () => {
        this.#begun = first;
        stored();
      },
      settingsWith: (model) => chosen.openedWith(model),
    });
  }

  /** Behind the end of all that works in the folders. */
  close(): void {
    if (!(this.#roots instanceof FolderLost)) this.#roots.close();
  }
}

function pinnedOr(workspace: string): HeldRoots | FolderLost {
  try {
    return pinRoots(workspace);
  } catch (error) {
    if (error instanceof FolderLost) return error;
    throw error;
  }
}
