import type { jobs as english } from "../en/jobs.ts";
import type { Twin } from "../twin.ts";

export const jobs: Twin<typeof english> = {
  help: {
    argument: "JOB | stop JOB",
    text: "在后台运行的命令：它们的输出，以及结束它们",
  },
  answers: {
    usage: "/jobs JOB 显示一个任务的输出，/jobs stop JOB 结束一个",
    notMeant: "/jobs JOB 显示一个任务的输出，/jobs stop JOB 结束一个：你要哪个？",
    none: "本会话没有在后台运行的命令，也没有运行过",
    notThere: ({ job }) => `没有后台任务 ${job}：/jobs 显示它们`,
    over: ({ job }) => `后台任务 ${job} 已结束`,
  },
  aside: {
    help: { argument: "", text: "让正在运行的命令转到后台继续" },
    none: "没有正在运行、能转到后台的命令",
  },
  title: ({ jobs: count, running }) => `${count} 个后台任务，${running} 个运行中`,
  listHint: "enter 显示它的输出 · x 结束它 · esc 返回",
  readHint: "↑ ↓ 移动 · esc 返回",
  position: ({ at, of }) => `${at}/${of}`,
  stop: "结束它？按 y 结束，按其他键让它运行",
  runs: "运行中",
  cutOff: "被切断",
  over: "它已不再运行",
  kept: "它继续运行",
  silent: "它还没有输出",
  lines: {
    silent: ({ stands }) => `${stands}；它还没有输出`,
    last: ({ stands, lines }) => `${stands}；它最后 ${lines} 行`,
  },
};
