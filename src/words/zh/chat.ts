import type { chat as english } from "../en/chat.ts";
import type { Twin } from "../twin.ts";

export const chat: Twin<typeof english> = {
  questionGone: "问题已不在，为它输入的内容也随之作废：不会发给任何地方",
  listDue: "未发送，因为你要的列表还没来：停一下再按 enter 即发送",
  escAgain: "再按 esc 从较早的消息继续",
  leaves: "再按 ctrl+c 离开；会话已保存",
  aside: "调用继续等待：单按 enter 找回它，新消息会取消它 · 再按 ctrl+c 离开",
  helperAside: "调用继续等待；若有别的子代理在工作，则全部结束：单按 enter 找回它，新消息会取消它 · 再按 ctrl+c 离开",
  planFolded: "计划已折叠：ctrl+t 显示它，/goals 显示全部",
  listWhileWriting: "列表在你输入时到来，没有打开",
  questionBeforeList: "列表之前先来了一个问题，列表没有打开",
  takesWords: ({ command }) => `${command} 后面要跟文字，而你的草稿不是：输入框为空时才放入它`,
  noEarlierMessage: "没有可从中继续的较早消息",
  memoryTakenBack: ({ title }) => `已收回 · ${title}`,
  memoryGone: ({ title }) => `它已不在记忆中 · ${title}`,
  tooSmall: "窗口太小：请调到 40x10 或更大。",
  tooSmallToAnswer: "窗口太小：请调到 40x10 或更大。有调用在等你。",
  notSentStayed: "你的消息没有发送：这里仍是之前的会话",
  notSentElsewhere: "你的消息没有发送：这里不是它原本要发往的会话",
  answeredAlike: ({ times, rule }) => `你已 ${times} 次作出相同回答：/suggest 显示一条对应的规则（${rule}）`,
  screenFailed: ({ why }) => `屏幕出错：${why}`,
  screenFailedSee: ({ why, log }) => `屏幕出错：${why}（详情见 ${log}）`,
  saved: "会话已保存。继续用：",
};
