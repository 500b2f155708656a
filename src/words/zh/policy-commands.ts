import type { policyCommands as english } from "../en/policy-commands.ts";
import type { Twin } from "../twin.ts";

export const policyCommands: Twin<typeof english> = {
  noCall: "这里有记录的调用，没有一次会由它决定",
  wouldHave: ({ parts }) => `对有记录的调用，结果会是：${parts.join("、")}`,
  past: {
    allow: ({ calls }) => `允许 ${calls}`,
    ask: ({ calls }) => `询问 ${calls}`,
    deny: ({ calls }) => `拒绝 ${calls}`,
  },
  noRule: "它不是规则",
  nothingAlike: "没有可建议的：这里没有哪个问题在提问处被相同地回答三次、且从未另作回答",
  writeHint: "agent policy suggest --write NUMBER 显示对你的 policy.json 的改动，并询问",
  number: ({ text }) => `--write 要的是建议的编号，不是 ${JSON.stringify(text)}`,
  nothingToSuggest: "这里没有可建议的",
  thereAre: ({ count }) => `共有 ${count} 条：agent policy suggest`,
  asksToWrite: "什么也没写：agent policy suggest --write 在终端上才询问",
  question: "写入这条规则？y/n：",
  nothingWritten: "什么也没写",
  lookAgain: "再看一次：agent policy suggest",
  takes: "agent policy check 需要一个工具及其 JSON 参数，或 --stdin",
  takesHint: `agent policy check write_file '{"file_path":"a.txt","content":""}'`,
  notJson: ({ text }) => `参数不是 JSON：${JSON.stringify(text)}`,
  elsewhere: ({ session, workspace, cwd }) => `会话 ${session} 在 ${workspace} 工作，不在 ${cwd}`,
  elsewhereHint: "它的调用按它工作的位置判断：去掉 -C",
  noRules: "没有规则或授权：由风险表决定（见 agent tools）",
  made: "会话所写的内容，与工作区分开",
  notInForce: "未生效：工作区未受信任",
  noGrant: ({ id }) => `没有授权 ${JSON.stringify(id)}`,
  grantHint: "agent policy list 显示它们",
};
