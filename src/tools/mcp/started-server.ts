import type { Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import type { ChildNote } from "../../core/child.ts";
import { countText } from "../../core/count-text.ts";
import type { JsonObject } from "../../core/json.ts";
import { limits } from "../../core/limits.ts";
import type { PinnedRoots } from "../../core/tool.ts";
import { findProgram } from "../../process/find-program.ts";
import { endStarted, startedBy } from "../../process/process-group.ts";
import { type ChildEnd, startChild } from "../../process/run-child.ts";
import { lineReader } from "../own/lines.ts";
import { endWords } from "../shell/command-words.ts";
import type { StartedEntry } from "./entry.ts";
import {
  allowance,
  type Connection,
  Exchange,
  type Heard,
  NotSent,
  type Request,
  type RequestOptions,
  ServerEnded,
} from "./messages.ts";
import type { ServerLog } from "./server-log.ts";

/** The means by which a server is started. */
export interface StartSpec {
  /** Its variables replaced. */
  entry: StartedEntry;
  /** Absolute: the root that it is told of. */
  workspace: string;
  /** Absolute: where it runs. */
  cwd: string;
  pins?: PinnedRoots | undefined;
  /** The whole environment of it, but for what its entry adds. */
  env: Readonly<Record<string, string>>;
  log: ServerLog;
}

/**
 * Starts a server in a group of its own under the watchdog, and speaks JSON-RPC with it, a message a line.
 * @throws what kept it from starting.
 */
export async function startServer(spec: StartSpec, heard: Heard, signal: AbortSignal): Promise<Connection> {
  const connection = new StartedServer(spec, heard);
  await connection.start(signal);
  return connection;
}

/** One process of a server, from its start to its end. */
class StartedServer implements Connection {
  readonly protocol = "2025-11-25";
  readonly #spec: StartSpec;
  readonly #heard: Heard;
  readonly #stop = new AbortController();
  readonly #exchange: Exchange;
  readonly #stderr: ReturnType<typeof lineLog>;
  #why = "";
  #note: ChildNote | undefined;
  #input: Writable | undefined;
  #ended: Promise<void> = Promise.resolve();

  constructor(spec: StartSpec, heard: Heard) {
    this.#spec = spec;
    this.#heard = heard;
    this.#stderr = lineLog(spec.log);
    this.#exchange = new Exchange({
      workspace: spec.workspace,
      log: spec.log,
      send: (message, id) => this.#send(message, id),
      toolsChanged: () => heard.toolsChanged(),
      asks: heard.asks,
      tooMuch: () => void this.end("it says far more than it was asked for"),
    });
  }

  async start(signal: AbortSignal): Promise<void> {
    const { entry, cwd, pins } = this.#spec;
    const env = { ...this.#spec.env, ...entry.env };
    const program = await findProgram(entry.command, cwd, env["PATH"]);
    if (program === undefined) throw new Error(`there is no program ${entry.command}`);
    const abort = (): void => this.#stop.abort(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    const read = lineReader(limits.mcpMessage.most, (line) => {
      if (this.#why === "") this.#exchange.hear(line);
    });
    const onOutput = (chunk: Buffer, from: "stdout" | "stderr"): void => {
      if (from === "stderr") this.#stderr.take(chunk);
      else if (this.#why === "" && !read(chunk))
        void this.end(`one message of it was longer than ${limits.mcpMessage.most / 1_000_000} MB`);
    };
    const noteChild = async (given: ChildNote): Promise<void> => {
      this.#note = given;
      await this.#heard.refuse(program);
    };
    const { args } = entry;
    const child = await startChild(
      { program, args, cwd, env, reads: true, maxOutputBytes: 1_000, onOutput },
      { signal: this.#stop.signal, noteChild, ...(pins && { pins }) },
    ).finally(() => signal.removeEventListener("abort", abort));
    this.#input = child.input;
    this.#ended = child.ended.then((how) => this.#over(how));
  }

  get note(): ChildNote | undefined {
    return this.#note;
  }

  get why(): string {
    return this.#why;
  }

  get ended(): Promise<void> {
    return this.#ended;
  }

  request(method: string, params: JsonObject, options: RequestOptions = {}): Request {
    return this.#exchange.request(method, params, options, this.#why);
  }

  tell(method: string, params?: JsonObject): void {
    this.#exchange.tell(method, params);
  }

  becomeModern(): void {
    this.#exchange.becomeModern();
  }

  get replyTo(): Connection["replyTo"] {
    return this.#exchange.replyTo;
  }

  async end(reason: string): Promise<void> {
    if (this.#why === "") this.#why = reason;
    this.#stop.abort();
    await this.#ended;
  }

  /** @param id of what is sure to be read by nobody, where it cannot be written; where the server may have read it, its end tells */
  #send(message: JsonObject, id: number | undefined): Promise<boolean> {
    const lost = (): void => {
      if (id !== undefined) this.#exchange.lose(id, new NotSent("it does not take what it is sent"));
    };
    const input = this.#input;
    if (input === undefined || !input.writable || input.writableLength > limits.mcpUnread.most) {
      lost();
      if (input !== undefined) void this.end("it does not read what it is sent");
      return Promise.resolve(false);
    }
    // What goes out together with others may have been read when it fails.
    const isAlone = input.writableLength === 0;
    return new Promise((told) => {
      input.write(`${JSON.stringify(message)}\n`, (error) => {
        const isOut = error === undefined || error === null;
        told(isOut);
        if (isOut) return;
        if (isAlone) lost();
        void this.end("it closed its input");
      });
    });
  }

  /** Settles all that is open once it has ended: the outcome of each request without an answer is not known. */
  async #over(how: ChildEnd): Promise<void> {
    if (this.#why === "") this.#why = `it ended by itself (${endWords(how)})`;
    this.#stderr.end();
    this.#spec.log.write(`[the server ended: ${this.#why}]`);
    this.#spec.log.flush();
    this.#exchange.loseAll(new ServerEnded(this.#why));
    // What left its group has not ended with it.
    if (this.#note !== undefined) await endStarted(startedBy(this.#note));
  }
}

/** Whole lines of it, as they come; what is far too much is counted. */
function lineLog(log: ServerLog) {
  const decoder = new StringDecoder("utf8");
  const room = allowance(limits.mcpUnasked.most);
  let [open, left] = ["", 0];
  const tellLeft = (): void => {
    if (left > 0) log.write(`[${countText(left)} bytes left out: it says too much]`);
    left = 0;
  };
  return {
    take(chunk: Buffer): void {
      if (!room(chunk.length)) {
        left += chunk.length;
        return;
      }
      tellLeft();
      const lines = (open + decoder.write(chunk)).split("\n");
      open = (lines.pop() ?? "").slice(0, 4_000);
      for (const line of lines) log.write(line);
    },
    end(): void {
      tellLeft();
      open += decoder.end();
      if (open !== "") log.write(open);
      open = "";
    },
  };
}
