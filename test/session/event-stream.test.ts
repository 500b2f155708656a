import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../src/graph/events.ts";
import { createEventStream } from "../../src/session/event-stream.ts";

const notice = (text: string) => ({ type: "notice", code: "test", text }) as const;
const textOf = (event: AgentEvent): string => (event.type === "notice" ? event.text : event.type);
const longest = 30_000;

describe("an event is heard", () => {
  it(
    "when its reader reads on, and not while it is at work with it",
    async () => {
      const stream = createEventStream("s", () => 0);
      const said: string[] = [];
      let goOn: () => void = () => undefined;
      const reading = (async () => {
        for await (const event of stream.events()) {
          said.push(textOf(event));
          if (textOf(event) === "a")
            await new Promise<void>((resolve) => {
              goOn = resolve;
            });
        }
      })();
      for (const text of ["a", "b"]) stream.emit(notice(text), () => said.push(`${text} heard`));
      await expect.poll(() => said).toEqual(["a"]);
      const all = stream.allHeard().then(() => said.push("all heard"));
      goOn();
      await all;
      expect(said).toEqual(["a", "a heard", "b", "b heard", "all heard"]);
      stream.end();
      await reading;
    },
    longest,
  );

  it(
    "never where its reader stops at it, nor where nobody reads: that is not waited for",
    async () => {
      const stream = createEventStream("s", () => 0);
      const heard: string[] = [];
      for (const text of ["a", "b"]) stream.emit(notice(text), () => heard.push(text));
      await stream.allHeard();
      expect(heard).toEqual([]);
      for await (const event of stream.events()) if (textOf(event) === "b") break;
      await stream.allHeard();
      expect(heard).toEqual(["a"]);
    },
    longest,
  );

  it(
    "in its own time: a reader that waits for the session's end at it is not waited for in turn",
    async () => {
      const stream = createEventStream("s", () => 0);
      const heard: string[] = [];
      stream.emit(notice("a"), () => heard.push("a"));
      for await (const event of stream.events()) {
        await stream.allHeard();
        expect([textOf(event), heard]).toEqual(["a", []]);
        stream.end();
      }
      expect(heard).toEqual(["a"]);
    },
    longest,
  );
});
