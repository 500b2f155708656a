import type { helpSessions as english } from "../en/help-sessions.ts";
import type { Twin } from "../twin.ts";

export const helpSessions: Twin<typeof english> = {
  all: "包括其他文件夹",
  oneForm: "--html 和 --md 二选一",
  stats: {
    text: "工具在所有会话中的表现，以及会话的花费",
    note: "每次调用只算一次，会话分叉过也是如此。时间只算运行，\n不含等待你的时间。! 标出 10 次以上调用中失败超过 20 % 的，\n以及每次调用超过 5 s 的。",
    examples: [
      ["agent stats", "每个工具，调用最多的在前"],
      ["agent stats --top 5 --by p95Ms --since 30d", "最近 30 天最慢的"],
      ["agent stats --cost --since 7d", "每个会话的 token 和花费"],
    ],
    options: {
      cost: "每个会话的回复用了多少",
      since: "从何时起开始的：12h、30d、4w，或日期如 2026-11-01",
      asc: "反过来排：最少、最差、最快、最旧的在前",
      by: ({ orders }) => `按 ${orders.join(", ")} 排序（默认：calls）`,
      top: "只要前这么多个",
      tool: "只看此工具",
    },
  },
  sessions: {
    text: "列出、搜索、显示、改名、分叉、导出、校验或删除会话",
    examples: [
      ["agent sessions --all", "所有文件夹的，最新的在前"],
      ["agent sessions search flaky test", "同时含有两个词的消息"],
      ["agent sessions show brisk-otter --diff", "它在文件中的全部改动"],
    ],
  },
  sessionsList: {
    text: "此文件夹的会话，最新的在前",
    examples: [
      ["agent sessions list --all", "所有文件夹的"],
      ["agent sessions list --json", "每行一个对象，时间为 ISO"],
    ],
  },
  sessionsSearch: {
    text: "含有所有这些词的标题和消息",
    examples: [
      ["agent sessions search flaky test", "两个词都有，不论顺序"],
      ["agent sessions search --all retry --json", "在所有文件夹的会话中，每行一个对象"],
    ],
  },
  sessionsShow: {
    text: "说了什么、做了什么",
    examples: [
      ["agent sessions show brisk-otter", "对话"],
      ["agent sessions show brisk-otter --calls", "每次调用由谁在何时决定"],
      ["agent sessions show brisk-otter --diff | git apply -R --stat", "它改了什么，作为 diff"],
    ],
    options: { diff: "它在文件中的全部改动", calls: "每次调用的经过：谁决定、按哪条规则、何时" },
  },
  sessionsVerify: {
    text: "检查这些会话或全部会话是否损坏",
    examples: [
      ["agent sessions verify", "全部会话和数据库"],
      ["agent sessions verify brisk-otter", "一个会话和数据库；有损坏时以 74 退出"],
    ],
  },
  sessionsExport: {
    text: "可用 --model script:FILE 重放的文件，或给人看的页面",
    examples: [
      ["agent sessions export brisk-otter -o talk.ndjson", "环境中的机密会被去掉"],
      ["agent run -m script:talk.ndjson --answers", "重放它"],
      ["agent sessions export brisk-otter -o talk.html", "没有脚本的页面，可供阅读和转交"],
    ],
    options: {
      md: "同样内容的 Markdown",
      html: "给人看的页面：谁批准了哪处改动、diff、子代理",
      output: "写入这里而非 stdout：名称以 .html 或 .md 结尾则为页面",
    },
  },
  sessionsFork: {
    text: "一个开头与此会话相同的新会话",
    examples: [
      ["agent sessions fork brisk-otter", "从它最后完成的步起"],
      ["agent sessions fork brisk-otter --at c4", "从此调用所在的步起"],
    ],
    options: { at: "在此调用处分叉（默认：最后完成的步）" },
  },
  sessionsRename: {
    text: "给它另一个标题",
    examples: [
      ['agent sessions rename brisk-otter "the flaky test"', "此后列表中这样显示"],
      ['agent sessions rename brisk "retry"', "用其 id 的开头"],
    ],
  },
  sessionsRm: {
    text: "永久删除",
    examples: [
      ["agent sessions rm brisk-otter calm-heron", "其中两个"],
      ["agent sessions rm brisk-otter --force", "即使有调用在等你"],
    ],
    options: { force: "运行中或在等你的会话也删除" },
  },
  sessionsPrune: {
    text: "丢弃为撤销而保留的旧文件内容",
    examples: [
      ["agent sessions prune --dry-run", "只说明会丢弃什么"],
      ["agent sessions prune --days 7", "早于一周的全部"],
    ],
    options: {
      dryRun: "只报告会丢弃什么",
      days: "早于这么多天（默认：config.json 的 retentionDays）",
    },
  },
};
