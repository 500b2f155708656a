import type { shellRisks as english } from "../contract/shell-risks.ts";
import type { Twin } from "../twin.ts";

/** The things that a command takes away or reaches. */
export const shellRisks: Twin<() => typeof english> = {
  loses_changes: "没有提交的改动会丢失",
  drops_commits: "它去掉的内容不在任何有名称指向的提交里，或从此不再有名称",
  overwrites_others: "它会覆盖或删除别人的内容",
  takes_files: "它会删掉文件",
  overwrites_files: "它会不经询问就覆盖文件",
  changes_rights: "它会更改许多文件的权限，undo 无法恢复",
  writes_disks: "它会越过文件直接写磁盘",
  others_rights: "它以另一个人的权限运行",
  publishes: "它会发布内容，谁也无法收回",
  changes_systems: "它会修改工作区以外的系统",
  speaks: "它会与另一台机器通信，可能把读到的内容带出去",
  sends: "它会把一些内容发给另一台机器",
  reaches_in: "它会干预其他程序或系统",
};
