import type { artifacts as english } from "../en/artifacts.ts";
import type { Twin } from "../twin.ts";

export const artifacts: Twin<typeof english> = {
  none: "这里没有会话保存了产物",
  head: ({ name, type, version, last, call, isTakenBack }) =>
    `${name}（${type}），版本 ${version}，共 ${last} 版，来自调用 ${call}${isTakenBack ? "，已收回" : ""}`,
  wrote: ({ version, name, path }) => `已把 ${name} 的版本 ${version} 写入 ${path}`,
  noFile: ({ path }) => `${path} 不是普通文件：什么也没写`,
  allTakenBack: ({ name }) => `${name} 已全部收回`,
  noArtifact: ({ text, session }) => `会话 ${session} 里没有产物 ${JSON.stringify(text)}`,
  hasNone: "它没有产物",
  has: ({ names }) => `它有 ${names.join(", ")}`,
  noVersion: ({ artifact, version }) => `${artifact} 没有版本 ${JSON.stringify(version)}`,
  noneKept: ({ workspace }) => `${workspace} 没有会话保存了产物`,
  noneKeptHint: "agent artifacts --all 列出其他文件夹的产物",
  damaged: ({ artifact, version }) => `${artifact} 版本 ${version} 的记录已损坏`,
  damagedHint: "agent sessions verify 说明位置",
};
