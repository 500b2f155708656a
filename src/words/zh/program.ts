import type { program as english } from "../en/program.ts";
import type { Twin } from "../twin.ts";

export const program: Twin<typeof english> = {
  text: "可以放心把工作树交给它的终端 agent。",
  groups: { work: "工作：", lookBack: "回看：", settings: "设置：" },
  version: "打印版本",
  help: "显示此帮助",
  helpCommand: "同 COMMAND --help",
  examples: "示例：",
  ofExamples: [
    ["agent", "在此文件夹与 agent 对话"],
    ['agent -p "update the changelog"', "无人值守地处理一条消息，同 agent run"],
    ["agent -c", "继续此文件夹最新的会话"],
    ["agent -r brisk-otter", "继续此会话，同 agent resume"],
    ["agent --model demo", "导览，无需密钥"],
  ],
  more: "agent COMMAND --help 详细说明一个命令。",
  policy: "什么不询问就可以运行，以及为什么",
  mcp: "带来工具的服务器（MCP）",
  anyOptions: "[选项]",
  anyCommand: "[命令]",
  showsCommands: ({ path }) => `${path} --help 显示${path === "agent" ? "所有" : "它的"}命令`,
  howUsed: ({ path }) => `${path} --help 说明用法`,
  noCommand: ({ told, path }) => `${path} 中没有命令 ${told}`,
  has: ({ names }) => `它有 ${names.join(", ")}`,
  tooMany: ({ path, told }) => `${path} 的参数太多：多出 ${told}`,
  quotes: ({ path }) => `把提示词放进引号：${path} "…"`,
  titles: { "Usage:": "用法：", "Arguments:": "参数：", "Options:": "选项：", "Commands:": "命令：" },
};
