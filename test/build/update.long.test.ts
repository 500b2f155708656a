import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { asks, says, startModelServer } from "../support/model-server.ts";
import { startProxy } from "../support/proxy.ts";
import { openPty } from "../support/pty.ts";
import { copyOfInstall, tempFolder } from "./support/run.ts";

test.each([
  ["straight", false],
  ["through a proxy", true],
])(
  "a chat that waits for its first message answers it although an update has taken its program away: %s",
  async (_, proxied) => {
    const proxy = proxied ? await startProxy() : undefined;
    onTestFinished(() => proxy?.close());
    const install = copyOfInstall();
    const home = tempFolder();
    const server = await startModelServer([says("Still here."), says("```ts\nconst here = true;\n```")]);
    onTestFinished(() => server.close());
    const pty = openPty({
      command: process.execPath,
      args: [join(install, "bin", "agent.js"), "chat", "-m", "openai:test"],
      cwd: tempFolder(),
      env: {
        AGENT_HOME: home,
        HOME: home,
        OPENAI_API_KEY: "sk-test",
        OPENAI_BASE_URL: server.url,
        ...(proxy && { HTTP_PROXY: proxy.url }),
      },
    });
    onTestFinished(() => pty.close());
    await pty.waitFor("ask, or / for commands");
    rmSync(join(install, "dist"), { recursive: true });
    for (const [said, answer] of [
      ["hello", "Still here."],
      ["and some code", "const here = true"],
    ] as const) {
      pty.type(said);
      await pty.waitFor(said);
      pty.key("enter");
      await pty.waitFor(answer);
    }
    pty.key("ctrl-d");
    expect(await pty.exit).toEqual({ code: 0, signal: 0 });
    expect(proxy?.seen.length).not.toBe(0);
  },
);

test("what gets web pages is gone with the program: the call says so, and the chat goes on", async () => {
  const install = copyOfInstall();
  const home = tempFolder();
  // An address, which nobody looks up; nothing is connected to.
  const server = await startModelServer([asks("web_fetch", { url: "http://9.9.9.9/" }), says("I could not.")]);
  onTestFinished(() => server.close());
  const pty = openPty({
    command: process.execPath,
    args: [join(install, "bin", "agent.js"), "chat", "-m", "openai:test", "--allow", "web_fetch"],
    cwd: tempFolder(),
    env: { AGENT_HOME: home, HOME: home, OPENAI_API_KEY: "sk-test", OPENAI_BASE_URL: server.url },
  });
  onTestFinished(() => pty.close());
  await pty.waitFor("ask, or / for commands");
  rmSync(join(install, "dist"), { recursive: true });
  pty.type("get it");
  await pty.waitFor("get it");
  pty.key("enter");
  await pty.waitFor("I could not.");
  pty.key("ctrl-d");
  expect(await pty.exit).toEqual({ code: 0, signal: 0 });
  const [, last] = server.requests;
  expect(last?.body.messages.at(-1)?.content).toContain(
    "what gets web pages is not where it was installed: start the program again",
  );
});

test("a chat that starts while an update takes its screen away says so, and gives the terminal back", async () => {
  const install = copyOfInstall();
  const home = tempFolder();
  const app = join(install, "dist", "app");
  for (const name of readdirSync(app).filter((name) => name.startsWith("run-chat-"))) rmSync(join(app, name));
  const pty = openPty({
    command: process.execPath,
    args: [join(install, "bin", "agent.js"), "chat", "-m", "demo"],
    cwd: tempFolder(),
    env: { AGENT_HOME: home, HOME: home },
  });
  onTestFinished(() => pty.close());
  expect(await pty.exit).toEqual({ code: 1, signal: 0 });
  expect(pty.screen().join("\n").trim()).toBe(
    "agent: what draws the screen is not where it was installed: start the program again",
  );
  expect(pty.raw()).toContain("\u001b[?2004l");
});
