import { execPath } from "node:process";
import { stripVTControlCharacters } from "node:util";
import type { ChildNote } from "../../core/child.ts";
import type { ChildSpec } from "../../core/child-session.ts";
import { type ErrorCode, ToolRefusal } from "../../core/codes.ts";
import { plainText } from "../../core/fence.ts";
import type { Json } from "../../core/json.ts";
import { limits } from "../../core/limits.ts";
import { unstopped } from "../../core/outcome.ts";
import type { Progress } from "../../core/progress.ts";
import type { PinnedRoots, ToolContext } from "../../core/tool.ts";
import type { ToolSettings } from "../../core/tool-settings.ts";
import { endStarted, startedBy } from "../../process/process-group.ts";
import { type ChildEnd, startChild } from "../../process/run-child.ts";
import { builtFile, isGone } from "../built-file.ts";
import { endWords } from "../shell/command-words.ts";
import { lineReader } from "./lines.ts";
import { type Ask, readLine, type Said, saidSchema, type ToolBytes } from "./messages.ts";
import { ToldChildren } from "./told-children.ts";

/** The spec with which the process is started. */
export interface ToolProcessSpec {
  /** Absolute; also where it runs. */
  workspace: string;
  /** The pins by which its workspace is the session's own, whatever has its name. */
  pins?: PinnedRoots | undefined;
  /** The whole environment of it. */
  env: Readonly<Record<string, string>>;
  /** The person's id for the tools, where their settings say it. */
  uid?: string | undefined;
  /** The settings that its tools find in `ctx.config`, by their names. */
  settings: ToolSettings;
  /** The bytes that may run in it; those it reads from the disk are added, so that one started anew runs the same. */
  bytes: ToolBytes;
}

export interface AskOptions {
  /** Stopped: it is told so, and a little later the process is ended. */
  signal?: AbortSignal;
  /** Milliseconds until the process is ended. */
  deadlineMs?: number;
  progress?(progress: Progress): void;
  /** Starts sessions that work for this ask; without it there are none. */
  runChild?: ToolContext["runChild"];
  /** Before it is said: which process will do it. */
  starting?(process: ChildNote): Promise<void>;
}

/** The process of the tools ended with the ask unanswered. */
export class ToolProcessEnded extends Error {
  override readonly name = "ToolProcessEnded";
}

function hostFile(): string {
  const file = builtFile("tool-host");
  if (file === undefined) throw new Error(isGone("tool-host"));
  return file;
}

interface Waiting {
  resolve(answer: Json): void;
  reject(error: Error): void;
  progress: ((progress: Progress) => void) | undefined;
  children: ToldChildren;
}

/** One process, from its start to its end. */
interface Live {
  note: ChildNote;
  waiting: Map<number, Waiting>;
  /** The reason why it ended, or was ended by us, in words; empty as long as it does not. */
  why: string;
  /** It was told to end: nothing more is asked of it. */
  isEnding: boolean;
  isOver: boolean;
  /** Resolves when it is reaped and all that waited for it was told. */
  ended: Promise<void>;
  end(why: string): void;
  say(message: object): void;
}

/** The process of one session's own tools: started with the first ask, and anew with the next one after it has ended. */
export class ToolProcess {
  readonly #spec: ToolProcessSpec;
  readonly #files: Record<string, string>;
  #live: Promise<Live> | undefined;
  /** The one that runs, once it does. */
  #at: Live | undefined;
  #started = 0;
  #asked = 0;
  #isClosed = false;

  constructor(spec: ToolProcessSpec) {
    this.#spec = spec;
    this.#files = { ...spec.bytes.files };
  }

  /** The number of the process that runs, from 1; what was loaded in one is not loaded in the next. Undefined where none runs. */
  get generation(): number | undefined {
    return this.#live === undefined || this.#at?.isEnding === true ? undefined : this.#started;
  }

