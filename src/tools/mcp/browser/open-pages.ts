import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";

/** A page that a browser shows. */
export interface ShownPage {
  /** Of what it shows; undefined where that is not known. */
  url?: string;
  /** Of all documents in it, frames too, each once; `""` is one that belongs to no host that can be known. */
  origins: string[];
}

interface Page {
  url: string | undefined;
  main: string | undefined;
  /** By the frame's id. */
  frames: Map<string, { origin: string; session: string }>;
}

/** The beginnings of messages that tell of pages and their frames, as browsers write them: of all others nothing is read. */
const heard =
  /^\{"method":"(?:Target\.(?:attachedToTarget|detachedFromTarget)|Page\.(?:frameNavigated|navigatedWithinDocument|documentOpened|frameAttached|frameDetached)|Runtime\.executionContextCreated)"|^\{"id":\d+,"result":\{"frameTree":/u;

/** Characters of a message that is read, of an address, and documents in one page, and pages. More, and what is shown is not known. */
const most = { message: 4_000_000, url: 8_192, frames: 1_000, pages: 100 };

// Keeps tools 13.
/** The pages that a browser shows, by what it says to whoever drives it over the Chrome DevTools Protocol. What cannot be read makes them unknown, never older. */
export class OpenPages {
  /** By session: that of its page. */
  readonly #sessions = new Map<string, string>();
  /** By session. */
  readonly #pages = new Map<string, Page>();
  #open = "";
  #isTooLong = false;

  /** Takes the browser's output, in pieces: messages, each with a NUL behind it. */
  take(text: string): void {
    const parts = text.split("\0");
    const last = parts.pop() ?? "";
    for (const part of parts) {
      this.#add(part);
      this.#ended();
    }
    this.#add(last);
  }

  /** In the order in which they were opened. */
  get pages(): ShownPage[] {
    return [...this.#pages.values()].map(({ url, frames }) => ({
      ...(url === undefined || url.length > most.url ? {} : { url }),
      origins: [...new Set([...frames.values()].map(({ origin }) => origin))].sort(),
    }));
  }

  #add(part: string): void {
    const room = most.message - this.#open.length;
    if (part.length > room) this.#isTooLong = true;
    this.#open += part.slice(0, Math.max(room, 0));
  }

  #ended(): void {
    const [message, isTooLong] = [this.#open, this.#isTooLong];
    [this.#open, this.#isTooLong] = ["", false];
    if (!heard.test(message)) return;
    if (isTooLong || !this.#read(message)) for (const page of this.#pages.values()) lose(page);
  }

  /** @returns whether it could be read */
  #read(text: string): boolean {
    let message: Json;
    try {
      message = JSON.parse(text) as Json;
    } catch {
      return false;
    }
    if (!isJsonObject(message)) return false;
    const { method, params, result, sessionId: session = "" } = message;
    if (typeof session !== "string") return false;
    if (method === undefined) return isJsonObject(result) && this.#hasTree(session, result["frameTree"]);
    if (!isJsonObject(params)) return false;
    switch (method) {
      case "Target.attachedToTarget":
        return this.#attached(session, params);
      case "Target.detachedFromTarget":
        return this.#detached(params["sessionId"]);
      case "Page.frameDetached":
        // One that goes on elsewhere stays until that tells of it.
        if (params["reason"] !== "swap") this.#pageOf(session)?.frames.delete(String(params["frameId"]));
        return true;
      case "Page.frameAttached":
        return this.#holds(session, String(params["frameId"]));
      case "Page.navigatedWithinDocument":
        return this.#moved(session, params);
      case "Runtime.executionContextCreated":
        return this.#runs(session, params["context"]);
      default:
        return this.#shows(session, params["frame"], method === "Page.frameNavigated");
    }
  }

  #attached(above: string, { sessionId, targetInfo }: JsonObject): boolean {
    if (typeof sessionId !== "string" || !isJsonObject(targetInfo)) return false;
    const { type, subtype, targetId } = targetInfo;
    if (type === "page" && subtype !== "prerender" && this.#pages.size < most.pages) {
      this.#sessions.set(sessionId, sessionId);
      this.#pages.set(sessionId, { url: undefined, main: undefined, frames: new Map() });
    }
    const page = this.#sessions.get(above);
    // All else that is in a page shows something: frames in a process of their own, fenced ones, other programs' views.
    if (page === undefined || /work(?:er|let)/u.test(String(type))) return true;
    this.#sessions.set(sessionId, page);
    return this.#holds(sessionId, String(targetId), true);
  }

  #detached(session: Json | undefined): boolean {
    if (typeof session !== "string") return false;
    const page = this.#pageOf(session);
    for (const [id, frame] of page?.frames ?? []) if (frame.session === session) page?.frames.delete(id);
    this.#pages.delete(session);
    this.#sessions.delete(session);
    return true;
  }

  #hasTree(session: string, tree: Json | undefined): boolean {
    if (!isJsonObject(tree)) return false;
    const { frame, childFrames = [] } = tree;
    if (!this.#shows(session, frame, false) || !Array.isArray(childFrames)) return false;
    return childFrames.every((one) => this.#hasTree(session, one));
  }

  /** @param isNew it is another document: of a page, what was in the one before is gone */
  #shows(session: string, frame: Json | undefined, isNew: boolean): boolean {
    if (!isJsonObject(frame)) return false;
    const { id, parentId, url } = frame;
    const page = this.#pageOf(session);
    if (typeof id !== "string" || typeof url !== "string") return false;
    if (page === undefined) return true;
    if (parentId === undefined && this.#pages.has(session)) {
      if (isNew) page.frames.clear();
      page.main = id;
      page.url = url;
    }
    return this.#holds(session, id, isNew);
  }

  // An address says less: a document may be kept apart from all others of its host, or have none and be another's.
  /** The origin of a document is that in which its scripts run. */
  #runs(session: string, context: Json | undefined): boolean {
    if (!isJsonObject(context)) return false;
    const { origin, auxData } = context;
    if (!isJsonObject(auxData) || auxData["isDefault"] !== true) return true;
    const { frameId } = auxData;
    if (typeof frameId !== "string" || !this.#holds(session, frameId)) return false;
    const frame = this.#pageOf(session)?.frames.get(frameId);
    if (frame !== undefined) frame.origin = originOf(origin);
    return true;
  }

  #moved(session: string, { frameId, url }: JsonObject): boolean {
    const page = this.#pageOf(session);
    if (typeof url !== "string") return false;
    if (page !== undefined && page.main === frameId) page.url = url;
    return true;
  }

  /** @param isNew it shows another document by now, or is had in another way: whose that is is not known yet */
  #holds(session: string, frame: string, isNew = false): boolean {
    const frames = this.#pageOf(session)?.frames;
    if (frames === undefined || (frames.has(frame) && !isNew)) return true;
    if (frames.size >= most.frames && !frames.has(frame)) return false;
    frames.set(frame, { origin: "", session });
    return true;
  }

  #pageOf(session: string): Page | undefined {
    return this.#pages.get(this.#sessions.get(session) ?? "");
  }
}

/** Until it shows another document: what else there may be in it is not known. */
function lose(page: Page): void {
  page.url = undefined;
  page.frames.set("", { origin: "", session: "" });
}

/** As a host can be named; `""` for one that is kept apart, and for all that is no host's. */
function originOf(given: Json | undefined): string {
  const text = typeof given === "string" ? given : "";
  return /^https?:\/\//u.test(text) && URL.canParse(text) ? new URL(text).origin : "";
}
