import type { Table } from "../../again.ts";

/** Of the store, of sessions that are read afterwards, and of what is taken back. */
export const ofRecords: Table = {
  "there is no session {id}": "没有会话 {id}",
  "there is no session {id} of {folder}": "{folder} 没有会话 {id}",
  "session {id} belongs to the workspace {other}, not to {folder}": "会话 {id} 属于工作区 {other}，不属于 {folder}",
  "there is no store {file}": "没有存储 {file}",
  "the disk is full; free some space there, then try again": "磁盘已满；请在那里腾出空间再试",
  "the store cannot be written; check the permissions of the file and of its folder":
    "无法写入存储；请检查该文件及其文件夹的权限",
  "the store is damaged; nothing was changed": "存储已损坏；什么都没有改动",
  "the store was removed or replaced while it was in use, so nothing more is done; what this run has changed stays, but is in no record: look at it, then begin a new session":
    "存储在使用中被移除或替换，因此不再做任何事；本次运行的改动还在，但没有任何记录：请查看后再开始新会话",
  "this is another program's database; nothing was changed; point AGENT_HOME elsewhere or move the file away":
    "这是别的程序的数据库；什么都没有改动；请让 AGENT_HOME 指向别处，或移走该文件",
  "the store was written by a newer version; nothing was changed; upgrade this program":
    "存储由更新的版本写成；什么都没有改动；请升级本程序",
  "the store could not be read or written; check the disk and the folder": "无法读写存储；请检查磁盘和文件夹",
  "the value is not plain data; nothing was stored": "该值不是纯数据；什么都没有保存",
  "{what}\nTo start with a fresh store and keep this one: {command}": "{what}\n要保留此存储并用新的开始：{command}",
  "{file}: session {id} cannot be continued: its saved state is damaged ({why}); other sessions are not affected\nagent sessions show {same} still shows its messages and calls":
    "{file}：会话 {id} 无法继续：它保存的状态已损坏（{why}）；其他会话不受影响\nagent sessions show {same} 仍显示它的消息和调用",
  "{file}: whether the store is whole could not be looked at, so nothing was done; try again ({error})":
    "{file}：无法查看存储是否完整，因此什么都没有做；请再试（{error}）",
  "{file}: the store is busy: another process keeps it locked; try again when it has finished":
    "{file}：存储正忙：另一个进程锁着它；等它结束后再试",
  "it is empty, and was a store before": "它是空的，而以前是存储",
  "its log is gone, with what was written last": "它的日志不见了，最后写的内容也没有了",
  "its log is cut off, with what was written last": "它的日志被截断，最后写的内容没有了",
  "it is cut off: it has {size} bytes, not {wanted}": "它被截断：有 {size} 字节，应为 {wanted}",
  "not a regular file": "不是普通文件",
  "its log is here without the store itself": "这里有它的日志，却没有存储本身",
  "no write-ahead log here, but {mode}": "这里没有预写日志，而是 {mode}",
  "session {id} is gone: it was removed": "会话 {id} 没有了：它已被删除",
  "session {id} is driven by {what} since {since}; end it there, or take it over: {command}":
    "会话 {id} 自 {since} 起由 {what} 驱动；在那里结束它，或接管：{command}",
  "session {id} is driven by {what} since {since} (last seen {when}; whether it still runs cannot be checked from here); end it there, or take it over: {command}":
    "会话 {id} 自 {since} 起由 {what} 驱动（最后一次见到：{when}；从这里无法查看它是否仍在运行）；在那里结束它，或接管：{command}",
  "session {id} was taken over by {what} since {since}; this process writes nothing more":
    "会话 {id} 自 {since} 起已被 {what} 接管；此进程不再写入任何内容",
  "a process that has ended by now": "已经结束的进程",
  "process {pid}": "进程 {pid}",
  "process {pid} on {host}": "{host} 上的进程 {pid}",
  "process {pid} in another container of this machine": "本机另一容器中的进程 {pid}",
  "a process that has ended by now on {host}": "{host} 上已经结束的进程",
  "this session was cut off: before its first call": "本会话被中断：在第一次调用之前",
  "this session was cut off: {done} of {calls} calls were done": "本会话被中断：完成了 {done}/{calls} 个调用",
  "this session was cut off: before its first call; the mode is ask again, for a mode holds for one run":
    "本会话被中断：在第一次调用之前；模式又是 ask，因为模式只用于一次运行",
  "this session was cut off: {done} of {calls} calls were done; the mode is ask again, for a mode holds for one run":
    "本会话被中断：完成了 {done}/{calls} 个调用；模式又是 ask，因为模式只用于一次运行",
  "session {id} is no longer driven here: its lease was released": "会话 {id} 已不在这里驱动：它的租约已放开",
  "session {id} is not driven here": "会话 {id} 不在这里驱动",
  "nobody drives session {id}: nothing of it runs": "会话 {id} 没有人驱动：没有任何部分在运行",
  "nobody drives session {id}: the answer counts when it is resumed": "会话 {id} 没有人驱动：恢复它时此回答才算数",
  "call {call} of session {id} does not wait": "会话 {id} 的调用 {call} 没有在等待",
  "nothing was decided by it": "它没有决定任何事",
  "the process that drove session {id} has ended: nothing of it runs":
    "驱动会话 {id} 的进程已经结束：没有任何部分在运行",
  "nothing ran in session {id}": "会话 {id} 中没有任何内容在运行",
  "nothing ran in session {id}: its question waits on": "会话 {id} 中没有任何内容在运行：它的问题继续等待",
  "session {id} was stopped": "会话 {id} 已停止",
  "the process that drives session {id} has not answered yet: it is told as soon as it works again":
    "驱动会话 {id} 的进程还没有应答：它一恢复工作就会得知",
  "there is no call {call}": "没有调用 {call}",
  "call {call} has another digest now: read what would be done": "调用 {call} 现在的摘要码不同：请查看会做什么",
  "call {call} was not {done}: its digest is {now} now, not {named}":
    "调用 {call} 没有 {done}：它现在的摘要码是 {now}，不是 {named}",
  "call {call} does not wait any more": "调用 {call} 已不再等待",
  "call {call} does not wait for recovery": "调用 {call} 没有在等待恢复",
  "call {call} came to its end: it is kept (done) or called off (cancel), and not run again":
    "调用 {call} 已经结束：只能保留（done）或作废（cancel），不再运行",
  "this session has no call {call}": "本会话没有调用 {call}",
  "session {id} is {state}: nothing was removed": "会话 {id} 是 {state}：什么都没有删除",
  "call {call} was already taken back by call {by}: to redo it, take back {by}":
    "调用 {call} 已由调用 {by} 撤销：要重做，请撤销 {by}",
  "call {call} has no change of its children that is not taken back yet": "调用 {call} 的子会话没有尚未撤销的改动",
  "call {call} changed no file of the workspace that could be put back": "调用 {call} 没有改动工作区中可以恢复的文件",
  "call {call} ended with an error: it has no change to take back": "调用 {call} 以错误结束：没有可撤销的改动",
  "call {call} has no change that is known: it was cancelled": "调用 {call} 没有已知的改动：它被取消了",
  "call {call} is not finished: it is {state}": "调用 {call} 还没有完成：它是 {state}",
  "{what}: settle it first with agent resume {id}": "{what}：请先用 agent resume {id} 了结它",
  "a message is not answered yet: continue the session first": "有一条消息还没有得到回答：请先继续该会话",
  "no call is named": "没有指明调用",
  "call {call} waits for your answer": "调用 {call} 在等你回答",
  "the end of call {call} was not seen": "没有看到调用 {call} 的结束",
  "call {call} is not finished": "调用 {call} 还没有完成",
  "this session has no turn {turn}": "本会话没有回合 {turn}",
  "turn {turn} changed no file and no artifact, or was already taken back":
    "回合 {turn} 没有改动文件和产物，或已被撤销",
  "this session has changed no file and no artifact, or all of it was already taken back":
    "本会话没有改动文件和产物，或已全部撤销",
  "call {call} took back changes of before and since: take it back by itself first":
    "调用 {call} 撤销过此前和此后的改动：请先单独撤销它",
  "{path} is already as it was before call {call}": "{path} 已是调用 {call} 之前的样子",
  "{path} is already as it was before calls {calls}": "{path} 已是调用 {calls} 之前的样子",
  "{path} has changed since: what call {call} changed is taken out, the rest stays":
    "{path} 此后有变：去掉调用 {call} 的改动，其余保留",
  "{path} has changed since: what calls {calls} changed is taken out, the rest stays":
    "{path} 此后有变：去掉调用 {calls} 的改动，其余保留",
  "the bytes of {path} around call {call} are no longer kept, so it cannot be taken back":
    "已不再保留 {path} 在调用 {call} 前后的内容，因此无法撤销",
  "the bytes of {path} around calls {calls} are no longer kept, so it cannot be taken back":
    "已不再保留 {path} 在调用 {calls} 前后的内容，因此无法撤销",
  "the file is gone since": "该文件此后没有了",
  "it made the file, which has changed since: remove it yourself": "它建立了该文件，而文件此后有变：请自行删除",
  "it removed the file, and there is another one now": "它删除了该文件，而现在有另一个",
  "the file's encoding has changed since": "该文件的编码此后变了",
  "the file has changed too much since": "该文件此后改动太多",
  "the same place has changed since ({where} now)": "同一处此后有变（现在是 {where}）",
  "the file has changed since, and it is no text that could be merged": "该文件此后有变，而它不是可合并的文本",
  "call {call} cannot be taken back from {path}: {why}": "无法从 {path} 撤销调用 {call}：{why}",
  "calls {calls} cannot be taken back from {path}: {why}": "无法从 {path} 撤销调用 {calls}：{why}",
  "version {version} came after it, by call {call}: take that back too":
    "它之后有版本 {version}，来自调用 {call}：请一并撤销",
  "{path} leads elsewhere by now: a folder on its way, or it itself, is a link":
    "{path} 现在通向别处：途中的文件夹或它自己是链接",
  "there is nothing to take back: {why}": "没有可撤销的：{why}",
  "{path} is no text: it is put back whole, its content is not shown": "{path} 不是文本：会整个恢复，不显示其内容",
  "{path} has other names (hard links): they keep the present content":
    "{path} 还有别的名称（硬链接）：它们保留现在的内容",
  "of artifacts, which are not shown below: {what}": "产物（下面不显示）：{what}",
  "artifact {artifact} is no more": "产物 {artifact} 不再存在",
  "artifact {artifact} is at version {version} again": "产物 {artifact} 回到版本 {version}",
  "the artifacts have changed since the undo was planned: nothing was taken back":
    "计划撤销之后产物变了：什么都没有撤销",
  "the files have changed since the undo was planned: nothing was taken back": "计划撤销之后文件变了：什么都没有撤销",
  "{path} has changed since the undo was planned: nothing was taken back": "计划撤销之后 {path} 变了：什么都没有撤销",
  "{path} has changed since the undo was planned: nothing was taken back; only these were taken back: {names}":
    "计划撤销之后 {path} 变了：什么都没有撤销；只撤销了：{names}",
  "what another program saved is kept in {files}": "另一个程序保存的内容留在 {files}",
  "the file on disk is neither as it was before nor as it was approved":
    "磁盘上的文件既不是原来的样子，也不是所批准的样子",
  "its plan names no file": "它的计划没有写文件",
  "it failed while it ran: {why}": "它在运行时失败：{why}",
  "process {pid} was started on {host}": "进程 {pid} 是在 {host} 上启动的",
  "a process group {pid} runs, which may be another by now": "有进程组 {pid} 在运行，它现在可能是别的",
  "process {pid} could not be ended": "进程 {pid} 无法结束",
  "there is no program {program}": "没有程序 {program}",
  "there is no folder {path} to run {program} in": "没有可运行 {program} 的文件夹 {path}",
  "{size} of this change are not shown: they are not text": "此改动中有 {size} 没有显示：它们不是文本",
  "{size} of this change are not shown: it is too large": "此改动中有 {size} 没有显示：它太大",
  "the agent needs {missing}, which is not installed: npm install {wanted}":
    "agent 需要 {missing}，但没有安装：npm install {wanted}",
  "{what} is not where it was installed: start the program again": "{what} 不在安装的位置：请重新启动程序",
  "too many open files: this process may have no more files open; allow more, then try again: ulimit -n 1024":
    "打开的文件太多：此进程不能再打开文件；请调高上限再试：ulimit -n 1024",
  "too many open files: the system may have no more files open; end some programs, then try again":
    "打开的文件太多：系统不能再打开文件；请结束一些程序再试",
  "it took longer than {ms} ms": "用时超过 {ms} ms",
  "the check gave no answer": "检查没有给出结果",
  "a row of {table} names a row of {parent} that is gone": "{table} 的一行引用了 {parent} 中已不存在的行",
  "it has not noted which keys its sessions were given": "它没有记下给过会话的键",
  "event {at} does not follow from those before it": "事件 {at} 与之前的不连贯",
  "call {call} has no event": "调用 {call} 没有事件",
  "call {call} is {state}, attempt {attempt}, but event {event} says {to}, attempt {other}":
    "调用 {call} 是 {state}，第 {attempt} 次，而事件 {event} 说是 {to}，第 {other} 次",
  "call {call} has another digest than its events name": "调用 {call} 的摘要码与其事件所写的不同",
  "the message of turn {turn} is damaged": "回合 {turn} 的消息已损坏",
  "the message of step {step} is damaged": "步骤 {step} 的消息已损坏",
  "call {call} of step {step} is gone": "步骤 {step} 的调用 {call} 没有了",
  "it cannot be read: {error}": "无法读取：{error}",
};
