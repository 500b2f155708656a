import { describe, expect, it } from "vitest";
import { freeRun, timesIn } from "../support/background-jobs.ts";
import { openPlace } from "../support/cli.ts";
import { says } from "../support/model-server.ts";
import type { Pty } from "../support/pty.ts";
import { processesOf } from "../support/under-way.ts";

const onScreen = (pty: Pty): string => pty.screen().join("\n");
const shows = (pty: Pty, wanted: RegExp): Promise<void> => pty.waitFor((one) => wanted.test(onScreen(one)));

describe("a command of the person's own", () => {
  it("goes to the background by ctrl+s at 60 x 20: it is a job, its end is told, and the model hears of both", async () => {
    const command = "echo half; while [ ! -e done ]; do sleep 0.05; done; echo whole; exit 3";
    const place = await openPlace([says("Hello."), says("I see.")]);
    const pty = place.chat(["chat", ...freeRun], { cols: 60, rows: 20 });
    await pty.waitFor("ask, or");
    pty.type("hi\r");
    await pty.waitFor("Hello.");
    pty.type(`!${command}\r`);
    await expect.poll(() => processesOf(command)).toBeGreaterThan(0);
    await shows(pty, /half/);
    await shows(pty, /ctrl\+s background/);
    do {
      pty.key("ctrl-s");
      await shows(pty, /● 1 job|nothing runs that can/);
    } while (!onScreen(pty).includes("● 1 job"));
    // Its turn has ended: nothing works, and the input is the person's.
    await pty.waitFor((one) => !/ctrl\+s background/.test(onScreen(one)));
    pty.type("/jobs\r");
    await shows(pty, /1 background job, 1 running/);
    pty.key("escape");
    await place.write("done", "");
    await pty.waitFor((one) =>
      /c1 \(echo half; while\s.*has\s+ended:\s+exit\s+code\s+3;\s+its\s+last\s+words:\s+whole/su.test(
        one.scrollback().join("\n"),
      ),
    );
    await pty.waitFor((one) => !onScreen(one).includes("● 1 job"));
    expect(place.server.requests).toHaveLength(1);
    pty.type("and?\r");
    await pty.waitFor("I see.");
    const heard = (place.server.requests.at(-1)?.body.messages ?? []).map(({ content }) => String(content)).join("\n");
    expect(timesIn(heard, /the person sent it to the background, where it runs on as c1/gu)).toBe(1);
    expect(timesIn(heard, /The background job c1 \(.*\) has ended: exit code 3\./gu)).toBe(1);
    pty.key("ctrl-d");
    expect(await pty.exit).toEqual({ code: 0, signal: 0 });
  });
});
