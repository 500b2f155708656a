import type { Table } from "../again.ts";

const reads: Table = {
  "read {file} (lines {from}-{to})": "读取 {file} (第 {from}-{to} 行)",
  "read {file} (empty)": "读取 {file} (空)",
  "read {file} (empty notebook)": "读取 {file} (空笔记本)",
  "read {file} (PDF of {n} pages without text: they are images)": "读取 {file} (PDF，{n} 页，没有文本：都是图片)",
  "read {file} ({place})": "读取 {file} ({place})",
  "read the output of {call}": "读取 {call} 的输出",
  "read {file}": "读取 {file}",
};

const changes = (verb: string, said: string): Table => ({
  [`${verb} {file} (+{added} -{removed})`]: `${said} {file} (+{added} -{removed})`,
  [`${verb} {file} (already has this content)`]: `${said} {file} (已是此内容)`,
  [`${verb} {file} (it cannot be done as asked)`]: `${said} {file} (无法照此执行)`,
});

const versions: Table = {
  "{named} version {version} (+{added} -{removed})": "{named} 版本 {version} (+{added} -{removed})",
};

const ends: Table = {
  "{command} (exit code {exit}, {time})": "{command} (退出码 {exit}, {time})",
  "{command} (exit code {exit}, as after {signal}, {time})": "{command} (退出码 {exit}, 同 {signal} 之后, {time})",
  "{command} (ended by {signal}, {time})": "{command} (被 {signal} 结束, {time})",
  "{command} (stopped, {time})": "{command} (已停止, {time})",
  "{command} (exit code {exit})": "{command} (退出码 {exit})",
  "{command} (ended by {signal})": "{command} (被 {signal} 结束)",
  "{command} (background {id})": "{command} (后台任务 {id})",
  "{command} (stopped)": "{command} (已停止)",
  "{command} (runs)": "{command} (运行中)",
  "{id} (ended)": "{id} (已结束)",
  "{id} (gone)": "{id} (已不在)",
};

const shown: Table = {
  "… 1 line before": "… 前面还有 1 行",
  "… {n} lines before": "… 前面还有 {n} 行",
  "(the sandbox hides keys and passwords of the home, such as ~/.ssh, ~/.netrc and ~/.npmrc: the person can show one by sandboxWrite in config.json)":
    "（沙箱隐藏主目录中的密钥和密码，如 ~/.ssh、~/.netrc 和 ~/.npmrc：人可在 config.json 中用 sandboxWrite 显示其中一个）",
  "(the sandbox has no network unless the call says network: true)": "（除非调用写明 network: true，沙箱没有网络）",
  "(the sandbox writes in the workspace alone: the person can add a place by sandboxWrite in config.json)":
    "（沙箱只写工作区：人可在 config.json 中用 sandboxWrite 添加一处）",
  "({path} is guarded: the sandbox does not show it; the person can by sandboxWrite in config.json)":
    "（{path} 受保护：沙箱不显示它；人可在 config.json 中用 sandboxWrite 显示）",
  "(in the sandbox the home is empty but for what tool chains need: {path} is there outside of it; the person can show it by sandboxRead in config.json)":
    "（沙箱中的主目录只有工具链需要的内容：{path} 在沙箱外存在；人可在 config.json 中用 sandboxRead 显示它）",
  "(what lies in {places} is not there for it)": "（对它来说 {places} 里的内容不存在）",
  "(it may read any file by words that are known only when it runs: 1 place that is not read without asking is not there for it)":
    "（它可能按运行时才知道的词读取任何文件：1 处未经询问不得读取的内容对它不存在）",
  "(it may read any file by words that are known only when it runs: {n} places that are not read without asking are not there for it)":
    "（它可能按运行时才知道的词读取任何文件：{n} 处未经询问不得读取的内容对它不存在）",
  "(1 place that is not read without asking was left out)": "（略去 1 处未经询问不得读取的内容）",
  "({n} places that are not read without asking were left out)": "（略去 {n} 处未经询问不得读取的内容）",
  "(in the sandbox: only the processes of this command are seen)": "（在沙箱中：只看得到此命令的进程）",
  "(in the sandbox: the disks are those that it has)": "（在沙箱中：磁盘是沙箱所有的）",
  "(a command that goes through folders, or reads what it does not name, cannot open what is not read without asking: {places}; name a file to ask for it)":
    "（经过文件夹、或读取没有写明之物的命令，打不开未经询问不得读取的内容：{places}；要读请写明文件）",
  "(a command that goes through folders, or reads what it does not name, cannot open what is not read without asking: {places} and {n} more; name a file to ask for it)":
    "（经过文件夹、或读取没有写明之物的命令，打不开未经询问不得读取的内容：{places}，另 {n} 处；要读请写明文件）",
  "(a pattern in it stands for more files than are looked at, 500 of a pattern and 1,000 of a line: the others are not judged by their names)":
    "（其中一个模式代表的文件太多，无法逐一查看（一个模式最多 500 个，一行最多 1,000 个）：其余文件不按名称判断）",
  "(exit code {code})": "(退出码 {code})",
  "(exit code {code}, as after {signal})": "(退出码 {code}，同 {signal} 之后)",
  "(ended by {signal})": "(被 {signal} 结束)",
  "(what it had left running was ended: for that there is background)": "（它留下的进程已被结束：需要时用 background）",
};

