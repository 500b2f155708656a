import type { typed as english } from "../en/typed.ts";
import type { Twin } from "../twin.ts";

export const typed: Twin<typeof english> = {
  approve: ({ text }) => `--approve 应为 ID、ID@DIGEST 或 all，而不是 ${JSON.stringify(text)}`,
  named: ({ flag, text }) => `--${flag} 应为 ID 或 SESSION:ID，而不是 ${JSON.stringify(text)}`,
  digestOfAll: ({ told }) => `--approve ${told}：摘要码只属于一次调用，须指明它`,
  digestShape: ({ told, least }) => `--approve ${told}：摘要码为 ${least} 到 64 个字符，0-9 和 a-f`,
  digestHint: "它与等待中的调用一起打印：从那里复制",
  deepEdit: ({ call, deep }) => `--edit ${call}：参数有误：${deep}`,
  reasonPlace: "--reason 必须跟在它所说明的 --deny 之后",
  contradict: ({ one, of, other, otherOf }) => `--${one} ${of} 与 --${other} ${otherOf} 相互矛盾：什么也没决定`,
  noneWaits: ({ kind, of, known }) => `--${kind} ${of}：没有此 id 的调用在等待这个（等待中：${known}）`,
  oneOf: ({ flag, allowed, text }) => `${flag} 应为 ${allowed.join(", ")} 之一，而不是 ${JSON.stringify(text)}`,
  steps: ({ text }) => `--max-steps 应为 1 到 1000 的整数，而不是 ${JSON.stringify(text)}`,
  cost: ({ text }) => `--max-cost 应为大于 0 的数，而不是 ${JSON.stringify(text)}`,
  since: ({ text }) => `--since 应为往前的时长如 12h、30d 或 4w，或日期如 2026-11-01，而不是 ${JSON.stringify(text)}`,
  folderGone: "启动时所在的文件夹已不存在",
  notUtf8: ({ folder }) => `文件夹的路径不是 UTF-8：${folder}`,
  notUtf8Hint: "给它改名，或给它上层不是 UTF-8 的文件夹改名",
  noFolder: ({ folder }) => `没有文件夹 ${folder}`,
  isNoFolder: ({ folder }) => `${folder} 不是文件夹`,
};
