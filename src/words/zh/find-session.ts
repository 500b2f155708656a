import type { findSession as english } from "../en/find-session.ts";
import type { Twin } from "../twin.ts";

export const findSession: Twin<typeof english> = {
  listHint: "agent sessions list --all 列出所有会话",
  prefixHint: "把 id 写得更长些",
  driven: ({ session, parent }) => `会话 ${session} 由 ${parent} 的一次调用驱动`,
  drivenHint: ({ parent, session }) =>
    `agent resume ${parent} 两者一起继续，agent sessions rm ${parent} 两者一起删除，agent sessions show ${session} 显示这一个`,
  none: ({ workspace, toDo }) => `${workspace} 没有${toDo}的会话`,
  noneHint: "agent sessions list --all 也列出其他文件夹的会话",
  folderGone: ({ id, workspace }) => `会话 ${id} 的工作区已不存在：${workspace}`,
  folderHint: ({ id }) =>
    `把它放回原处再恢复会话，或在别处开始新会话：agent chat -C DIR；agent sessions show ${id} 仍可显示它的消息和调用`,
};
