import type { shellRuns as english } from "../contract/shell-runs.ts";
import type { Twin } from "../twin.ts";

/** The parts of a command that an approval cannot hold fast. */
export const shellRuns: Twin<() => typeof english> = {
  folder_unknown: "运行之前不知道它在哪个文件夹里运行",
  text_runs: ({ word }) => `${word} 会让它运行某段文字或某个文件里写的内容`,
  way_unknown: "不知道它会进入哪个文件夹",
  no_tasks: "那里没有找到说明它做什么的文件",
  odd_words: ({ word }) => `${word} 有一个选项或参数不认识`,
  unnamed: ({ word }) => `${word} 可能让它运行本行没有写明的内容`,
  named_unknown: ({ word }) => `不知道 ${word} 写明的是什么`,
  not_loaded: ({ word }) => `在工作区里没有找到 ${word} 要加载的内容`,
  code_folder: ({ word }) => `${word} 会从一个文件夹里取代码`,
  too_much: "它要运行的内容太多，无法逐一查看",
  fed: "无论输入什么，它都会当代码运行",
  no_script: "没有找到它要运行的脚本",
  not_found: "没有找到它要运行的内容",
  no_makefile: "那里没有找到 makefile",
  set_variables: "给它设置了变量，其中可能写明程序",
  which_script: "运行之前不知道它会运行哪个脚本",
  which_package: "没有找到它指的是工作区里的哪个包",
  no_package: "那里没有找到 package.json",
  loads_package: "它可能加载并运行一个包",
  may_differ: ({ word, because }) => `${word}：${because}；运行的内容可能与你现在看到的不同`,
  large_folder: ({ word }) => `${word}：它写明的一个文件夹里内容太多，无法逐一查看`,
  wide_pattern:
    "其中一个模式代表的文件太多，无法逐一查看（一个模式最多 500 个，一行最多 1,000 个）：其余文件不按名称判断",
};
