import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { spawn } from "@lydell/node-pty";
import { agentPath } from "./world.ts";

/** Resident memory in MB, 0 where the system does not tell. */
export function residentMb(pid: number): number {
  try {
    const kb = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return Number(kb ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** A server that only tells when the first request has come: the agent is then past everything that its start does. */
export async function startListener(): Promise<{ baseUrl: string; asked(): Promise<number>; close(): void }> {
  let note: (at: number) => void = () => undefined;
  const server: Server = createServer((request, response) => {
    note(performance.now());
    request.resume();
    response.writeHead(401).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    asked: () =>
      new Promise((resolve) => {
        note = resolve;
      }),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

export interface Start {
  /** From spawn to the prompt on the screen. */
  promptMs: number;
  /** From spawn to the first request of a message that was typed the moment the prompt stood. */
  requestMs: number;
}

const limitMs = 30_000;

export async function within<T>(what: string, promise: Promise<T>): Promise<T> {
  const timer = new AbortController();
  const late = sleep(limitMs, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`${what} took more than ${limitMs / 1000} s`);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    timer.abort();
    late.catch(() => undefined);
  }
}

export interface Chat {
  readonly pid: number;
  /** performance.now() when the prompt stood. */
  readonly prompt: Promise<number>;
  type(text: string): void;
  /** performance.now() when this came, of what is written from now on. */
  shows(wanted: RegExp): Promise<number>;
  end(): Promise<void>;
}

/** The prompt that is painted first, and the drawn one below the last words of a conversation. */
const painted = /❯/;
const drawnBelow = /All read\.[\s\S]*ask, or \/ for commands/;

export function openChat(env: NodeJS.ProcessEnv, cwd: string, command = ["chat"], awaited = painted): Chat {
  const argv = [agentPath, ...command, "-m", "openai:bench"];
  const child = spawn(process.execPath, argv, { cols: 100, rows: 30, cwd, env });
  const ended = new Promise<void>((resolve) => child.onExit(() => resolve()));
  const shows = (wanted: RegExp): Promise<number> => {
    let seen = "";
    return new Promise((resolve) => {
      const listening = child.onData((data) => {
        seen += data;
        if (!wanted.test(seen)) return;
        listening.dispose();
        resolve(performance.now());
      });
    });
  };
  return {
    pid: child.pid,
    prompt: shows(awaited),
    type: (text) => child.write(text),
    shows,
    end: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** One start of the chat in a pseudo-terminal, ended before the server answers. */
export async function measureStart(env: NodeJS.ProcessEnv, cwd: string, asked: Promise<number>): Promise<Start> {
  const started = performance.now();
  const chat = openChat(env, cwd);
  try {
    const promptMs = (await within("the prompt", chat.prompt)) - started;
    chat.type("hello\r");
    return { promptMs, requestMs: (await within("the first request", asked)) - started };
  } finally {
    await chat.end();
  }
}

/** One `agent resume` in a pseudo-terminal: ms from spawn to the prompt that is drawn below what was said before. */
export async function measureResume(env: NodeJS.ProcessEnv, cwd: string, session: string): Promise<number> {
  const started = performance.now();
  const chat = openChat(env, cwd, ["resume", session], drawnBelow);
  try {
    return (await within("the prompt", chat.prompt)) - started;
  } finally {
    await chat.end();
  }
}

/** Memory of a chat that has loaded everything and waits for the first message: read until it has stood still for a second. */
export async function measureIdle(env: NodeJS.ProcessEnv, cwd: string): Promise<number> {
  const chat = openChat(env, cwd);
  try {
    await within("the prompt", chat.prompt);
    const seen: number[] = [];
    for (let i = 0; i < 50; i += 1) {
      await sleep(200);
      seen.push(residentMb(chat.pid));
      const last = seen.slice(-5);
      if (seen.length > 8 && Math.max(...last) - Math.min(...last) < 0.5) break;
    }
    return seen.at(-1) ?? Number.NaN;
  } finally {
    await chat.end();
  }
}
