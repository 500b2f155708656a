import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { browsers, openBrowser, tool } from "../support/browser.ts";
import { asks, says } from "../support/model-server.ts";
import { itInBrowser } from "../support/needs.ts";
import { sends, startWebServer } from "../support/web-server.ts";

const iterm = { TERM: "xterm-256color", TERM_PROGRAM: "iTerm.app", TMUX: undefined, STY: undefined, ZELLIJ: undefined };
const prompt = "ask, or / for commands";

itInBrowser(
  "/page shows the person what the browser shows: its address by its own word, its picture in the terminal or a new file; no model is told (needs Chromium)",
  async () => {
    const web = await startWebServer({
      "/": sends("<title>http://127.0.0.1:1/ \x1b]52;c;aGk=\x07</title><body style='background:#00f'>"),
    });
    const place = await openBrowser(
      [asks(tool("navigate"), { url: `${web.url}/#here` }), says("It is open.")],
      [{ tool: tool("navigate"), hosts: [`127.0.0.1:${web.port}`] }],
    );
    const pty = place.chat(["chat"], { cols: 100, rows: 30 }, iterm);
    const typed = async (line: string, shown: string): Promise<void> => {
      await pty.waitFor((one) => one.screen().join("\n").includes(prompt));
      pty.type(line);
      pty.key("enter");
      await pty.waitFor(shown);
    };
    await typed("/page", "no browser of this session shows a page");
    await typed("open it", "It is open.");
    await typed("/page", `${web.url}/#here`);
    const drawn = () => [...pty.raw().matchAll(/\x1b\]1337;[^:\x1b\x07]*:([A-Za-z0-9+/=]*)\x07/g)];
    await pty.waitFor(() => drawn().length === 1);
    expect(
      Buffer.from(drawn()[0]?.[1] ?? "", "base64")
        .subarray(1, 4)
        .toString(),
    ).toBe("PNG");
    await typed("/page shown.png", "the picture is in");
    const file = readFileSync(place.path("shown.png"));
    expect([file.subarray(1, 4).toString(), file.readUInt32BE(16) > 500]).toEqual(["PNG", true]);
    await typed("/page shown.png", "exists already: nothing was written");
    expect(readFileSync(place.path("shown.png"))).toEqual(file);
    expect(pty.raw()).not.toContain("\x1b]52");
    expect(JSON.stringify(place.server.requests.map(({ body }) => body))).not.toContain("screenshot was");
    expect(place.server.requests).toHaveLength(2);
    pty.key("ctrl-d");
    expect(await pty.exit).toEqual({ code: 0, signal: 0 });
    await expect.poll(() => browsers(pty.pid)).toEqual([]);
  },
);
