/**
 * The process of a session's own tools: a program of its own, which the build makes. It reads asks from descriptor 4 and writes
 * answers there; stdout and stderr are the tools'. When whoever started it is gone, so is it.
 */
import { Socket } from "node:net";
import { chdir, exit } from "node:process";
import { z } from "zod";
import { ToolRefusal } from "../../../core/codes.ts";
import { heeded } from "../../../core/heeded.ts";
import { limits } from "../../../core/limits.ts";
import { EffectStopped } from "../../../core/outcome.ts";
import { type Progress, paced, progressOf } from "../../../core/progress.ts";
import { defineTool } from "../../../core/tool.ts";
import { lineReader } from "../lines.ts";
import type { NumberedAsk } from "../messages.ts";
import { AskedChildren } from "./asked-children.ts";
import { Modules } from "./modules.ts";
import { type Served, serve } from "./serve.ts";

/** The exports that `import ... from "holdfast"` gives a tool file. */
const sdk = { defineTool, EffectStopped, ToolRefusal, z };

const channel = new Socket({ fd: 4, readable: true, writable: true });
const say = (said: object): void => void channel.write(`${JSON.stringify(said)}\n`);
const stops = new Map<number, AbortController>();
const children = new AskedChildren(say);
let served: Served | undefined;

async function take(asked: NumberedAsk): Promise<void> {
  if (asked.do === "stop") return stops.get(asked.of)?.abort(new DOMException("the call was stopped", "AbortError"));
  if (asked.do === "child") return children.answer(asked);
  if (asked.do === "open") {
    const onRead = (read: string, text: string): void => say({ read, text });
    served = serve(new Modules({ bytes: asked.bytes, sdk, onRead }), chdir);
    return;
  }
  const { id } = asked;
  const stop = new AbortController();
  stops.set(id, stop);
  const live = throttled((progress) => say({ id, progress }));
  try {
    const ok = await served?.answer(asked, {
      signal: stop.signal,
      progress: live.tell,
      runChild: (spec, signal) => heeded(children.run(id, spec, signal)),
    });
    live.end();
    say({ id, ok: ok ?? null });
  } catch (error) {
    live.end();
    const message = error instanceof Error ? error.message : String(error);
    say({
      id,
      error: { message: message.slice(0, 64_000), ...(error instanceof ToolRefusal ? { code: error.code } : {}) },
    });
  } finally {
    stops.delete(id);
  }
  if (asked.do === "end") channel.end(() => exit(0));
}

/** Tells the progress of a call no oftener than is shown; progress that comes meanwhile is merged. */
function throttled(tell: (progress: Progress) => void) {
  let due: Progress = {};
  const pace = paced(() => {
    tell(due);
    due = {};
  });
  return {
    tell: (progress: Progress): void => {
      due = { ...due, ...progressOf(progress) };
      if (Object.keys(due).length > 0) pace.due();
    },
    end: pace.flush,
  };
}

const read = lineReader(limits.toolMessage.most, (line) => void take(JSON.parse(line) as NumberedAsk));
channel.on("data", (chunk: Buffer) => {
  if (!read(chunk)) exit(1);
});
channel.on("close", () => exit(0));
channel.on("error", () => exit(1));
