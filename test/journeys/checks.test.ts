import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openPlace, type Place } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { freely } from "../support/needs.ts";

const write = (content: string) => asks("write_file", { file_path: "src/a.txt", content });
const check = {
  paths: ["src/**"],
  command: "node -e \"process.exit(fs.readFileSync('src/a.txt', 'utf8').includes('right') ? 0 : 1)\"",
};
const user = (place: Place, settings: object) => writeFile(join(place.home, "config.json"), JSON.stringify(settings));

/** All that the model asks for, and the checks, may run. */
const free = ["--mode", "full-auto", ...freely];

describe("checks", () => {
  it("run once after a turn's edits, tell the model only when they fail, and end the turn when they pass", async () => {
    const place = await openPlace([write("wrong\n"), says("Written."), write("right\n"), says("Mended.")]);
    await user(place, { checks: [check, { paths: ["docs/**"], command: "exit 9" }] });
    const done = await place.json(["run", "write it", ...free]);
    expect(done).toMatchObject({ code: 0, end: { reason: "done", text: "Mended." } });
    const commands = done.events.flatMap((line) =>
      line.type === "tool_call" &&
      "toolName" in line.call &&
      line.call.toolName === "shell" &&
      line.call.status === "success"
        ? [[line.call.arguments["command"], line.call.result.metadata?.["exitCode"]]]
        : [],
    );
    expect(commands).toEqual([
      [check.command, 1],
      [check.command, 0],
    ]);
    expect(place.server.requests).toHaveLength(4);
    expect(place.heard(2, 5)).toContain("exit code 1");
  });

  it("are not run where no file that they are about has changed", async () => {
    const place = await openPlace([says("Nothing to do.")]);
    await user(place, { checks: [check] });
    const done = await place.json(["run", "look", ...free]);
    expect(done).toMatchObject({ code: 0, end: { reason: "done", calls: { success: 0 } } });
  });

  it("give up after three rounds", async () => {
    const rounds = [1, 2, 3, 4].flatMap((round) => [write(`wrong ${round}\n`), says(`Try ${round}.`)]);
    const place = await openPlace(rounds);
    await user(place, { checks: [check] });
    const done = await place.json(["run", "write it", ...free]);
    expect(done).toMatchObject({ code: 0, end: { reason: "done", text: "Try 4.", calls: { success: 7 } } });
  });

  it("are judged like any command, and end the turn where the person denies them", async () => {
    const place = await openPlace([write("right\n"), says("Written.")]);
    await user(place, { checks: [check] });
    await place.write(".git/HEAD", "ref: refs/heads/main\n");
    const paused = await place.json(["run", "write it", "--mode", "accept-edits"]);
    expect(paused.code).toBe(11);
    expect(paused.the("approval_requested").calls).toMatchObject([
      { toolName: "shell", arguments: { command: check.command } },
    ]);
    const denied = await place.json(["resume", paused.session, "--deny", "all"]);
    expect(denied).toMatchObject({ code: 10, end: { reason: "done", text: "Written." } });
    expect(place.server.requests).toHaveLength(2);
  });

  it("of a project wait until the person trusts it", async () => {
    const place = await openPlace([write("wrong\n"), says("Written.")]);
    await place.write(".holdfast/config.json", JSON.stringify({ checks: [{ paths: ["**"], command: "touch ran" }] }));
    const done = await place.json(["run", "write it", ...free]);
    expect(done).toMatchObject({ code: 0, end: { calls: { success: 1 } } });
    expect(place.has("ran")).toBe(false);
    expect((await place.run(["trust", "--show"])).stdout + (await place.run(["trust"])).stdout).toContain("touch ran");
  });

  it("with a pattern that cannot be read end with 52 and name the line", async () => {
    const place = await openPlace();
    await user(place, { checks: [{ paths: ["src/{a"], command: "true" }] });
    const refused = await place.run(["run", "hi"]);
    expect(refused.code).toBe(52);
    expect(refused.stderr).toContain("config.json:1:");
  });
});
