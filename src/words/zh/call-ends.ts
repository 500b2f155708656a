import type { callEnds as english } from "../contract/call-ends.ts";
import type { Twin } from "../twin.ts";

interface Changed {
  files: readonly string[];
  undone: boolean;
  open: boolean;
  end: string;
}

const changed = ({ files, undone, open, end }: Changed): string =>
  `${undone ? "已恢复" : "已修改"} ${files.join("、")}；其余部分${open ? "情况不明" : "未完成"}：${end}`;

/** The ends of calls that did not come to their end by themselves. */
export const callEnds: Twin<() => typeof english> = {
  outcomeUnknown: ({ end }) => `结果未知：${end}`,
  unseen: "它的进程在它运行时结束了",
  unwritten: "没能记下它的结束",
  unseenAnd: ({ note }) => `它的进程在它运行时结束了；${note}`,
  unwrittenAnd: ({ note }) => `没能记下它的结束；${note}`,
  denied: "被人拒绝",
  deniedFor: ({ reason }) => `被人拒绝：${reason}`,
  deniedByScript: "被脚本拒绝",
  deniedByScriptFor: ({ reason }) => `被脚本拒绝：${reason}`,
  policy: ({ because }) => `被策略拒绝：${because}`,
  stopped: "在它运行之前，本轮被人停止",
  superseded: "人没有回答，而是发了新消息",
  forked: "在它运行之前，会话被分叉",
  lapsed: ({ note }) => `已不能再做：${note}`,
  changedMeanwhile: "它涉及的内容已经变了",
  raced: "另一个程序在最后一刻保存了该文件",
  overstepped: "它修改了受保护的内容",
  partly: "其中一部分已经做了",
  unclear: "它在运行时失败了",
  unknownDenied: ({ known }) => `${known}；它所服务的调用被拒绝`,
  unknownPolicy: ({ known }) => `${known}；策略拒绝了它所服务的调用`,
  unknownStopped: ({ known }) => `${known}；本轮被人停止`,
  unknownSuperseded: ({ known }) => `${known}；人发了新消息`,
  unknownForked: ({ known }) => `${known}；会话被分叉`,
  unknownGivenUp: ({ known }) => `${known}；人放弃了它`,
  unknownLapsed: ({ known }) => `${known}；它所服务的调用已经结束`,
  changed,
  changedSome: changed,
  processGone: ({ pid }) => `它启动过进程 ${pid}，该进程已经结束`,
  processEnded: ({ pid }) => `它启动过进程 ${pid}，该进程仍在运行，已被结束`,
  processUnsure: ({ note }) => `它启动过的某个进程可能仍在运行：${note}`,
  stoppedByPerson: "被人停止",
  newMessage: "人发了新消息",
  ofItsCall: ({ because }) => `它所服务的调用：${because}`,
  withItsCall: "随它所服务的调用一起结束",
  overBefore: "它在这个之前就结束了",
  toolEnded: "它的工具单独结束了这个会话",
  withHelpers: ({ because }) => `它和它的子代理一起被结束：${because}`,
  notCovered: "它修改的内容无法撤销",
  notCoveredFor: ({ note }) => `它修改的内容无法撤销：${note}`,
};
