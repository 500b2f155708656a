import type { verdict as english } from "../en/verdict.ts";
import type { Twin } from "../twin.ts";

export const verdict: Twin<typeof english> = {
  would: { allow: "将不询问就运行", ask: "将会询问", deny: "将被拒绝" },
  risk: "，风险 ",
  why: ({ why }) => `原因：${why}`,
  decidedBy: ({ source }) => `决定者：${source}`,
  commands: "它的命令：",
  sources: {
    sealed: "封存位置列表，任何内容都不得写入",
    guarded: "受保护位置列表，总是询问",
    watched: "构建时会运行的文件列表",
    confirm: "工具本身，它要求确认这一次调用",
    mode: "本次运行的模式",
    user: "你的一条规则",
    project: "此项目的一条规则",
    grant: "你的一个授权",
    table: "风险表",
  },
  revokes: ({ source, grant }) => `${source}（agent policy revoke ${grant} 收回它）`,
};
