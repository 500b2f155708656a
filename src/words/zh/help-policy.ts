import type { helpPolicy as english } from "../en/help-policy.ts";
import type { Twin } from "../twin.ts";

export const helpPolicy: Twin<typeof english> = {
  policyCheck: {
    text: "策略会如何决定一次调用",
    note: "在终端上用句子说明裁决；用 --json，\n或 stdout 不是终端时，为一行 JSON。",
    examples: [
      [`agent policy check shell '{"command":"npm test"}'`, "一次调用"],
      [`agent policy check --history "shell(npm test *)"`, "一条规则对至今的调用会如何决定"],
      ["agent policy check --stdin < calls.ndjson", "每行一个裁决"],
      [`agent policy check --session ID shell '{"command":"ls"}'`, "当作该会话或该子代理的调用"],
    ],
    options: {
      history: "一条规则会允许、询问或拒绝的已记录调用",
      stdin: '读取 {"tool","args"} 行',
    },
  },
  policyList: {
    text: "生效的规则和授权",
    examples: [
      ["agent policy list", "你的、此项目的，以及授权"],
      ["agent policy list --session brisk-otter", "只看在该会话中有效的"],
    ],
  },
  policySuggest: {
    text: "为你三次相同的回答建议规则",
    examples: [
      ["agent policy suggest", "每条规则在这里会如何决定"],
      ["agent policy suggest --since 30d", "依据你自那时起的回答"],
      ["agent policy suggest --write 1", "显示对你的 policy.json 的改动，并询问"],
    ],
    options: {
      write: "在终端得到 yes 后写入这一条",
      since: "自何时起的回答：12h、30d、4w 或日期",
    },
  },
  policyRevoke: {
    text: "撤销授权",
    examples: [
      ["agent policy list", "显示它们的 id"],
      ["agent policy revoke g-1a2b", "从现在起会再次询问"],
    ],
  },
};
