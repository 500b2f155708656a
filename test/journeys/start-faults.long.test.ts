import { execFile } from "node:child_process";
import { expect, it } from "vitest";
import { agentCommand } from "../support/agent-command.ts";
import { openPlace } from "../support/cli.ts";
import { says } from "../support/model-server.ts";

const quoted = (word: string): string => `'${word}'`;

it("says where a process may have too few files open, and how to allow more", async () => {
  // Some of them have enough for all of it.
  const place = await openPlace(Array.from({ length: 10 }, () => says("First.")));
  const env = Object.fromEntries(Object.entries(place.env).filter(([, value]) => value !== undefined));
  const run = (most: number) => {
    const line = `ulimit -n ${most}; exec ${[...agentCommand, "run", "one"].map(quoted).join(" ")}`;
    return new Promise<{ status: unknown; stdout: string; stderr: string }>((resolve) => {
      const child = execFile("bash", ["-c", line], { cwd: place.workspace, env }, (error, stdout, stderr) =>
        resolve({ status: error?.code ?? 0, stdout, stderr }),
      );
      child.stdin?.end();
    });
  };
  // Which number leaves enough for the program and too few for its store depends on the Node that runs it.
  const told = (await Promise.all([19, 20, 21, 22, 23, 24, 25, 26, 27].map(run))).filter(({ stderr }) =>
    stderr.includes("may have no more files open"),
  );
  expect(told.length).toBeGreaterThan(0);
  for (const { status, stderr, stdout } of told) {
    expect({ status, stdout }).toEqual({ status: 74, stdout: "" });
    expect(stderr).toContain("ulimit -n 1024");
    expect(stderr).not.toMatch(/check the disk|session |agent resume/);
  }
  expect(await run(1024)).toMatchObject({ status: 0, stdout: "First.\n" });
});

it.each([
  ["HTTPS_PROXY", "https://models.example/v1"],
  ["HTTP_PROXY", "http://models.example/v1"],
])(
  "names the proxy of %s that does not answer, without its password, and not the server behind it",
  async (name, url) => {
    const place = await openPlace();
    const ran = await place.spawn(["run", "one"], {
      env: { OPENAI_BASE_URL: url, [name]: "http://ada:secret-word@127.0.0.1:9", NO_PROXY: undefined },
    }).done;
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain(`No connection to the proxy http://127.0.0.1:9, through which ${url} is asked`);
    expect(ran.stderr).toContain("Check the proxy: HTTPS_PROXY or HTTP_PROXY names it");
    expect(ran.stderr).not.toMatch(/Nothing listens at|secret-word/);
  },
);

it("asks past a dead proxy what NO_PROXY names", async () => {
  const place = await openPlace([says("First.")]);
  const ran = await place.spawn(["run", "one"], { env: { HTTP_PROXY: "http://127.0.0.1:9" } }).done;
  expect(ran).toMatchObject({ code: 0, stdout: "First.\n" });
});
