import type { commandFiles as english } from "../en/command-files.ts";
import type { Twin } from "../twin.ts";

export const commandFiles: Twin<typeof english> = {
  noText: "它不是 UTF-8 文本",
  waits: "它在等你信任（agent trust）",
  nameShape: "命令名只含字母、数字、- 和 _",
  isOurs: "程序自身有同名的命令",
  hasName: ({ source }) => `另一个同名的优先：${source}`,
  isEmpty: "它没有内容",
  noPrompt: "它没有提示词",
  tooLarge: ({ kilobytes }) => `它大于 ${kilobytes} kB`,
  noFile: "它不是可读的普通文件",
  leadsNowhere: "它是一个不通向任何地方的链接",
  tooManyCalls: ({ most }) => `它会发出超过 ${most} 次调用`,
  misplaced:
    "在它运行的命令行里，输入的内容只能放在引号之外，或单独放在一对引号之间，不能放在算术、`…`、[[ ]]、下标、花括号、注释里或 case 之后",
};