  /**
   * @returns the answer. @throws ToolRefusal where the tool refuses or could not be asked; NotBegun where it was stopped before; ToolProcessEnded where the process ended
   * while it was at work; Error with the tool's own words where it threw.
   */
  async ask(
    ask: Exclude<Ask, { do: "open" | "stop" | "child" }>,
    { signal, deadlineMs, progress, starting, runChild }: AskOptions = {},
  ): Promise<Json> {
    if (this.#isClosed) throw new ToolRefusal("FAILED", "the session of this tool is closed");
    const at = await this.#running();
    await starting?.(at.note);
    unstopped(signal);
    if (at.isEnding || at.isOver)
      throw new ToolRefusal("FAILED", `nothing was done: the process of the tools ended before: ${at.why}`);
    this.#asked += 1;
    const id = this.#asked;
    const children = new ToldChildren(runChild, (told) => at.say({ do: "child", of: id, ...told }));
    const answer = new Promise<Json>((resolve, reject) => at.waiting.set(id, { resolve, reject, progress, children }));
    at.say({ ...ask, id });
    try {
      return await answer.finally(watch(at, id, { signal, deadlineMs, children }));
    } finally {
      // Of one that was not stopped the session looks after those that work on.
      if (signal?.aborted === true) {
        await children.ended();
        // Stopped, it has ended by itself: what it had started and left running is ended too. With its process all is.
        if (!at.isOver) await endStarted(startedBy(at.note));
      }
    }
  }

  /** One that is told to end is waited for, and another one started. */
  async #running(): Promise<Live> {
    for (;;) {
      this.#live ??= this.#start();
      const at = await this.#live;
      if (!at.isEnding) return at;
      await at.ended;
    }
  }

