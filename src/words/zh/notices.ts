import type { notices as english } from "../en/notices.ts";
import type { Twin } from "../twin.ts";

export const notices: Twin<typeof english> = {
  clearText: ({ host }) => `与模型服务器 ${host} 的通信用 http://：途中的任何人都能读到密钥和所说的一切`,
  agentLeftOut: ({ name, why }) => `${name} 已略去：${why}`,
  noSandbox:
    "命令在没有沙箱的情况下运行：未安装 bubblewrap（bwrap）。装上后，只读的命令行即使遍历文件夹或显示 git 保存的内容（grep -r、find、rg、git diff）也无需询问，会话所写的脚本回答一次即可运行，其他命令只能在工作区里写入",
  dropped: ({ entries }) =>
    `命令得不到 PATH 中的这些条目，它们是相对路径或位于工作区内：${entries.join(", ")}。config.json 里的 shellPath 可以放行一个文件夹`,
  hooksIgnored: "这个项目的设置里写有钩子；一个也不会运行：钩子只能是你的，写在你自己的 config.json 里",
  untrusted: ({ bound, trusting }) =>
    `这个项目的以下内容在你信任之前不生效：${bound.join("；")}。要阅读它的文件并信任它们：${trusting}`,
  answersIgnored: ({ answers }) => `脚本替你带来 ${answers} 个回答：没有 --answers 则不使用`,
  ofUser: "（config.json）",
  ofProject: "（项目的 .holdfast/config.json）",
  wideMode: ({ mode, workspace }) => `模式 ${mode} 不适用于 ${workspace}：它会不经询问就改动随你登录启动的内容`,
  wideHint: "指定项目的文件夹：-C DIR",
};