const standings: Table = {
  "cut off": "被中断",
  "cut off, {done} of {calls} done": "被中断，完成 {done}/{calls}",
  "waits for you: {what}": "等你：{what}",
  "waits for you: the end of {what} was not seen": "等你：没有看到 {what} 的结束",
  "waits for you: {what} and {n} more": "等你：{what}，另 {n} 个",
  "waits for you: the end of {what} was not seen and {n} more": "等你：没有看到 {what} 的结束，另 {n} 个",
  "out of steps": "步数用完",
  "out of money": "预算用完",
  failed: "已失败",
  "the context is full": "上下文已满",
  "forked, not finished": "已分叉，没有完成",
  "not finished": "没有完成",
  "a message waits": "有消息等待",
  "{n} messages wait": "有 {n} 条消息等待",
  idle: "空闲",
  running: "运行中",
  broken: "已损坏",
  damaged: "已损坏",
};

const events: Table = {
  proposed: "提出",
  pending: "等待中",
  awaiting_approval: "等待批准",
  executing: "运行中",
  interrupted: "已中断",
  approved: "已批准",
  denied: "已拒绝",
  cancelled: "已取消",
  success: "成功",
  error: "出错",
  "nothing was done: attempt {attempt}": "什么都没有做：第 {attempt} 次",
  "to be run again: attempt {attempt}": "将再次运行：第 {attempt} 次",
  "waits for approval": "等待批准",
  "edited by the person: asked about anew": "人编辑过：重新询问",
  "planned anew: asked about again": "重新计划：再次询问",
  "started, attempt {attempt}": "开始，第 {attempt} 次",
  "its end was not seen": "没有看到它的结束",
  "sha {sha}": "摘要码 {sha}",
};

const lineEndings = ["mixed", "none", "{from}"].flatMap((from) =>
  ["mixed", "none", "{to}"].map((to) => [from, to] as const),
);
const ending: Readonly<Record<string, string>> = { mixed: "混合", none: "无" };

/** The ways in which helpers end. */
const helperEnds: Readonly<Record<string, string>> = {
  done: "完成",
  failed: "失败",
  stuck: "反复失败",
  context_full: "上下文已满",
  "stopped by the person": "被人停止",
  "max_steps (its own limit)": "步数用完（它自己的上限）",
  "max_steps (the turn's limit)": "步数用完（回合的上限）",
  "max_cost (its own limit)": "预算用完（它自己的上限）",
  "max_cost (the turn's limit)": "预算用完（回合的上限）",
};

