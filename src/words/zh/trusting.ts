import type { trusting as english } from "../en/trusting.ts";
import type { Twin } from "../twin.ts";

export const trusting: Twin<typeof english> = {
  cannot: ({ obstacles }) => `这个工作区不能信任：${obstacles.join("；")}`,
  othersMay: ({ who }) => `${who}：无论那是谁，都可能改动你将要信任的内容`,
  notTrusted: "未信任：什么也没改变",
  lookAgain: "再看一次：agent trust",
  changedMeanwhile: "文件在你阅读时有改动：什么也没信任",
  trusted: ({ workspace }) => `已信任 ${workspace}，以这些文件现在的样子`,
  notTrustedFor: ({ why }) => `未信任：${why}`,
  notTrustedForHint: "除你之外不应有人能改动它：chmod go-w，或 chown；在终端上 agent trust 则会问你",
  yesAndRevoke: "--yes 是信任，--revoke 是收回信任：只给其中一个",
  revoked: ({ workspace, what }) => `${workspace} 不再受信任：${what}`,
  wasNot: "它本来就未受信任：什么也没改变",
  revokedText: "从下一次调用起不再使用它的 allow 规则和工具，新会话中不再使用它的设置和指令",
  revokeHint: "要收回：/trust revoke",
  tooLong: ({ files }) => `${files} 个文件，太长，无法在聊天里读：先离开，再用 agent trust`,
  offer: ({ force }) => `将会生效：${force}\n要信任这些文件，完全以现在的样子：/trust yes`,
  nothingBrought: "没有这个版本会用到的内容",
  inForce: ({ brought, files }) => `已生效：${brought}\n由这些文件带来，以现在的样子：${files}`,
  servers: ({ servers }) => `${servers} 个服务器，各用 agent mcp trust NAME`,
  alreadyTrusted: ({ workspace }) => `${workspace}：已信任`,
  nothingToTrust: ({ workspace }) => `${workspace}：这里没有需要信任的内容`,
  changedSince: ({ files }) => `在你信任之后有改动：${files.join(", ")}`,
  asks: "agent trust 在终端上才询问",
  asksHint: "读过上面的文件之后：agent trust --yes",
  question: "信任这些文件，完全以现在的样子？输入 yes：",
};
