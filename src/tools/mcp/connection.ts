import type { Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { pathToFileURL } from "node:url";
import type { ChildNote } from "../../core/child.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { limits } from "../../core/limits.ts";
import type { PinnedRoots } from "../../core/tool.ts";
import { findProgram } from "../../process/find-program.ts";
import { endStarted, startedBy } from "../../process/process-group.ts";
import { type ChildEnd, startChild } from "../../process/run-child.ts";
import { lineReader } from "../own/lines.ts";
import { readLine } from "../own/messages.ts";
import { endWords } from "../shell/command-words.ts";
import type { ServerEntry } from "./entry.ts";
import type { ServerLog } from "./server-log.ts";

/** What a server is started with. */
export interface ServerSpec {
  /** Its variables replaced. */
  entry: ServerEntry;
  /** Absolute: the root that it is told of. */
  workspace: string;
  /** Absolute: where it runs. */
  cwd: string;
  pins?: PinnedRoots | undefined;
  /** The whole environment of it, but for what its entry adds. */
  env: Readonly<Record<string, string>>;
  log: ServerLog;
  /** What the program calls itself to the server. */
  version: string;
  /** Why it is not to run now, in words. @param program what was found to be its program */
  refuses(program?: string): Promise<string | undefined>;
}

/** The server ended with a request unanswered. */
export class ServerEnded extends Error {
  override readonly name = "ServerEnded";
}

/** A request that the server has not read, and never will. */
export class NotSent extends Error {
  override readonly name = "NotSent";
}

/** The server's own refusal of a request. */
export class ServerRefusal extends Error {
  override readonly name = "ServerRefusal";
}

export interface RequestOptions {
  /** The server said how far it is. */
  onProgress?(said: { progress?: number; total?: number; message?: string }): void;
}

/** A request under way. */
export interface Request {
  /** @throws ServerRefusal; ServerEnded; NotSent */
  answer: Promise<JsonObject>;
  /** Tells the server to stop; whether it does, only its answer can say. */
  cancel(reason: string): void;
}

interface Waiting {
  resolve(result: JsonObject): void;
  reject(error: Error): void;
  onProgress: RequestOptions["onProgress"];
}

/** What whoever has a server is asked and told. */
export interface Heard {
  /** The server says unasked that its tools are others. */
  toolsChanged(): void;
  /** It stands ready and does not run yet. @throws why it is not to */
  refuse(program: string): Promise<void>;
}

/**
 * Starts a server in a group of its own under the watchdog, and speaks JSON-RPC with it, a message a line. What is no message is passed
 * over and kept in the log.
 * @throws what kept it from starting.
 */
export async function connect(spec: ServerSpec, heard: Heard, signal: AbortSignal): Promise<Connection> {
  const connection = new Connection(spec, heard);
  await connection.start(signal);
  return connection;
}

/** One process of a server, from its start to its end. */
export class Connection {
  readonly #spec: ServerSpec;
  readonly #heard: Heard;
  readonly #stop = new AbortController();
  readonly #waiting = new Map<number, Waiting>();
  readonly #unasked = allowance(limits.mcpUnasked.most);
  readonly #stderr: ReturnType<typeof lineLog>;
  #asked = 0;
  #why = "";
  #note: ChildNote | undefined;
  #input: Writable | undefined;
  #ended: Promise<void> = Promise.resolve();

  constructor(spec: ServerSpec, heard: Heard) {
    this.#spec = spec;
    this.#heard = heard;
    this.#stderr = lineLog(spec.log);
  }

  async start(signal: AbortSignal): Promise<void> {
    const { entry, cwd, pins } = this.#spec;
    const env = { ...this.#spec.env, ...entry.env };
    const program = await findProgram(entry.command, cwd, env["PATH"]);
    if (program === undefined) throw new Error(`there is no program ${entry.command}`);
    const abort = (): void => this.#stop.abort(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    const read = lineReader(limits.mcpMessage.most, (line) => this.#hear(line));
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

  get note(): ChildNote {
    if (this.#note === undefined) throw new Error("the server was not started");
    return this.#note;
  }

  /** Empty as long as it runs; else why it ended, in words. */
  get why(): string {
    return this.#why;
  }

  /** Resolves when it is reaped and all that waited was told. */
  get ended(): Promise<void> {
    return this.#ended;
  }

  request(method: string, params: JsonObject, { onProgress }: RequestOptions = {}): Request {
    this.#asked += 1;
    const id = this.#asked;
    const answer = new Promise<JsonObject>((resolve, reject) => {
      if (this.#why === "") this.#waiting.set(id, { resolve, reject, onProgress });
      else reject(new ServerEnded(this.#why));
    });
    answer.catch(() => undefined);
    const token = onProgress === undefined ? {} : { _meta: { progressToken: id } };
    this.#say({ id, method, params: { ...params, ...token } }, () => {
      this.#waiting.get(id)?.reject(new NotSent("it does not take what it is sent"));
      this.#waiting.delete(id);
    });
    const cancel = (reason: string): void => this.tell("notifications/cancelled", { requestId: id, reason });
    return { answer, cancel };
  }

  tell(method: string, params?: JsonObject): void {
    this.#say({ method, ...(params === undefined ? {} : { params }) });
  }

  /** Ends it and all that it started. Resolves when it is reaped. */
  async end(reason: string): Promise<void> {
    if (this.#why === "") this.#why = reason;
    this.#stop.abort();
    await this.#ended;
  }

  /** @param lost told where it is sure that nothing of it was read; where the server may have read it, its end tells */
  #say(message: JsonObject, lost: () => void = () => undefined): void {
    const input = this.#input;
    if (input === undefined || !input.writable || input.writableLength > limits.mcpUnread.most) {
      lost();
      if (input !== undefined) void this.end("it does not read what it is sent");
      return;
    }
    // What goes out together with others may have been read when it fails.
    const isAlone = input.writableLength === 0;
    input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`, (error) => {
      if (error === undefined || error === null) return;
      if (isAlone) lost();
      void this.end("it closed its input");
    });
  }

  #hear(line: string): void {
    if (this.#why !== "" || line.trim() === "") return;
    const message = readLine(line);
    if (isJsonObject(message) && this.#isAnswer(message)) return;
    if (!this.#unasked(line.length)) {
      void this.end("it says far more than it was asked for");
      return;
    }
    if (!isJsonObject(message) || message["jsonrpc"] !== "2.0") {
      this.#spec.log.write(`stdout: ${line.slice(0, 4_000)}`);
      return;
    }
    const { id, method } = message;
    if (typeof method !== "string") return;
    if (id === undefined || id === null) this.#told(method, message["params"]);
    else this.#say({ id, ...replyTo(method, this.#spec.workspace) });
  }

  /** Whether something waited for it, which is told. */
  #isAnswer({ jsonrpc, method, id, result, error }: JsonObject): boolean {
    if (jsonrpc !== "2.0" || typeof method === "string" || typeof id !== "number") return false;
    const one = this.#waiting.get(id);
    if (one === undefined) return false;
    this.#waiting.delete(id);
    if (isJsonObject(result)) one.resolve(result);
    else one.reject(new ServerRefusal(errorWords(error)));
    return true;
  }

  #told(method: string, params: Json | undefined): void {
    if (method === "notifications/tools/list_changed") this.#heard.toolsChanged();
    if (method !== "notifications/progress" || !isJsonObject(params)) return;
    const { progressToken, progress, total, message } = params;
    if (typeof progressToken !== "number") return;
    this.#waiting.get(progressToken)?.onProgress?.({
      ...(typeof progress === "number" ? { progress } : {}),
      ...(typeof total === "number" ? { total } : {}),
      ...(typeof message === "string" ? { message } : {}),
    });
  }

  /** What was asked and not answered is not known. */
  async #over(how: ChildEnd): Promise<void> {
    if (this.#why === "") this.#why = `it ended by itself (${endWords(how)})`;
    this.#stderr.end();
    this.#spec.log.write(`[the server ended: ${this.#why}]`);
    this.#spec.log.flush();
    for (const { reject } of this.#waiting.values()) reject(new ServerEnded(this.#why));
    this.#waiting.clear();
    // What left its group has not ended with it.
    await endStarted(startedBy(this.note));
  }
}

/** What a server may ask of us: the workspace is its root, nobody is asked anything for it, and no model answers it. */
function replyTo(method: string, workspace: string): JsonObject {
  switch (method) {
    case "ping":
      return { result: {} };
    case "roots/list":
      return { result: { roots: [{ uri: pathToFileURL(workspace).href, name: "workspace" }] } };
    case "elicitation/create":
      return { result: { action: "decline" } };
    case "sampling/createMessage":
      return { error: { code: -1, message: "refused: this client lets no server use its model" } };
    default:
      return { error: { code: -32601, message: "this client does not have that" } };
  }
}

function errorWords(error: Json | undefined): string {
  if (!isJsonObject(error)) return "its answer is neither a result nor an error";
  const { code, message } = error;
  return `${typeof message === "string" ? message : "it did not say why"} (error ${String(code)})`;
}

/** So many bytes at once, and a tenth of them each second; each time counts 500 more. @returns whether there was room for these */
function allowance(most: number): (bytes: number) => boolean {
  let [left, at] = [most, performance.now()];
  return (bytes) => {
    const now = performance.now();
    left = Math.min(most, left + ((now - at) / 10_000) * most) - bytes - 500;
    at = now;
    return left >= 0;
  };
}

/** Whole lines of it, as they come; what is far too much is counted. */
function lineLog(log: ServerLog) {
  const decoder = new StringDecoder("utf8");
  const room = allowance(limits.mcpUnasked.most);
  let [open, left] = ["", 0];
  const tellLeft = (): void => {
    if (left > 0) log.write(`[${left.toLocaleString("en-US")} bytes left out: it says too much]`);
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