  /** Returns the text that a file held when it was first read. */
  textOf(path: string): string | undefined {
    return Object.hasOwn(this.#files, path) ? this.#files[path] : undefined;
  }

  /** Ends it, politely at first. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const at = await this.#live?.catch(() => undefined);
    if (at === undefined) return;
    const timer = setTimeout(() => at.end("the session ended"), endMs);
    at.say({ id: 0, do: "end" });
    await at.ended;
    clearTimeout(timer);
  }

  async #start(): Promise<Live> {
    this.#started += 1;
    try {
      const at = await startHost(this.#spec, (said) => this.#hear(at, said));
      this.#at = at;
      void at.ended.then(() => {
        this.#live = undefined;
        this.#at = undefined;
      });
      at.say({ id: 0, do: "open", bytes: { ...this.#spec.bytes, files: this.#files } });
      return at;
    } catch (error) {
      this.#live = undefined;
      throw error;
    }
  }

  #hear(at: Live, said: Said): void {
    if ("read" in said) {
      if (!Object.hasOwn(this.#files, said.read)) this.#files[said.read] = said.text;
      return;
    }
    const waiting = at.waiting.get(said.id);
    if ("progress" in said) {
      waiting?.progress?.(said.progress as Progress);
      return;
    }
    if ("child" in said) waiting?.children.begin(said.child, said.spec as ChildSpec);
    else if ("endChild" in said) waiting?.children.stop(said.endChild);
    else this.#answered(at, said);
  }

  #answered(at: Live, said: Extract<Said, { ok: unknown } | { error: unknown }>): void {
    const waiting = at.waiting.get(said.id);
    at.waiting.delete(said.id);
    if ("ok" in said) waiting?.resolve(said.ok as Json);
    else waiting?.reject(errorOf(said.error));
  }
}

const errorOf = ({ message, code }: { message: string; code?: string | undefined }): Error =>
  code === undefined ? new Error(message) : new ToolRefusal(code as ErrorCode, message);

/** Starts the program that runs the tools. @throws what kept it from starting. */
async function startHost({ workspace, env, pins }: ToolProcessSpec, hear: (said: Said) => void): Promise<Live> {
  const stop = new AbortController();
  let note: ChildNote | undefined;
  const args = ["--experimental-vm-modules", "--disable-warning=ExperimentalWarning", hostFile()];
  const noteChild = async (given: ChildNote): Promise<void> => {
    note = given;
  };
  const child = await startChild(
    { program: execPath, args, cwd: workspace, env, merged: true, talks: true, maxOutputBytes: keptOutput },
    { signal: stop.signal, noteChild, ...(pins && { pins }) },
  );
  const { channel } = child;
  if (channel === undefined || note === undefined) throw new Error("the process of the tools has no channel");
  const at: Live = {
    note,
    waiting: new Map(),
    why: "",
    isEnding: false,
    isOver: false,
    ended: child.ended.then(async (end) => {
      at.isEnding = true;
      // What left its group has not ended with it.
      await endStarted(startedBy(at.note));
      over(at, end);
    }),
    end: (why) => {
      if (at.why === "") at.why = why;
      at.isEnding = true;
      stop.abort();
    },
    say: (message) => void channel.write(`${JSON.stringify(message)}\n`),
  };
  const read = lineReader(limits.toolMessage.most, (line) => {
    const said = saidSchema.safeParse(readLine(line));
    if (said.success) hear(said.data);
    else at.end("something that is no message was written to its descriptor 4");
  });
  channel.on("data", (chunk: Buffer) => {
    if (!read(chunk)) at.end("one message of it was too long");
  });
  // What cannot be written to has ended, or will. Where it only closed its end of the channel, nothing would ever come of it.
  channel.on("error", () => undefined);
  channel.on("close", () => setTimeout(() => at.end("it closed its descriptor 4"), closedMs).unref());
  return at;
}

/** Marks the process as over and rejects each ask that was not answered: its outcome is not known. */
function over(at: Live, end: ChildEnd): void {
  at.isOver = true;
  if (at.why === "") at.why = `it ended by itself (${endWords(end)})${lastWords(end)}`;
  for (const { reject } of at.waiting.values()) reject(new ToolProcessEnded(at.why));
  at.waiting.clear();
}

/** The bytes of the process's stdout and stderr that are kept for the words about its death. */
const keptOutput = 16_000;
/** The time that a process whose channel is closed has to end by itself, in milliseconds: most were ending. */
const closedMs = 500;
/** The time that tools may take for their `dispose`, in milliseconds. */
const endMs = 2_000;

/** Ends the process where an ask takes too long, or is stopped and goes on. */
function watch(
  at: Live,
  id: number,
  {
    signal,
    deadlineMs,
    children,
  }: { signal: AbortSignal | undefined; deadlineMs: number | undefined; children: ToldChildren },
): () => void {
  const late = (): void => at.end(`it did not answer within ${(deadlineMs ?? 0) / 1000} s`);
  const deadline = deadlineMs === undefined ? undefined : setTimeout(late, deadlineMs);
  let grace: NodeJS.Timeout | undefined;
  let isOver = false;
  const stop = (): void => {
    at.say({ do: "stop", of: id });
    const { reason } = signal ?? {};
    const why = reason instanceof DOMException && reason.name === "TimeoutError" ? reason.message : "it was stopped";
    // What works for it ends first.
    void children.ended().then(() => {
      if (!isOver) grace = setTimeout(() => at.end(`${why}, and went on`), limits.toolStopTime.most);
    });
  };
  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted) stop();
  return () => {
    isOver = true;
    signal?.removeEventListener("abort", stop);
    clearTimeout(deadline);
    clearTimeout(grace);
  };
}

/**
 * The line of its output that most likely says why, as a person sees it: whole, or not at all. Values of secrets are looked for in it
 * later, and a part of one would not be known.
 */
function lastWords({ stdout: { head, tail, omitted } }: ChildEnd): string {
  const text = omitted === 0 ? Buffer.concat([head, tail]) : tail;
  // Where something is left out the first line has lost its beginning.
  const lines = seenText(text.toString("utf8"))
    .split("\n")
    .slice(omitted === 0 ? 0 : 1);
  const said = lines
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("at ") && !/^Node\.js v/.test(line));
  const line = said.findLast((one) => /error\b/i.test(one)) ?? said.at(-1);
  if (line === undefined) return "";
  return line.length > longestWords ? `; its last line has ${line.length} characters` : `: ${line}`;
}

const seenText = (text: string): string => plainText(stripVTControlCharacters(text));

/** Characters. */
const longestWords = 1_000;
