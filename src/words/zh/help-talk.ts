import type { helpTalk as english } from "../en/help-talk.ts";
import type { Twin } from "../twin.ts";

export const helpTalk: Twin<typeof english> = {
  answers: "由 script:FILE 的 person 行回答",
  approve: ({ all }) => `批准等待中的调用：${all ? "ID、ID@DIGEST 或 all" : "ID@DIGEST"}`,
  deny: ({ all }) => `拒绝等待中的调用：${all ? "ID 或 all" : "ID"}`,
  reason: "它前面那个 --deny 的理由",
  chat: {
    text: "在终端与 agent 对话；单用 agent 也一样",
    examples: [
      ["agent chat", "在此文件夹开始"],
      ['agent chat "why does the test fail?" --mode read-only', "带第一条消息；什么也不改"],
      ["agent chat --model demo", "导览，无需密钥"],
    ],
  },
  run: {
    text: "一条消息，无人在场；`-` 从 stdin 读取（亦可：agent -p）",
    examples: [
      ['agent run "update the changelog"', "须询问时停下，并已保存"],
      ['agent run "fix the test" --allow "edit_file(src/**)" --json', "带仅用于本次运行的规则；事件为 JSON"],
      ["git diff | agent run - --continue", "提示词来自 stdin，在最新的会话中"],
    ],
  },
  resume: {
    text: "从停下处继续会话（亦可：agent -r）",
    examples: [
      ["agent resume", "在此文件夹的会话中选择；没有终端时：最新的"],
      ["agent resume brisk-otter", "用其 id 的开头指定一个"],
      ['agent resume brisk-otter --deny c2 --reason "not that file" --approve all', "没有终端时作出回答"],
    ],
    options: {
      takeOver: "从占用会话的进程接管它",
      cancel: "取消这样的调用：ID 或 all",
      done: "把这样的调用标为已完成",
      retry: "重新运行结果不明的调用：ID 或 all",
      edit: "替换等待中调用的参数",
    },
  },
  answer: {
    text: "回答由另一进程驱动或稍后恢复的会话中的调用",
    examples: [
      ["agent answer brisk-otter --approve c3@4fd1c09e2b7a", "以此摘要码读过的内容，仅此而已"],
      ['agent answer brisk-otter --deny c4 --reason "not that file"', "其余继续等待"],
    ],
  },
  stop: {
    text: "停止另一进程驱动的会话中运行的内容，如同在那里按 Esc",
    examples: [
      ["agent stop brisk-otter", "等你的继续等待；agent resume 可接着处理"],
      ["agent stop brisk-otter-4f2a@delegate-3-20261121T1015-001", "只停这个子代理；其余继续"],
    ],
  },
};
