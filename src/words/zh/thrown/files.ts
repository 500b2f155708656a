import type { Table } from "../../again.ts";

/** Of files and folders: the parts of `src/files/`, and the tools that read, search and change. */
export const ofFiles: Table = {
  "{path} does not exist": "{path} 不存在",
  "{path} does not exist.": "{path} 不存在。",
  "{path} does not exist. Did you mean {near}?": "{path} 不存在。是不是想用 {near}？",
  "{path} cannot be reached: a part of its path is a file, not a folder":
    "无法到达 {path}：它路径中的一段是文件，不是文件夹",
  "{path} is a folder, not a file": "{path} 是文件夹，不是文件",
  "{path} is a symbolic link that cannot be followed (it loops, or it was put there meanwhile)":
    "{path} 是无法跟随的符号链接（它成环，或是刚放到那里的）",
  "{path} has a name that is too long for this file system": "{path} 的名称对此文件系统太长",
  "{path} has a name that this file system does not take": "{path} 的名称不为此文件系统所接受",
  "{path} is not a regular file": "{path} 不是普通文件",
  "{path} may not be accessed: permission denied": "不能访问 {path}：没有权限",
  "{path} may not be accessed: operation not permitted": "不能访问 {path}：操作不被允许",
  "{path} is on a read-only file system": "{path} 在只读文件系统上",
  "{path} could not be written: no space left on the device": "无法写入 {path}：设备上没有空间了",
  "{path} could not be written: the disk quota is used up": "无法写入 {path}：磁盘配额已用完",
  "{path} could not be written: it would pass the limit for the size of a file":
    "无法写入 {path}：会超过文件大小的上限",
  "{path} failed with an input/output error of the device": "{path} 失败：设备的输入输出错误",
  "{path} could not be replaced: its folder spans two file systems": "无法替换 {path}：它的文件夹跨两个文件系统",
  "{path} is in use by the system (a mount point, perhaps) and cannot be replaced":
    "{path} 正被系统使用（可能是挂载点），无法替换",
  "{path} could not be opened: too many open files": "无法打开 {path}：打开的文件太多",
  "{path} could not be opened: too many open files in the system": "无法打开 {path}：系统中打开的文件太多",
  "{path} failed: the system is out of memory": "{path} 失败：系统内存不足",
  "{path} is on a network file system that lost it": "{path} 所在的网络文件系统把它弄丢了",
  "{path} failed: {errno}": "{path} 失败：{errno}",
  "the path is empty": "路径为空",
  "{path} is not inside the workspace: {why}. Use a path relative to the workspace.":
    "{path} 不在工作区内：{why}。请用相对于工作区的路径。",
  "its name holds a NUL character": "它的名称含 NUL 字符",
  "it leads outside": "它通向外面",
  "kernel files are no part of it": "内核文件不属于它",
  "a folder on its way was changed meanwhile": "途中的一个文件夹刚被改动",
  "{path} leads elsewhere by now: a folder on its way was changed": "{path} 现在通向别处：途中的一个文件夹被改动了",
  "{path} is a symbolic link to something that does not exist": "{path} 是指向不存在之物的符号链接",
  "{path} names a folder, not a file": "{path} 指的是文件夹，不是文件",
  "{path} was {done}, but the device failed to make that durable: look at it":
    "{path} 已 {done}，但设备没能落盘：请查看它",
  "{lock} was taken by another process: try again": "{lock} 被另一个进程占用：请再试",
  "waiting for a lock was cancelled": "等待锁时被取消",
  "{lock} is held by {who}; remove it if that process does not run": "{lock} 由 {who} 持有；该进程不在运行时请删除它",
  "{path} belongs to the agent's own store, which is in use": "{path} 属于 agent 自己正在使用的存储",
  "{path} is {what}, not a regular file: it is neither read nor written": "{path} 是{what}，不是普通文件：既不读也不写",
  "a named pipe (FIFO)": "命名管道（FIFO）",
  "a socket": "套接字",
  "a symbolic link": "符号链接",
  "a device": "设备",
  "{path} has {size}; the limit for this is {limit}": "{path} 有 {size}；上限是 {limit}",
  "{path} is not a text file: {kind}, {size} bytes": "{path} 不是文本文件：{kind}，{size} 字节",
  "half of a surrogate pair, which is no character": "半个代理对，那不是字符",
  "{path} is {encoding}: the new text holds {what}, which cannot be written in it":
    "{path} 是 {encoding}：新文本含 {what}，用它写不出来",
  "{path}: too many stores are open in this process": "{path}：此进程中打开的存储太多",
  "{what} {path} is not there any more: nothing more is done": "{what} {path} 已不在那里：不再做任何事",
  "{what} {path} cannot be looked at any more ({errno}): nothing more is done":
    "无法再查看{what} {path}（{errno}）：不再做任何事",
  "put it back under this name and resume the session, or begin another one elsewhere: agent chat -C DIR":
    "把它放回这个名称后恢复会话，或在别处另开一个：agent chat -C DIR",
  "the workspace": "工作区",
  "the added folder": "添加的文件夹",
  "{what} is not what it was: a link has its name {path}: nothing more is done":
    "{what}已不是原来的：现在是一个链接叫 {path}：不再做任何事",
  "{what} is not what it was: a file has its name {path}: nothing more is done":
    "{what}已不是原来的：现在是一个文件叫 {path}：不再做任何事",
  "{what} is not what it was: another folder has its name {path}: nothing more is done":
    "{what}已不是原来的：现在是另一个文件夹叫 {path}：不再做任何事",
  "{what} is not what it was: a link on its way ({at}) has its name {path}: nothing more is done":
    "{what}已不是原来的：它途中有链接（{at}），名称为 {path}：不再做任何事",
  "{what} is not what it was: another folder has its name {path} ({same} is {place} by now): nothing more is done":
    "{what}已不是原来的：现在是另一个文件夹叫 {path}（它现在是 {place}）：不再做任何事",
  "{what} is not what it was: a link has its name {path} ({same} is {place} by now): nothing more is done":
    "{what}已不是原来的：现在是一个链接叫 {path}（它现在是 {place}）：不再做任何事",
  "put the workspace back under this name and resume the session; resumed as it is, the session goes on in what is there by then":
    "把工作区放回这个名称后恢复会话；照现在这样恢复，会话会在那时所在之处继续",
  "put the added folder back under this name and resume the session; resumed as it is, the session goes on in what is there by then":
    "把添加的文件夹放回这个名称后恢复会话；照现在这样恢复，会话会在那时所在之处继续",
  "{path} has changed since this change was planned: nothing was written. Read it again.":
    "{path} 在计划此改动之后变了：什么都没有写。请重新读取。",
  "{path} was saved by another program at the same moment: its content was kept and this change was not applied. Read it again.":
    "{path} 同一时刻被另一个程序保存：保留了它的内容，没有应用此改动。请重新读取。",
  "the file has other names (hard links): they will keep the old content":
    "该文件还有别的名称（硬链接）：它们保留旧内容",
  "it may run as its owner or its group (setuid, setgid): that is taken away":
    "它可以按其所有者或组的身份运行（setuid、setgid）：这会被去掉",
  "the file exists, and this session never read it: all its content is replaced":
    "该文件已存在，而本会话从未读过它：它的全部内容会被替换",
  "the file has changed since this session last read it": "本会话上次读取之后该文件变了",
  "{why}: it is replaced as a whole, its content is not shown": "{why}：会整个替换它，不显示它的内容",
  "the file has CRLF line endings: they are kept": "该文件用 CRLF 换行：会保留",
  "the file was not UTF-8 (8-bit characters) and is written as UTF-8: the new content asks for it":
    "该文件不是 UTF-8（8 位字符），会写成 UTF-8：新内容需要这样",
  "the file is {encoding}: this is kept": "该文件是 {encoding}：会保留",
  "the file is {encoding} with a byte order mark: this is kept": "该文件是 {encoding}，带字节序标记：会保留",
  "the file already has the new text there: {path} would stay as it is": "该文件那里已是新文本：{path} 会保持原样",
  "{path} has changed since you last read it: read it again, then edit what is there now":
    "上次读取之后 {path} 变了：请重新读取，再编辑现在的内容",
  "replace_all cannot be combined with mode flexible: it needs one place":
    "replace_all 不能与 flexible 模式并用：后者需要唯一一处",
  "old_string holds half of a character beyond U+FFFF (a lone surrogate): give the whole character":
    "old_string 含 U+FFFF 以外字符的一半（孤立代理）：请给出整个字符",
  "old_string is empty: give the text to replace, or use {tool} for a whole {kind}":
    "old_string 为空：请给出要替换的文本，或用 {tool} 写整个 {kind}",
  "old_string and new_string are the same: there is nothing to change": "old_string 与 new_string 相同：没有可改的",
  "old_string matches half of a character beyond U+FFFF: match the whole character":
    "old_string 匹配了 U+FFFF 以外字符的一半：请匹配整个字符",
  "old_string matches so many places that comparing them takes too long: give one that matches fewer":
    "old_string 匹配的地方太多，比较太久：请给出匹配更少的",
  "old_string matches more than {most} places": "old_string 匹配超过 {most} 处",
  "old_string matches {n} places (lines {lines}): add lines around it until it is unique, or set replace_all":
    "old_string 匹配 {n} 处（行 {lines}）：请加上前后的行直到唯一，或设置 replace_all",
  "old_string matches {n} places (lines {lines}): add lines around it until it is unique":
    "old_string 匹配 {n} 处（行 {lines}）：请加上前后的行直到唯一",
  "the pattern does not match anywhere": "该模式没有匹配任何地方",
  "old_string is not in the file": "文件中没有 old_string",
  "old_string is not in the artifact": "产物中没有 old_string",
  "old_string is not in the file. {why}": "文件中没有 old_string。{why}",
  "old_string is not in the artifact. {why}": "产物中没有 old_string。{why}",
  "It begins with line numbers, which read_file adds: leave them out": "它以 read_file 加的行号开头：请去掉",
  "It begins with line numbers, which read_file adds: leave them out. {why}":
    "它以 read_file 加的行号开头：请去掉。{why}",
  'But for white space it is at line {lines}: copy it exactly, or use mode "flexible"':
    '除空白外它在第 {lines} 行：请原样复制，或用 "flexible" 模式',
  'But for white space it is at line {lines}: copy it exactly, or use mode "flexible". {why}':
    '除空白外它在第 {lines} 行：请原样复制，或用 "flexible" 模式。{why}',
  "The nearest lines are": "最接近的行是",
  "the edit was cancelled": "编辑已取消",
  'the pattern ran for {ms} ms without an end: make it simpler, or use mode "exact"':
    '该模式运行 {ms} ms 还没有结束：请简化它，或用 "exact" 模式',
  "the pattern's matches do not fit in memory": "该模式的匹配放不进内存",
  "reading was cancelled": "读取已取消",
  "this session has no output of a call {call}; a file of that name is ./{path}":
    "本会话没有调用 {call} 的输出；若是同名文件，写 ./{path}",
  "{path} has {lines}: offset={offset} is past its end": "{path} 有 {lines}：offset={offset} 超出末尾",
  "of {path} at most {most} {unit} are read at once: set limit": "{path} 一次最多读 {most} {unit}：请设置 limit",
  "{path} is no picture: it is cut off, or of another kind": "{path} 不是图片：它被截断，或是别的类型",
  "{path} has {sides} pixels; at most {most} are decoded": "{path} 有 {sides} 像素；最多解码 {most}",
  "{path} cannot be decoded: its data is broken, or needs too much memory": "{path} 无法解码：数据损坏，或需要太多内存",
  "{path} cannot be decoded: {why}": "{path} 无法解码：{why}",
  "the PDF cannot be read: {why}": "无法读取该 PDF：{why}",
  "the PDF needs too much memory": "该 PDF 需要太多内存",
  "the PDF needs a password": "该 PDF 需要密码",
  "it cannot be read": "无法读取",
  "it may not be read without asking": "未经询问不得读取",
  "a message has at most {most} pictures, and these are {given}": "一条消息最多 {most} 张图片，这里有 {given} 张",
  "it takes more than {most} MiB": "它要用超过 {most} MiB",
  "it was not read within {seconds} s": "{seconds} s 内没有读完",
  "it ended without an answer": "它没有应答就结束了",
  "there is no folder {path}: it is a file, not a folder; read_file reads it":
    "没有文件夹 {path}：它是文件；用 read_file 读取",
  "there is no folder {path}: it is not a folder": "没有文件夹 {path}：它不是文件夹",
  "pattern is empty; **/* matches every file": "pattern 为空；**/* 匹配所有文件",
  "pattern holds a NUL character": "pattern 含 NUL 字符",
  "pattern is longer than {most} characters": "pattern 超过 {most} 个字符",
  "pattern begins with !, which would match nothing; say what to find instead":
    "pattern 以 ! 开头，什么都匹配不到；请说要找什么",
  "repeated groups such as +(a|b) are not supported; use {a,b} or *": "不支持 +(a|b) 这样的重复组；请用 {a,b} 或 *",
  "groups that leave out, such as !(a|b), are not supported; say what to find instead":
    "不支持 !(a|b) 这样的排除组；请说要找什么",
  "pattern has more than {most} wildcards": "pattern 的通配符超过 {most} 个",
  "the braces of pattern stand for too many patterns": "pattern 的花括号代表太多模式",
  "pattern may not hold .. ; give path the folder to search in": "pattern 不得含 .. ；请用 path 给出搜索的文件夹",
  "{pattern} is a folder; add **/* to find the files in it": "{pattern} 是文件夹；加 **/* 可找到其中的文件",
  "pattern is empty, and would match every line": "pattern 为空，会匹配每一行",
  "a NUL character cannot be searched for": "无法搜索 NUL 字符",
  'include is empty; leave it out or give a glob such as "*.ts"': 'include 为空；请去掉它，或给出如 "*.ts" 的 glob',
  "include is longer than 1000 characters": "include 超过 1000 个字符",
  "the braces of include stand for too many patterns": "include 的花括号代表太多模式",
  "{path} is neither a folder nor a regular file": "{path} 既不是文件夹也不是普通文件",
  "the search took longer than {seconds} s and was stopped; {why}": "搜索超过 {seconds} s，已停止；{why}",
  "narrow path or include, or simplify the pattern": "请缩小 path 或 include，或简化模式",
  "include: error parsing glob {error}": "include 无效，ripgrep 说：error parsing glob {error}",
  "the pattern is not a valid regular expression: {error}": "该模式不是有效的正则表达式：{error}",
  "ripgrep, by which files are searched, could not be looked up now: try again":
    "现在查不到用来搜索文件的 ripgrep：请再试",
  "ripgrep, by which files are searched, cannot be run here: {program}":
    "用来搜索文件的 ripgrep 在这里无法运行：{program}",
  "ripgrep, by which files are searched, is not installed here": "用来搜索文件的 ripgrep 没有安装",
  "install again, with optional dependencies: npm ci": "请连同可选依赖重新安装：npm ci",
  "{n} files may not be read unasked, too many to search the rest around them: narrow path":
    "有 {n} 个文件未经询问不得读取，太多而无法绕开它们搜索：请缩小 path",
  "the search needed more than {size} of memory and was stopped: narrow path or include, or simplify the pattern":
    "搜索需要超过 {size} 内存，已停止：请缩小 path 或 include，或简化模式",
  "the search did not come to its end: what was searched changed meanwhile or could not be read: search again":
    "搜索未能完成：所搜索的内容刚被改动或无法读取：请再搜索一次",
  "the search failed (exit {code}): {said}": "搜索失败（退出码 {code}）：{said}",
  "ignore holds more than {most} characters": "ignore 超过 {most} 个字符",
  "it is a link that leads nowhere": "它是不通向任何地方的链接",
  "it leads out of its folder": "它通向所在文件夹之外",
  "there is no room left for it": "已没有容纳它的余地",
  "it is not a text": "它不是文本",
  "it is a folder, not a file": "它是文件夹，不是文件",
  "it belongs to another user": "它属于另一用户",
  "it lies outside of the project": "它在项目之外",
  "there is no text": "没有文本",
  "it is not what you trusted: agent trust shows it": "它不是你信任过的内容：agent trust 可显示",
  "the folder belongs to another user": "文件夹属于另一用户",
  "at most {most} are read": "最多读取 {most} 个",
};
