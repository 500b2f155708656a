import type { provenance as english } from "../en/provenance.ts";
import type { Twin } from "../twin.ts";

export const provenance: Twin<typeof english> = {
  noSuchFile: ({ file }) => `${file}：没有这个文件`,
  noText: ({ file }) => `${file} 不是文本：agent log 显示对它做了什么`,
  noCall: "没有记录在案的调用改动过此文件",
  changedSince: "此后被别的东西改动",
  damaged: ({ session }) => `会话 ${session} 已损坏：不查看它的调用`,
  noFile: ({ file }) => `${file} 不是文件`,
  tooLarge: ({ file, size, most }) => `${file} 有 ${size} 字节：最多查看 ${most} 字节`,
  unreadable: ({ file }) => `${file} 无法读取`,
  owners: {
    other: "不是 agent 的",
    unknown: "已无从得知",
  },
  by: {
    unrecorded: "没有记录",
    person: "由你批准",
    script: "由脚本批准",
    policy: "允许",
    recovery: "经恢复",
  },
};
