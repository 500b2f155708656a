import type { endings, notices, refusals } from "../contract/session.ts";
import type { Twin } from "../twin.ts";

const driven = (session: string): string => `本处运行的会话 ${session}`;

/** The states of a call, as the journal names them. */
const states: Readonly<Record<string, string>> = {
  success: "已成功",
  error: "已出错",
  cancelled: "已取消",
  interrupted: "已中断",
  executing: "正在执行",
  pending: "等待中",
};

/** The reasons why a session begins nothing, or takes no answer. */
export const sessionRefusals: Twin<() => typeof refusals> = {
  nothingSaid: "本会话里还没有说过话：会话从一条消息开始",
  nothingChanged: "本会话还没有修改过任何内容",
  notAnswered: "你的上一条消息还没有得到回答：请先继续该会话",
  working: "agent 正在工作：请停止它或等待",
  callWaits: "有一个调用在等你：请先回答它",
  noShell: "本会话没有 shell",
  noHelpers: ({ session }) => `会话 ${session} 没有子代理`,
  noHelper: ({ session, helper }) => `会话 ${session} 没有子代理 ${helper}`,
  helperEnded: ({ helper }) => `${helper} 已经结束`,
  notItsCall: ({ call, session }) => `调用 ${call} 不属于${driven(session)}`,
  notItsJob: ({ job, session }) => `后台任务 ${job} 不属于${driven(session)}`,
  notRunning: ({ call }) => `调用 ${call} 没有在运行`,
  notAside: ({ call }) => `调用 ${call} 不能转到后台继续运行`,
  notWaiting: ({ call, ended }) =>
    `调用 ${call} 没有在等待：${ended === undefined ? "agent 正在工作" : (states[ended] ?? ended)}`,
  waitsNoMore: ({ call }) => `调用 ${call} 已不再等待`,
  neverShown: ({ call }) => `调用 ${call} 还没有给你看过：请先读，再批准`,
  formClosed: "已不再询问这个：什么都没有发送",
  noSummary: "这个模型是脚本，它不提供摘要",
  nothingCompacted: "本次谈话没有任何内容被摘要或省略",
  nothingToSumUp: "最近几轮之前没有可以摘要的内容",
  imageNotRead: ({ file, why }) => `不得读取 ${file}：${why}`,
  imageGuarded: ({ file, why }) => `${file} 受保护，不会为消息读取：${why}`,
  noImage: ({ file }) => `${file} 不是图片：只接受 PNG、JPEG、WebP 和 GIF`,
};

const lastWords = (last: string | undefined): string =>
  last === undefined ? "" : last === "" ? "；它没有输出任何内容" : `；它最后的输出：${last}`;

/** The notices of a session about itself. */
export const sessionNotices: Twin<() => typeof notices> = {
  stopUnwritten: "已停止：没有任何部分还在运行；另一个进程锁着存储，等它放开后就会记下这次停止",
  empty: "本会话是空的：它的进程在第一条消息保存之前就结束了",
  rewindUnfinished: ({ message }) => `文件已恢复到“${message}”之前，谈话还没有：请再次从那条消息继续`,
  attached: ({ pictures }) => `已附上：${pictures.join("、")}`,
  servedLeft: ({ left, most }) => `服务器给的图片中有 ${left} 张没有附上：一条消息最多 ${most} 张`,
  stopped: ({ pid }) => `进程 ${pid} 停止了它`,
  helperStopped: ({ pid, helper }) => `进程 ${pid} 停止了 ${helper}`,
  approved: ({ pid, call }) => `进程 ${pid} 批准了 ${call}`,
  denied: ({ pid, call }) => `进程 ${pid} 拒绝了 ${call}`,
  unknownTools: ({ agent, tools }) => `${agent} 要用的工具不存在：${tools.join("、")}`,
  helpersUnfinished: ({ helpers, asked, session }) =>
    [
      `有 ${helpers} 个子代理还没有结束：agent resume ${session} 会继续它们，改发一条消息则会结束它们`,
      "会话打开时，/agents 或带其 id 的 agent stop 可以单独结束一个",
      ...(asked === 0 ? [] : [`等你回答的调用：${asked} 个，见 agent sessions show ${session} --calls`]),
    ].join("；"),
  lostJob: ({ id, command, isEnded, at, of, last }) => {
    const how = isEnded ? "已随会话结束" : "已随运行它的进程消失";
    const which = of === 1 ? "" : `（第 ${at} 个，共 ${of} 个）`;
    return `后台任务 ${id} (${command}) ${how}${which}${lastWords(last)}`;
  },
  endedJob: ({ id, command, how, last }) => `后台任务 ${id} (${command}) 已结束：${how}${lastWords(last)}`,
};

/** The reasons why a session's work, or a reader of its events, was ended. */
export const sessionEndings: Twin<() => typeof endings> = {
  stopped: "被人停止",
  closing: "会话正在关闭",
  closed: "会话已关闭",
  isClosed: ({ session }) => `会话 ${session} 已关闭`,
  aborted: "运行已中止",
  takenBack: "消息已收回",
  helperWaits: ({ helper }) => `${helper} 在等人回答`,
  helperStays: ({ helper }) => `${helper} 停在原处`,
  noPlace: "在有空位给这个子代理之前，它的调用就已结束：没有开始",
  untitled: "会话没有得到标题",
  noReply: "模型什么都没说",
  noMove: ({ phase, move }) => `处于 ${phase} 状态的会话不能 ${move}`,
  noRelease: "正在关闭的会话不能放开",
  eventsAhead: ({ session, had, asked, from }) =>
    `会话 ${session} 自打开以来只有 ${had} 个事件，没有第 ${asked} 个：每次打开都重新计数；请读它的历史，再读 ${from} 之后的事件`,
  eventsGone: ({ session, first, last }) =>
    `会话 ${session} 的事件 ${first} 到 ${last} 已不再保留：请读它的历史，再读 ${last} 之后的事件`,
};
