import type { helpMcp as english } from "../en/help-mcp.ts";
import type { Twin } from "../twin.ts";

export const helpMcp: Twin<typeof english> = {
  mcpList: {
    text: "你的和此项目的，以及哪些停用",
    examples: [["agent mcp list", "每个都附启动它的命令，或它的地址"]],
  },
  mcpAdd: {
    text: "在你的 config.json 中写入一个",
    examples: [
      ["agent mcp add files -- npx -y @modelcontextprotocol/server-filesystem@2026.8.31", "-- 后面是命令"],
      [`agent mcp add hub --env 'TOKEN=\${HUB_TOKEN}' -- hub-mcp`, "带上你的一个环境变量"],
      [
        `agent mcp add web --url https://mcp.example.com/mcp --header 'Authorization: Bearer \${WEB_TOKEN}'`,
        "通过 HTTP",
      ],
      ["agent mcp add browser", "本机的一个 Chromium，由 @playwright/mcp 驱动"],
    ],
    options: {
      chromium: "浏览器程序，当它不在 PATH 中时",
      browser: "它驱动浏览器（@playwright/mcp）；名为 browser 的服务器本来就是",
      private: "--url 中的名称可以指向你自己的网络",
      header: "与 --url 同用，随每个请求发送",
      url: "它已经在运行，通过 HTTP 与它通信",
      env: "给它的变量",
    },
  },
  mcpRemove: {
    text: "从你的 config.json 中移除一个",
    examples: [["agent mcp remove files", "连同你对它的信任"]],
  },
  mcpLogs: {
    text: "一个服务器在应答之外说了什么",
    examples: [["agent mcp logs files", "它的 stderr，以及它为何结束"]],
  },
  mcpTrust: {
    text: "启动或询问一个，查看它的工具，并允许使用",
    examples: [
      ["agent mcp trust files", "显示启动或询问什么，再显示它的工具；询问两次"],
      ["agent mcp trust files --yes", "不询问"],
    ],
    options: { yes: "不询问" },
  },
  mcpTest: {
    text: "启动或询问一个启用的，说明自信任以来变了什么",
    examples: [["agent mcp test files", "若有工具已变成另一个，返回 1"]],
  },
  mcpLogin: {
    text: "在你浏览器的页面上登录一个 HTTP 服务器",
    note: "页面由 BROWSER 的第一个程序打开，否则由系统的打开程序打开；没有终端时只打印出来。",
    examples: [
      ["agent mcp login web", "显示页面、打开它，并等待你的应答"],
      ["agent mcp login web --scope read --scope write", "请求这些权限"],
    ],
    options: {
      yes: "不经确认就询问尚未信任的服务器",
      scope: "要请求的权限，代替已写明的那些",
    },
  },
  mcpLogout: {
    text: "退出一个服务器的登录，在这里和你登录之处",
    examples: [["agent mcp logout web", "移除它的 token，并在能告知之处使其不再有效"]],
  },
};
