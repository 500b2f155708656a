import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { openBrowser, tool } from "../support/browser.ts";
import { smallServer } from "../support/mcp.ts";
import { asks, says } from "../support/model-server.ts";
import { itInBrowser } from "../support/needs.ts";
import { toolFile, trustAll } from "../support/tool-files.ts";
import { sends, startWebServer } from "../support/web-server.ts";

itInBrowser(
  "tools of files and of servers are offered while the browser shows a page that they are for, and approved for that page (needs Chromium)",
  async () => {
    const web = await startWebServer({ "/a": sends("<title>A</title>"), "/b": sends("<title>B</title>") });
    const echo = asks("mcp__small__echo", { text: "hi" });
    const goesTo = (path: string) => asks(tool("navigate"), { url: `${web.url}${path}` });
    const here = asks("here", {});
    const place = await openBrowser(
      [echo, goesTo("/a"), here, goesTo("/b"), here, echo, goesTo("/a"), echo, says("Never said.")],
      [{ tool: tool("navigate"), hosts: [`127.0.0.1:${web.port}`] }],
    );
    const config = join(place.home, "config.json");
    const { mcpServers } = JSON.parse(await readFile(config, "utf8")) as { mcpServers: object };
    const small = {
      ...{ command: process.execPath, args: [smallServer], tools: ["echo"] },
      urlPatterns: { echo: [`${web.url}/a`] },
    };
    await writeFile(config, JSON.stringify({ mcpServers: { ...mcpServers, small } }));
    expect(await place.run(["mcp", "trust", "small", "--yes"])).toMatchObject({ code: 0 });
    const fields = `urlPatterns: ["${web.url}/a"], risk: "low", effect: "none", async execute(_, ctx) { return "on " + ctx.pageUrl; }`;
    await place.write(".holdfast/tools/here.mjs", toolFile("here", fields));
    await trustAll(place);
    const ran = await place.json(["run", "go"]);
    expect(ran.code).toBe(11);
    const offered = place.server.requests.map(({ body }) =>
      (body.tools ?? []).flatMap(({ function: { name } }) => (/here|echo/u.test(name) ? [name] : [])),
    );
    const both = ["here", "mcp__small__echo"];
    expect(offered.map((names) => names.toSorted())).toEqual([[], [], both, both, [], [], [], both]);
    const ends = ran
      .of("tool_call")
      .flatMap(({ call }) =>
        "toolName" in call && ["success", "error"].includes(call.status) && !call.toolName.includes("navigate")
          ? [call]
          : [],
      );
    expect(ends).toMatchObject([
      { status: "error", errorCode: "UNKNOWN_TOOL", errorMsg: expect.stringContaining("no page is open") },
      { status: "success", result: { output: `on ${web.url}/a` } },
      { status: "error", errorCode: "UNKNOWN_TOOL", errorMsg: expect.stringContaining(`the page is ${web.url}/b`) },
      { status: "error", errorCode: "UNKNOWN_TOOL", errorMsg: expect.stringContaining(`the page is ${web.url}/b`) },
    ]);
    expect(ran.the("approval_requested").calls).toMatchObject([{ plan: { page: `${web.url}/a` } }]);
  },
);
