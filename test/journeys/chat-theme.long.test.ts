import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openPlace, type Place } from "../support/cli.ts";
import { describeInTerminals } from "../support/needs.ts";
import type { Pty } from "../support/pty.ts";

const dark = "rgb:7fdbe6";
const settingsOf = (place: Place): Promise<string> => readFile(join(place.home, "config.json"), "utf8");

/** The colour of what is pointed at. */
const colourHere = (pty: Pty): string | undefined => {
  const row = pty.screen().findIndex((line) => line.startsWith("❯ "));
  return row < 0 ? undefined : pty.cells(row)[2]?.color;
};
const pointedAt = (pty: Pty): string => pty.screen().find((line) => line.startsWith("❯ ")) ?? "";
const say = async (pty: Pty, text: string): Promise<void> => {
  await pty.waitFor((one) => /ask, or|^> *$/mu.test(one.screen().join("\n")));
  pty.type(text);
  pty.key("enter");
};

describeInTerminals((terminal) => {
  it.each([
    { cols: 100, rows: 30 },
    { cols: 60, rows: 20 },
    { cols: 42, rows: 10 },
  ])(
    "/theme colours the screen as each is pointed at, esc leaves it, enter keeps it, at $cols x $rows",
    async (size) => {
      const place = await openPlace();
      await writeFile(join(place.home, "config.json"), '{\n  // mine\n  "theme": "dark"\n}\n');
      const env = { COLORTERM: "truecolor", FORCE_COLOR: "1" };
      const pty = place.chat(["chat"], { ...size, terminal }, env);
      await say(pty, "/theme");
      await pty.waitFor((one) => colourHere(one) === dark && pointedAt(one).includes("dark"));
      if (size.rows > 10) await pty.waitFor("so a change looks:");
      pty.key("down");
      await pty.waitFor((one) => pointedAt(one).includes("light") && colourHere(one) !== dark);
      const light = colourHere(pty);
      expect(light).toMatch(/^rgb:/);
      pty.key("escape");
      await say(pty, "/theme");
      await pty.waitFor((one) => colourHere(one) === dark);
      expect(await settingsOf(place)).toContain('"theme": "dark"');
      pty.key("end");
      await pty.waitFor((one) => pointedAt(one).includes("none") && colourHere(one) === "default");
      if (size.rows > 10) await pty.waitFor("⟦");
      pty.key("up", "up");
      await pty.waitFor((one) => colourHere(one) === light);
      pty.key("enter");
      await pty.waitFor(/theme light, kept in/);
      expect(await settingsOf(place)).toBe('{\n  // mine\n  "theme": "light"\n}\n');
      pty.leave();
      expect((await pty.exit).code).toBe(0);

      const next = place.chat(["chat"], { ...size, terminal }, env);
      await say(next, "/theme");
      await next.waitFor((one) => pointedAt(one).includes("light") && colourHere(one) === light);
      next.key("ctrl-c");
      await next.waitFor(/ask, or/);
      next.leave();
      expect((await next.exit).code).toBe(0);
    },
  );
});

it("/theme NAME keeps one at once, no other name is one, and settings that are broken stay as they are", async () => {
  const place = await openPlace();
  const pty = place.chat(["chat"], { cols: 100, rows: 30 });
  await say(pty, "/theme blue");
  await pty.waitFor("there is no theme blue; there are auto, dark, light, ansi-16, none");
  await say(pty, "/theme ansi-16");
  await pty.waitFor("theme ansi-16, kept in");
  expect(JSON.parse(await settingsOf(place))).toEqual({ theme: "ansi-16" });
  await writeFile(join(place.home, "config.json"), '{ "theme": ');
  await say(pty, "/theme dark");
  await pty.waitFor(/config.json.*the file ends too early/);
  expect(await settingsOf(place)).toBe('{ "theme": ');
  pty.leave();
  expect((await pty.exit).code).toBe(0);
});

it("without colours there is nothing to choose; in plain lines it is told, and kept by name", async () => {
  const place = await openPlace();
  const pty = place.chat(["chat"], { cols: 100, rows: 30 }, { NO_COLOR: "1" });
  await say(pty, "/theme");
  await pty.waitFor("this terminal shows no colours");
  pty.leave();
  await pty.exit;

  const lines = place.chat(["chat"], undefined, { TERM: "dumb" });
  await say(lines, "/theme");
  await lines.waitFor("theme auto; /theme NAME keeps another one");
  await say(lines, "/theme light");
  await lines.waitFor("theme light, kept in");
  await say(lines, "/theme");
  await lines.waitFor("theme light; /theme NAME keeps another one");
  expect(JSON.parse(await settingsOf(place))).toEqual({ theme: "light" });
  lines.key("ctrl-d");
  expect((await lines.exit).code).toBe(0);
});