/** The notes that stand in a change beside its lines. */
const notes: Table = {
  "\\ byte order mark added": "\\ 添加字节序标记",
  "\\ byte order mark removed": "\\ 去掉字节序标记",
  ...Object.fromEntries(
    lineEndings.map(([from, to]) => [
      `\\ line endings: ${from} -> ${to}`,
      `\\ 换行：${ending[from] ?? from} -> ${ending[to] ?? to}`,
    ]),
  ),
  "\\ file rewritten: -{removed} +{added} lines": "\\ 文件重写：-{removed} +{added} 行",
  "\\ not shown: the old content is not text, {n} bytes": "\\ 不显示：旧内容不是文本，{n} 字节",
  "\\ not shown: the new content is not text, {n} bytes": "\\ 不显示：新内容不是文本，{n} 字节",
  "\\ not shown: not text, {before} -> {after} bytes": "\\ 不显示：不是文本，{before} -> {after} 字节",
  "\\ No newline at end of file": "\\ 文件末尾没有换行",
  "\\ ends with {end}": "\\ 以 {end} 结尾",
};

/** The lines in which calls of the agent's own tools speak of themselves, by the tool. A command is never said otherwise: `run` is all that is. */
export const titles: Readonly<Record<string, Table>> = {
  read_file: reads,
  edit_file: changes("edit", "编辑"),
  write_file: changes("write", "写入"),
  ls: {
    "list {folder}": "列出 {folder}",
    "{folder}: {n} entries": "{folder}：{n} 项",
  },
  glob: { "find files in {folder}": "在 {folder} 查找文件", "{n} files": "{n} 个文件" },
  grep: {
    "search {place}": "搜索 {place}",
    "1 match": "1 处匹配",
    "more than {n} matches": "超过 {n} 处匹配",
    "{n} matches": "{n} 处匹配",
  },
  save_memory: {
    "remember in this project: {fact}": "在本项目中记住：{fact}",
    "remember everywhere: {fact}": "在所有项目中记住：{fact}",
    "remembered: {fact}": "已记住：{fact}",
    "remembered everywhere: {fact}": "已在所有项目中记住：{fact}",
    "known already: {fact}": "已经知道：{fact}",
  },
  goal: {
    "no goals": "没有目标",
    "{id} added: {text}": "{id} 已添加：{text}",
    "{id} active: {text}": "{id} 进行中：{text}",
    "{id} done: {text}": "{id} 已完成：{text}",
    "{id} dropped: {text}": "{id} 已放弃：{text}",
    "{done} of {all} done": "已完成 {done}/{all}",
  },
  present_plan: { 'work by the plan "{title}"': '按计划 "{title}" 执行', approved: "已批准" },
  "a session": standings,
  "a goal": {
    "{id} pending: {text}": "{id} 待做：{text}",
    "{id} active: {text}": "{id} 进行中：{text}",
    "{id} done: {text}": "{id} 已完成：{text}",
    "{id} dropped: {text}": "{id} 已放弃：{text}",
    "{indent}by helpers, the last to {mode}: {sessions}": "{indent}由子代理完成，最后一个 {mode}：{sessions}",
  },
  "an event": events,
  "a change": notes,
  "a command": {
    "(undo) Take back call {calls}": "(undo) 撤销调用 {calls}",
    "(undo) Take back calls {calls}": "(undo) 撤销调用 {calls}",
    "a change": "一处改动",
  },
  shell: { "run {command}": "运行 {command}", ...ends },
  "shell shows": shown,
  shell_output: ends,
  shell_stop: ends,
  web_fetch: {
    "read {page} ({n} characters)": "读取 {page} ({n} 个字符)",
    "read {page} ({from}-{to} of {n})": "读取 {page} ({from}-{to}/{n})",
    "{host} leads on to {other}": "{host} 转到 {other}",
  },
  web_search: {
    "search {provider} for {query}": "用 {provider} 搜索 {query}",
    "{n} results of {provider} for {query}": "{provider} 对 {query} 有 {n} 条结果",
  },
  skill: {
    "list the skills": "列出技能",
    "read {file} of the skill {name}": "读取技能 {name} 的 {file}",
    "read the skill {name}": "读取技能 {name}",
    "{n} skills": "{n} 个技能",
    "skill {name} ({source})": "技能 {name} ({source})",
    "{file} of skill {name}": "技能 {name} 的 {file}",
  },
  search_tools: { "1 tool for {query}": "{query}：1 个工具", "{n} tools for {query}": "{query}：{n} 个工具" },
  create_artifact: versions,
  update_artifact: versions,
  rewrite_artifact: versions,
  read_artifact: { "{named} version {version}": "{named} 版本 {version}" },
  agent: {
    "a helper: {task}": "一个子代理：{task}",
    "{n} look into: {tasks}": "{n} 个去查看：{tasks}",
    "{done} of {all} done": "已完成 {done}/{all}",
    ...Object.fromEntries(
      Object.entries(helperEnds).flatMap(([status, said]) => [
        [`{agent}: ${status}, 1 step`, `{agent}：${said}，1 步`],
        [`{agent}: ${status}, {n} steps`, `{agent}：${said}，{n} 步`],
      ]),
    ),
  },
  evaluate: {
    "judges the active goal": "评判进行中的目标",
    "judges {id}": "评判 {id}",
    "{id}: no verdict, {status}": "{id}：没有结论，{status}",
    "{id} pass": "{id} 达到",
    "{id} fail": "{id} 未达到",
    "{id} unsure": "{id} 不能确定",
  },
  undo_changes: {
    "take back call {call}: remove {file}": "撤销调用 {call}：删除 {file}",
    "take back call {call}: {file}": "撤销调用 {call}：{file}",
    "take back calls {calls}: {n} files {figures}": "撤销调用 {calls}：{n} 个文件 {figures}",
    "take back calls {calls}: {file}": "撤销调用 {calls}：{file}",
    "took back call {call}: {file}": "已撤销调用 {call}：{file}",
    "took back calls {calls}: {file}": "已撤销调用 {calls}：{file}",
  },
  "a prompt": {
    "{file}, {bytes} bytes": "{file}，{bytes} 字节",
    "{file}, {bytes} bytes, cut": "{file}，{bytes} 字节，截断",
    "your {file}, {bytes} bytes": "你的 {file}，{bytes} 字节",
    "your {file}, {bytes} bytes, cut": "你的 {file}，{bytes} 字节，截断",
    "the agent's notes in {file}, {bytes} bytes": "{file} 中 agent 的笔记，{bytes} 字节",
    "the agent's notes in {file}, {bytes} bytes, cut": "{file} 中 agent 的笔记，{bytes} 字节，截断",
    "left out: {file} ({why})": "略去：{file} ({why})",
    "git branch {branch}": "git 分支 {branch}",
    "left out: the repository around it, which belongs to another user": "略去：它所在的仓库，属于另一用户",
  },
  "a server's tool": {
    "call {tool} of the MCP server {server}": "调用 MCP 服务器 {server} 的 {tool}",
    "call {tool} of the MCP server {server} at {place}": "调用 {place} 的 MCP 服务器 {server} 的 {tool}",
  },
  "a server's answer": {
    "(the agent let nothing go to {places})": "（agent 没有放行：{places}）",
    "(sound of {kind}, left out)": "（{kind} 声音，略去）",
    "(a part of the answer cannot be read)": "（应答的一部分无法读取）",
    "(a part of the answer is left out: {kind})": "（略去应答的一部分：{kind}）",
    "({address} cannot be read)": "（无法读取 {address}）",
    "({address}, {kind}, is left out: {why})": "（略去 {address}（{kind}）：{why}）",
    "(a resource of the server, named and not read: {facts})": "（服务器的一个资源，只提到而没有读取：{facts}）",
    "(a resource of the server, named and not read: {facts}; in a chat the person attaches it as @{typed})":
      "（服务器的一个资源，只提到而没有读取：{facts}；在聊天中人可用 @{typed} 附上它）",
    "(pages 1-{shown} of {total}; the others are left out)": "（第 1-{shown} 页，共 {total} 页；其余略去）",
    "(of {total} pages none is told: the first is too long)": "（共 {total} 页，都没有给出：第一页就太长）",
    "(the picture {name} is left out: {why})": "（略去图片 {name}：{why}）",
    "({left} more pictures are left out: a result has at most {most})":
      "（略去另外 {left} 张图片：一个结果最多 {most} 张）",
  },
  attempt_completion: { completed: "已完成" },
  terminate: { "ended: {status}": "已结束：{status}" },
};
