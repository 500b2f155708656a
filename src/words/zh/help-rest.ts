import type { helpRest as english } from "../en/help-rest.ts";
import type { Twin } from "../twin.ts";

export const helpRest: Twin<typeof english> = {
  undo: {
    text: "撤销调用对文件和产物的改动，默认为上一回合的改动",
    examples: [
      ["agent undo", "此文件夹最新会话的上一回合；会先询问"],
      ["agent undo brisk-otter c4 c5", "这些调用"],
      ["agent undo brisk-otter --turn 2 --yes", "整个回合，不询问"],
    ],
    options: {
      yes: "批准所打印的内容，不询问",
      rest: "跳过有妨碍的调用，例如之后又有改动的",
      turn: "此回合的全部：从 1 起的数字，或 last",
    },
  },
  tools: {
    text: "工具，及其来源、风险和作用",
    examples: [
      ["agent tools", "模型可调用的，以及你自己的工具中哪些未采用"],
      ["agent tools deploy", "模型得知的某个工具的说明及其参数"],
      ["agent tools --json", "连同模型得到的 schema"],
    ],
  },
  toolsNew: {
    text: "为此项目写一个起步的工具及其测试",
    examples: [["agent tools new count_lines", "写入 .holdfast/tools；用 agent trust 生效"]],
  },
  agents: {
    text: "这里可把工作交给谁，以及各自可有什么",
    examples: [["agent agents", "你的设置和此项目中的子代理，以及哪些未采用"]],
  },
  skills: {
    text: "模型在任务需要时读取的技能，以及文件带来的命令",
    examples: [["agent skills", "你的和此项目的，各在何处，以及哪些未采用"]],
  },
  trust: {
    text: "让此项目自己的规则生效",
    examples: [
      ["agent trust", "显示这些文件，然后询问"],
      ["agent trust --json", "是否已信任，以及此后改了什么"],
      ["agent trust --revoke", "收回信任"],
    ],
    options: { revoke: "收回信任：这些规则、工具和设置重新等待", yes: "不询问" },
  },
  completion: {
    text: "在 bash、zsh 或 fish 中补全单词的脚本",
    examples: [
      ['eval "$(agent completion bash)"', "在 ~/.bashrc"],
      ['eval "$(agent completion zsh)"', "在 ~/.zshrc，compinit 之后"],
      ["agent completion fish | source", "在 ~/.config/fish/config.fish"],
    ],
  },
  doctor: {
    text: "检查安装、设置和模型",
    examples: [
      ["agent doctor", "这里查到的情况；有问题时以 1 退出"],
      ["agent doctor --prompt", "在你第一条消息之前模型得知的内容"],
    ],
    options: {
      limits: "打印从模型、模型服务器和仓库最多取用多少",
      prompt: "打印系统提示词",
    },
  },
  import: {
    text: "导入 claude、codex、gemini、opencode 或 vscode 的规则、指令和服务器",
    examples: [
      ["agent import claude", "显示将写入什么、跳过什么；然后询问"],
      ["agent import opencode --yes", "不询问"],
      ["agent import codex --json", "每行一个对象；没有 --yes 则什么也不写"],
    ],
    options: { yes: "写入所打印的内容，不询问" },
  },
  models: {
    text: "设置中的模型，以及模型服务器所回答的模型",
    examples: [
      ["agent models", "每个模型及其已知信息"],
      ["agent models --json", "每行一个对象；没给出列表的服务器带有原因"],
    ],
  },
  memories: {
    text: "跨会话记住的内容",
    examples: [
      ["agent memories", "每一条，以及在何处告知模型"],
      ["agent memories rm 1a2b3c4d", "忘掉一条"],
    ],
  },
  memoriesList: {
    text: "每一条，以及在何处告知模型",
    examples: [
      ["agent memories list", "连同保存它的会话"],
      ["agent memories list --json", "每行一个对象"],
    ],
  },
  memoriesRm: {
    text: "删除",
    examples: [
      ["agent memories rm 1a2b", "用其 id 的开头"],
      ["agent memories rm 1a2b 3c4d", "这些全删，或都不删"],
    ],
  },
  memoriesMove: {
    text: "只在此工作区告知模型，或在各处告知",
    examples: [
      ["agent memories move 1a2b", "只在此工作区"],
      ["agent memories move 1a2b --everywhere", "在所有项目中"],
    ],
    options: { everywhere: "在所有项目中告知模型" },
  },
};
