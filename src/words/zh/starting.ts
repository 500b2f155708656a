import type { starting as english } from "../en/starting.ts";
import type { Twin } from "../twin.ts";

export const starting: Twin<typeof english> = {
  needsTerminal: "agent chat 需要 stdin 和 stdout 为终端",
  needsTerminalHint: '没有终端时：agent run "what to do"（加 --json 输出事件），或 agent chat --model demo 看导览',
  noShell: ({ shell }) => `补全支持 bash、zsh 和 fish，不支持 ${JSON.stringify(shell)}`,
  demo: ({ workspace }) => `这是按脚本进行的演示，使用 ${workspace} 中一个小项目的副本`,
  schemaOfTurn: "--output-schema 用于由提示词开始的回合",
  schemaHint: "继续的回合沿用它开始时的 schema",
  imageOfMessage: "-i 须随消息给出",
  imageHint: 'agent resume ID "what is it?" -i FILE',
  notSent: "消息没有发送：先回答等待中的调用",
  emptyPrompt: "提示词为空",
  emptyPromptHint: 'agent run "what to do"，或 agent run - 从 stdin 读取提示词',
  toResume: "可恢复",
  toContinue: "可继续",
  toUndo: "含可撤销改动",
};
