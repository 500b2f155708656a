import { spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { agentCommand } from "../support/agent-command.ts";
import { openPlace, type Place } from "../support/cli.ts";
import { asks } from "../support/model-server.ts";

/** The command, its stdout a device that is always full. */
function intoFull(place: Place, argv: readonly string[]) {
  const full = openSync("/dev/full", "w");
  const [node, program] = agentCommand;
  try {
    const { status, stderr } = spawnSync(node, [program, ...argv], {
      cwd: place.workspace,
      env: Object.fromEntries(
        Object.entries(place.env).filter(([, value]) => value !== undefined),
      ) as NodeJS.ProcessEnv,
      stdio: ["ignore", full, "pipe"],
      encoding: "utf8",
    });
    return { status, stderr };
  } finally {
    closeSync(full);
  }
}

describe.runIf(existsSync("/dev/full"))("a command whose output has no room (m10)", () => {
  it.each([[["run", "hi", "-m", "demo", "--json"]], [["run", "hi", "-m", "demo"]], [["tools", "--json"]]])(
    "%j fails and says so: neither a defect nor a success",
    async (argv) => {
      const ran = intoFull(await openPlace(), argv);
      expect(ran.status).toBe(1);
      expect(ran.stderr).toContain("agent: stdout cannot be written: ENOSPC");
      expect(ran.stderr).not.toContain("internal error");
    },
  );
});

describe("a model that fails", () => {
  it("is told on stderr with --json too, in the same words (m12)", async () => {
    const place = await openPlace([{ status: 400, body: { error: { message: "no such model" } } }]);
    const ran = await place.json(["run", "hi"]);
    expect(ran).toMatchObject({ code: 1, end: { reason: "failed", exitCode: 1 } });
    const { message, hint } = ran.the("error");
    expect(message).toContain("no such model");
    expect(ran.stderr).toBe([`error: ${message}`, hint, ""].filter((line) => line !== undefined).join("\n"));
  });

  it("without a key is told once", async () => {
    const place = await openPlace([asks("read_file", { file_path: "a" })]);
    const ran = await place.json(["run", "hi"], { env: { OPENAI_API_KEY: undefined, OPENAI_BASE_URL: undefined } });
    expect(ran.code).toBe(41);
    expect(ran.stderr.match(/OPENAI_API_KEY/g)?.length).toBeLessThanOrEqual(2);
    expect(ran.stderr.match(new RegExp(ran.the("error").message.slice(0, 20), "g"))).toHaveLength(1);
  });
});
