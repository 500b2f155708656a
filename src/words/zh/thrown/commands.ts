import type { Table } from "../../again.ts";

/** Of commands that are run, and of the sandbox that they run in. */
export const ofCommands: Table = {
  "nothing was run: another folder got the name {path} when the sandbox was made":
    "什么都没有运行：建立沙箱时另一个文件夹用了名称 {path}",
  "it could not be started: {said}": "无法启动：{said}",
  "stopped after {time}": "{time} 后停止",
  "stopped after {time}; {why}": "{time} 后停止；{why}",
  "stopped while it ran": "运行中被停止",
  "stopped while it ran; {why}": "运行中被停止；{why}",
  "a process that it had started could not be ended and still runs": "它启动的一个进程无法结束，仍在运行",
  "(a process that it had started left it and still runs, beyond this call and this session: PID {pid}; kill ends it)":
    "（它启动的一个进程脱离了它，仍在运行，不随本次调用和本会话结束：PID {pid}；用 kill 结束它）",
  "({n} processes that it had started left it and still run, beyond this call and this session: PID {pids}; kill ends them)":
    "（它启动的 {n} 个进程脱离了它，仍在运行，不随本次调用和本会话结束：PID {pids}；用 kill 结束它们）",
  "the sandbox is gone: {why}": "沙箱没有了：{why}",
  "no command is run without the sandbox, and {why}": "没有沙箱就不运行命令，而{why}",
  "there is no folder {path} to run in": "没有可在其中运行的文件夹 {path}",
  "not run: {what} changed meanwhile": "没有运行：{what}这时变了",
  "not run: what it would run, or what lets it run, changed meanwhile":
    "没有运行：它要运行的内容，或准许它运行的依据，这时变了",
  "a file that this session wrote": "本会话写的文件",
  "settings of git": "git 的设置",
  "what git would show": "git 会显示的内容",
  'a command takes no <secret> tag: give {"secrets": ["{name}"]} beside it and write "{variable}" in its place':
    '命令不接受 <secret> 标签：请另给 {"secrets": ["{name}"]}，并在该处写 "{variable}"',
  "there is no background job {id}: there are none": "没有后台任务 {id}：一个也没有",
  "there is no background job {id}: {there}": "没有后台任务 {id}：{there}",
  "the job was stopped": "该任务已停止",
  "it is made by bubblewrap, which is for Linux": "它由 bubblewrap 建立，后者用于 Linux",
  "bubblewrap (bwrap) is not installed": "没有安装 bubblewrap（bwrap）",
  "{program} does not work here: {why}": "{program} 在这里不能工作：{why}",
  "it did not end within {seconds} s": "它在 {seconds} s 内没有结束",
  "it ended by {how}": "它以 {how} 结束",
  "it was not run: what its git must not miss, or it must not read, came into a folder that it goes through":
    "没有运行：它所经过的文件夹里出现了它的 git 不能缺少、或它不得读取的内容",
  "it was not run: in {path} lies something that is not read without asking, or more than is looked through for that, and a name on the way to it is no text (UTF-8), so that it cannot be kept from the command; name the folders or files that it is to read":
    "没有运行：{path} 里有未经询问不会读取的内容，或多得无法逐一查看，而通向它的某个名称不是文本（UTF-8），无法对命令遮住；请写明要读取的文件夹或文件",
  "it was not run: the repository of which git lists the files is another one by now":
    "没有运行：git 要列出文件的仓库现在已是另一个",
  "it goes through more than {most} files, or {closed} that are not read without asking, too many to keep them from it; name the folders or files that it is to read":
    "它要经过的文件超过 {most} 个，或其中 {closed} 个未经询问不得读取，多得无法挡住：请写明它要读的文件夹或文件",
  "it goes through {closed} files that are not read without asking, too many to keep them from it; name the folders or files that it is to read":
    "它要经过 {closed} 个未经询问不得读取的文件，多得无法挡住：请写明它要读的文件夹或文件",
  "a pattern is one simple command: no ; | & $ ` < > ( ) # and no line break in it, unless quoted":
    "模式是一条简单命令：其中没有 ; | & $ ` < > ( ) # 和换行，除非加了引号",
  "'*' alone would mean every command": "单独的 '*' 会表示所有命令",
  "'*' may only stand by itself, as the last word (as in 'npm test *'), or quoted":
    "'*' 只能单独作为最后一个词（如 'npm test *'），或加引号",
  "sandboxRead does not show {path}: it {why}": "sandboxRead 不显示 {path}：它{why}",
  "is a whole home: name folders in it": "是整个主目录：请写其中的文件夹",
  "holds a name that is no text (UTF-8) on the way to something guarded, or to more than is looked through for that: name a folder in it":
    "里有不是文本（UTF-8）的名称，通向受保护的内容，或多得无法逐一查看：请指定其中的一个文件夹",
  "holds more than {most} files, too many to look for guarded ones: name a folder in it":
    "有超过 {most} 个文件，多得无法查找受保护的：请写其中的文件夹",
  "the files could not be copied: {error}": "无法复制文件：{error}",
  "there are more than {limit}": "超过 {limit}",
  "the files have more than {limit}": "文件超过 {limit}",
};
