import type { Table } from "../../again.ts";

/** Makes the sentences on letters that look like others: one to three words, each with why, and how many more there are. */
function lookAlikes(place: string, said: string): Table {
  const [english, chinese] = [`letters that look like others in ${place}: `, `${said}中有与别的相像的字母：`];
  const words = ["why", "what", "wrong"].map((why, at) => ({ one: `“{word${at + 1}}”`, why: `{${why}}` }));
  const rows = words.map((_, last) => {
    const shown = words.slice(0, last + 1);
    return [
      english + shown.map(({ one, why }) => `${one} (${why})`).join(", "),
      chinese + shown.map(({ one, why }) => `${one}（${why}）`).join("、"),
    ] as const;
  });
  const [, , all = ["", ""]] = rows;
  return Object.fromEntries([...rows, [`${all[0]}, {n} more`, `${all[1]}，另 {n} 个`]]);
}

/** Of the tools but those of files, of servers and the shell: what a card says of a call that failed. */
export const ofTools: Table = {
  "unknown argument {name} (known: {names})": "没有参数 {name}（有：{names}）",
  "unknown argument {name} (known: {names}); did you mean {near}?":
    "没有参数 {name}（有：{names}）；是不是想用 {near}？",
  "unknown argument {name} in {place} (known: {names})": "{place} 中没有参数 {name}（有：{names}）",
  "unknown argument {name} in {place} (known: {names}); did you mean {near}?":
    "{place} 中没有参数 {name}（有：{names}）；是不是想用 {near}？",
  "unknown argument {name} (there are no arguments)": "没有参数 {name}（它不接受参数）",
  "{name} is missing: {what} is wanted": "缺少 {name}：应为{what}",
  "{name} must be {what}, but {given} was given": "{name} 应为{what}，却给了 {given}",
  "{name}: unknown keys {keys}": "{name}：没有键 {keys}",
  "did you mean {near}?": "是不是想用 {near}？",
  "a string": "字符串",
  "a number": "数",
  "a whole number": "整数",
  "true or false": "true 或 false",
  "an array": "数组",
  "an object": "对象",
  "at least {n} characters long": "至少 {n} 个字符",
  "at most {n} characters long": "最多 {n} 个字符",
  "at least {n} items long": "至少 {n} 项",
  "at most {n} items long": "最多 {n} 项",
  "at least {n}": "至少 {n}",
  "at most {n}": "最多 {n}",
  "the arguments are {why}": "参数{why}",
  "the arguments must be one JSON object, but {given} was given": "参数应为一个 JSON 对象，却给了 {given}",
  "{path} is not valid JSON: {error}": "{path} 不是有效的 JSON：{error}",
  "{path} is empty": "{path} 为空",
  "not valid JSON: {error}": "不是有效的 JSON：{error}",
  "its validate gave {said}, which is no sentence; nothing was done":
    "它的 validate 返回 {said}，那不是句子；什么都没有做",
  "what fills in its hidden parameter {name} does not fit what it takes": "填入隐藏参数 {name} 的内容不符合要求",
  "nothing fills in its hidden parameter {name}: {how}": "没有内容填入隐藏参数 {name}：{how}",
  "the JSON Schema of its arguments cannot be used: {why}": "它的参数的 JSON Schema 无法使用：{why}",
  "{tool} was stopped before it ran; nothing was done": "{tool} 在运行前被停止；什么都没有做",
  "{tool} was not ready to run within {limit}; nothing was done": "{tool} 在 {limit} 内没有准备好；什么都没有做",
  "{tool} was cancelled": "{tool} 已取消",
  "{tool} was cancelled before it began": "{tool} 在开始前已取消",
  "{tool} did not end within {ms} ms and was stopped": "{tool} 在 {ms} ms 内没有结束，已停止",
  "{why}, but did not stop": "{why}，但没有停下",
  "the tool failed and did not say why": "该工具失败，没有说明原因",
  "the tool failed: {error}": "该工具失败：{error}",
  "it was stopped before it began": "它在开始前被停止",
  "the {name} is empty": "{name} 为空",
  "the {name} must be one line without control characters": "{name} 应为不含控制字符的一行",
  "the {name} holds half of a surrogate pair, which is no character": "{name} 含半个代理对，那不是字符",
  "the {name} holds characters that nobody can see": "{name} 含看不见的字符",
  "the {name} is longer than {most} characters: say it shorter": "{name} 超过 {most} 个字符：请说得短些",
  "there is no tool {name}": "没有工具 {name}",
  "there is no tool {name} any more": "已没有工具 {name}",
  "there is no tool {name}; did you mean {near}? the tools are {names}":
    "没有工具 {name}；是不是想用 {near}？工具有 {names}",
  "there is no tool {name}; did you mean {near}?": "没有工具 {name}；是不是想用 {near}？",
  "there is no tool {name}; the tools are {names}": "没有工具 {name}；工具有 {names}",
  "there is no tool {name}; there are no tools": "没有工具 {name}；没有任何工具",
  "{name} is not available to {agent}": "{agent} 不能用 {name}",
  "{name} is not available to {agent}; the tools are {names}": "{agent} 不能用 {name}；工具有 {names}",
  "{name} was not described yet: call {search} with its name, and then it":
    "{name} 还没有说明：请先用它的名称调用 {search}，再调用它",
  "{name} is there in the mode plan alone, and the mode is another one: go on without it":
    "{name} 只在 plan 模式下有，而现在是别的模式：不用它继续",
  "no tool is to be called in this run (tool choice none)": "本次运行不调用工具（tool choice none）",
  "the file changed since you were asked": "询问你之后该文件变了",
  "the settings of its tool changed since you were asked": "询问你之后其工具的设置变了",
  "{path} changed while you were deciding": "你决定时 {path} 变了",
  "{files} of {tool} may not be edited": "{tool} 的 {files} 不能编辑",
  "nothing would be changed, for {why}. After a yes the model reads this, which tells of the file.":
    "不会改动任何内容，因为{why}。同意之后模型会读到这句话，它说出了该文件的情况。",
  "it works on the page {page}": "它作用于页面 {page}",
  "the open page is not known: {why}": "不知道打开的是哪个页面：{why}",
  "there is no secret {name}: none is set; the person sets one by agent secrets set {same}":
    "没有机密 {name}：一个也没有设置；人用 agent secrets set {same} 设置",
  "there is no secret {name}: {there}; the person sets one by agent secrets set {same}":
    "没有机密 {name}：{there}；人用 agent secrets set {same} 设置",
  "the secret {name} goes to {hosts} alone: no command gets it, which could take it anywhere":
    "机密 {name} 只发往 {hosts}：命令得不到它，命令会把它带到任何地方",
  "the secret {name} goes to {hosts} alone, and it is not known to which host this call speaks":
    "机密 {name} 只发往 {hosts}，而不知道此调用访问哪台主机",
  "the secret {name} goes to {hosts} alone, and this call speaks to {other}":
    "机密 {name} 只发往 {hosts}，而此调用访问 {other}",
  "it gets your secret {name}, as {variable}, and can take it wherever it reaches":
    "它得到你的机密 {name}（{variable}），能把它带到所及的任何地方",
  "your secret {name} goes along (in {place})": "你的机密 {name} 会一起发出（在 {place}）",
  "your secret {name} goes to {hosts} (in {place})": "你的机密 {name} 会发往 {hosts}（在 {place}）",
  "this call was not given the secret {name}": "没有把机密 {name} 交给此调用",
  "{name} in {argument} was taken as a word; a secret is put in for {tag}":
    "{argument} 中的 {name} 当作文字；机密要写成 {tag}",
  "{tag} in {argument} was taken as it is written: no secret is put in there":
    "{argument} 中的 {tag} 按原样处理：那里不填入机密",
  "the secret {name} cannot be used: {why}": "无法使用机密 {name}：{why}",
  "the secret {name} is no key of a second factor": "机密 {name} 不是第二因素的密钥",
  "there is none of that name": "没有这个名称的",
  "it could not be read": "无法读取",
  ...lookAlikes("a path", "路径"),
  ...lookAlikes("a host", "主机名"),
  ...lookAlikes("the command", "命令"),
  ...lookAlikes("{place}", "{place} "),
  "{letter} is U+{code}": "{letter} 是 U+{code}",
  "it is punycode for other letters": "它是别的字母的 punycode",
  "your hook wants you to be asked": "你的钩子要求询问你",
  "your hook wants you to be asked: {own}": "你的钩子要求询问你：{own}",
  "your hook ({hook}) says no: {own}": "你的钩子（{hook}）拒绝：{own}",
  "your hook ({hook}): {what}": "你的钩子（{hook}）：{what}",
  "your hook ({hook}) of {call}: {what}": "你的钩子（{hook}）对 {call}：{what}",
  "it changed the arguments": "它改了参数",
  "it wants you to be asked": "它要求询问你",
  "it wants you to be asked: {own}": "它要求询问你：{own}",
  "it says no": "它拒绝",
  "it says no: {own}": "它拒绝：{own}",
  "it has something to say": "它有话要说",
  "it has something to say: {own}": "它有话要说：{own}",
  "it tells the model": "它告诉模型",
  "it tells the model: {own}": "它告诉模型：{own}",
  "it has the model go on": "它让模型继续",
  "it has the model go on: {own}": "它让模型继续：{own}",
  "its end was not seen, and it is not run again": "没有看到它的结束，不再运行它",
  "{file} was changed by {other} since this was planned: nothing was written. Read it, and plan it anew.":
    "计划此改动之后 {other} 改了 {file}：什么都没有写。请读取它，再重新计划。",
  "it was started {n} times, and each time its process ended before it did: it is not started again. Ask for less.":
    "它启动过 {n} 次，每次它的进程都先结束：不再启动。请少要一些。",
  "while it ran {files} changed, which nothing may change without being asked about":
    "它运行时 {files} 变了，未经询问什么都不得修改这里",
  "while it ran {files} changed, which nothing may change without being asked about; and it failed: {why}":
    "它运行时 {files} 变了，未经询问什么都不得修改这里；并且它失败了：{why}",
  "while a background job ran, {files} changed, which nothing may change without being asked about: by the job, or by something else beside it. Look at it before you go on.":
    "后台任务运行时 {files} 变了，未经询问什么都不得修改这里：由该任务或同时的其他内容造成。请查看后再继续。",
  "{n} times a tool was called that is not there, and no file was changed in between; the model is told, and after {left} more the turn ends":
    "调用没有的工具 {n} 次，其间没有改动文件；已告诉模型，再有 {left} 次本回合就结束",
  "{tool} has failed {n} times with {code}, and no file was changed in between; the model is told, and after {left} more the turn ends":
    "{tool} 以 {code} 失败 {n} 次，其间没有改动文件；已告诉模型，再有 {left} 次本回合就结束",
  "the model gave no summary": "模型没有给出摘要",
  "a summary would take no less room than the talk does": "摘要占的空间不会比对话少",
  "its answer has no end": "它的回答没有结束",
  "there are {n} goals, and more are not kept: work on those": "已有 {n} 个目标，不再保存更多：请先做这些",
  "{parent} is {n} goals deep, and none is deeper: add it higher up": "{parent} 已有 {n} 层，不能更深：请加在更上层",
  "{id} is {state}: start it again before it gets parts": "{id} 是 {state}：先重新开始它，再加分支",
  "{id} is active already": "{id} 已在进行",
  "{id} is part of {of}, which is {state}: start that one first": "{id} 属于 {of}，而后者是 {state}：请先开始后者",
  "no goal is active: say which one by its id; {why}": "没有进行中的目标：请用 id 指明；{why}",
  "{id} has open parts: {ids}; end or drop them first": "{id} 有未完成的分支：{ids}；请先完成或放弃它们",
  "there is no goal {id}; {why}": "没有目标 {id}；{why}",
  "there are none yet: add one": "还没有：请添加一个",
  "the goals are {all}": "目标有 {all}",
  "the goals are {all}, open of them {open}": "目标有 {all}，其中未完成 {open}",
  "goals are kept with a session, and there is none here": "目标随会话保存，而这里没有会话",
  "{action} takes no {name}: it takes {names}": "{action} 不接受 {name}：它接受 {names}",
  "helpers have worked for {id}: done needs a summary of what came of it":
    "子代理为 {id} 工作过：done 要有结果的 summary",
  "a plan is worked once you have approved it": "计划在你批准之后才执行",
  "the plan is empty: say what you would do": "计划为空：请说明会做什么",
  "the plan has {n} characters, and {most} are the most: say it shorter": "计划有 {n} 个字符，最多 {most}：请说得短些",
  "there are {n} goals, and {most} are the most of one plan": "有 {n} 个目标，一份计划最多 {most} 个",
  "there are {n} goals already, and {most} are the most: leave some out": "已有 {n} 个目标，最多 {most} 个：请去掉一些",
  "there are {n} artifacts, and more are not kept: rewrite one of them":
    "已有 {n} 个产物，不再保存更多：请改写其中一个",
  "{id} has {n} versions, and more are not kept: go on in a new one, by create_artifact":
    "{id} 已有 {n} 个版本，不再保存更多：请用 create_artifact 在新的产物中继续",
  "all versions of this session's artifacts have {n} bytes, and {most} are the most: write a file, or change less of the text":
    "本会话产物的所有版本有 {n} 字节，最多 {most}：请写成文件，或少改一些",
  "the {name} holds NUL, which is no text: leave it out": "{name} 含 NUL，那不是文本：请去掉",
  "the {name} has {n} bytes, and {most} are the most of one artifact: make several, or write a file":
    "{name} 有 {n} 字节，一个产物最多 {most}：请分成几个，或写成文件",
  "{id} has this very text already: it stays as it is": "{id} 已是这份文本：保持原样",
  "artifacts are kept with a session, and there is none here: write a file":
    "产物随会话保存，而这里没有会话：请写成文件",
  "no session {id} works for this one, or with it; {why}": "没有会话 {id} 为本会话工作或与它一起工作；{why}",
  "there is no artifact {id}; {why}": "没有产物 {id}；{why}",
  "there are none yet: create one": "还没有：请创建一个",
  "{id} is another session's, which alone changes it: read it, then create one of your own":
    "{id} 属于另一会话，只有它能修改：请读取它，再创建自己的",
  "the person has taken {id} back: create another one if they want it again": "人已撤销 {id}：如果又想要，请另建一个",
  "{id} has no version {version}: it has {all}": "{id} 没有版本 {version}：它有 {all}",
  "the record of {id} version {version} does not have the bytes that it names":
    "{id} 版本 {version} 的记录没有它所写的内容",
  "nothing can be remembered here: no memory file is configured": "这里无法记忆：没有设置记忆文件",
  "there is no memory file here: nothing was saved": "这里没有记忆文件：什么都没有保存",
  "the memory file kept changing: nothing was saved, try again": "记忆文件一直在变：什么都没有保存，请再试",
  "the fact must not be a heading: leave out the # before it": "该事实不能是标题：请去掉前面的 #",
  "it would be told to the model in every project": "每个项目中都会告诉模型",
  "{n} facts were saved in this turn: no more are": "本回合已保存 {n} 条：不再保存更多",
  "there are {n} memories: the person must remove some first": "已有 {n} 条记忆：人要先删除一些",
  "no tool has anything of {query}: try other words": "没有工具与 {query} 有关：请换别的词",
  "file goes with the name of a skill": "file 要与技能的 name 一起给出",
  "there is no skill {name}; call it without a name: all are listed": "没有技能 {name}；不带 name 调用会列出全部",
  "there is no skill {name}; did you mean {near}?": "没有技能 {name}；是不是想用 {near}？",
  "the skill {name} has no file {file}": "技能 {name} 没有文件 {file}",
  "{file} does not lie in the folder of the skill {name}: a skill gives no right to what lies elsewhere":
    "{file} 不在技能 {name} 的文件夹中：技能不给予别处内容的权限",
  "{file} is not shown: {why}": "不显示 {file}：{why}",
  "it is a key": "它是密钥",
  "{file} of the skill {name} is not what the person trusted: it is not read":
    "技能 {name} 的 {file} 与人信任时不同：不读取",
  "{file} is not a text": "{file} 不是文本",
  "continue_from goes with one task, not with a list": "continue_from 只用于一个任务，不用于列表",
  "messages are texts for all of them, or a list of texts for each: not both":
    "messages 是给所有人的文本，或每人一个文本列表：不能两者都有",
  "messages has {lists} lists for {tasks} tasks: one for each":
    "messages 有 {lists} 个列表，任务有 {tasks} 个：要一一对应",
  "task has {n} tasks: {most} in a call at most": "task 有 {n} 个任务：一次调用最多 {most} 个",
  "each task says what is to be done": "每个任务都要说明做什么",
  "there is no agent {name}; did you mean {near}? {there}": "没有子代理 {name}；是不是想用 {near}？{there}",
  "there is no agent {name}; did you mean {near}?": "没有子代理 {name}；是不是想用 {near}？",
  "there is no agent {name}; none are set up here: leave it out": "没有子代理 {name}；这里没有设置任何子代理：请不写它",
  "helpers cannot work here: do it yourself": "子代理不能在这里工作：请自己做",
  "helpers cannot work here": "子代理不能在这里工作",
  "no helper came to its end: {what}": "没有子代理做完：{what}",
  "a text has {n} characters, of at most {most}: write it into a file and name that":
    "有文本长 {n} 个字符，最多 {most}：请写入文件，再给出文件名",
  "the evaluator came to no end: {status}": "评判者没有做完：{status}",
  "stopped by the person": "被人停止",
  "{agent}: not begun, for {why}": "{agent}：没有开始，因为{why}",
  "the turn has taken as many steps as it may, with all its helpers": "连同所有子代理，本回合的步数已用完",
  "the turn has cost as much as it may, with all its helpers": "连同所有子代理，本回合的花费已到上限",
  "there is no agent of that name any more": "已没有叫这个名字的子代理",
  "the result is empty: say what the person is to get": "result 为空：请说明要给人什么",
  "an answer in JSON is asked for: call {tool} with it, or {other} with failure":
    "要求的是 JSON 回答：请用它调用 {tool}，或以失败调用 {other}",
  "start goes on in a page that was read: what was sent is not sent again for that":
    "start 用于继续读过的页面：不会为此再次发送",
  "what is asked for is {url}": "所请求的是 {url}",
  "the host is written in other letters than it may seem: {host}": "主机名用的字母与看上去的不同：{host}",
  "it goes through your proxy {proxy}, which finds the address: the host is judged by its name":
    "它经过你的代理 {proxy}，由代理查地址：主机按名称判断",
  "it goes unencrypted: whoever is on the way can read it": "它不加密：途中的任何人都能读到",
  "secrets would go unencrypted: whoever is on the way can read them": "机密会不加密地发出：途中的任何人都能读到",
  "secrets would go to port {port}, where somebody else may answer than at the host's own 443":
    "机密会发往端口 {port}，在那里应答的可能不是该主机 443 端口的一方",
  "{what} was sent to {host}, and what came of it is not known: {why}": "已把 {what} 发往 {host}，结果不明：{why}",
  "the page has {n} characters: start={start} is past its end": "该页面有 {n} 个字符：start={start} 超出末尾",
  "more than {most} redirects, the last to {url}": "重定向超过 {most} 次，最后到 {url}",
  "it redirects to what cannot be fetched: {why}": "它重定向到无法获取之处：{why}",
  "{method} may have been sent to {host}, and no whole answer came: {why}":
    "{method} 可能已发往 {host}，而没有收到完整的应答：{why}",
  "{why}, which nobody has allowed": "{why}，没有人允许过它",
  "{why}: nothing was sent": "{why}：什么都没有发送",
  "{host} has no address": "{host} 没有地址",
  "{url} is larger than {size} MB": "{url} 大于 {size} MB",
  "{url} did not come whole within {seconds} s: {bytes} bytes of it came":
    "{url} 在 {seconds} s 内没有收完：收到 {bytes} 字节",
  "{url} did not come within {seconds} s": "{url} 在 {seconds} s 内没有应答",
  "{host} cannot be read: {why}": "无法读取 {host}：{why}",
  "no connection came about within {seconds} s": "{seconds} s 内没有连上",
  "what came is no text{kind}: {bytes} bytes": "收到的不是文本{kind}：{bytes} 字节",
  "what came is no text: {bytes} bytes": "收到的不是文本：{bytes} 字节",
  "a {method} has no body": "{method} 没有 body",
  "the body is longer than {most} bytes": "body 超过 {most} 字节",
  "there are more than {most} headers": "headers 超过 {most} 个",
  "the header {name} stands there twice": "header {name} 出现了两次",
  "{name} is no name of a header": "{name} 不是 header 的名称",
  "the header {name} cannot be set": "不能设置 header {name}",
  "the header {name} has line ends or other signs in it that no header has, or is longer than {most} bytes":
    "header {name} 含换行或其他不允许的字符，或超过 {most} 字节",
  "the page cannot be read: {why}": "无法读取该页面：{why}",
  "the URL is longer than {most} bytes": "URL 超过 {most} 字节",
  "the URL has blanks, control characters or a backslash in it: encode them": "URL 含空白、控制字符或反斜杠：请编码",
  "it is not a whole URL: begin with https://": "它不是完整的 URL：请以 https:// 开头",
  "only http and https are fetched, not {scheme}": "只获取 http 和 https，不获取 {scheme}",
  "the URL has credentials in it: none are sent": "URL 含凭证：不会发送",
  "the URL is longer than {most} bytes once it is encoded": "URL 编码后超过 {most} 字节",
  'not offered: set "search": {"provider": "searxng" | "brave" | "tavily" | "bocha"} in config.json':
    '未启用：在 config.json 中设置 "search": {"provider": "searxng" | "brave" | "tavily" | "bocha"}',
  'not offered: set "url" in "search" to where your {provider} answers':
    '未启用：把 "search" 的 "url" 设为你的 {provider} 的地址',
  "not offered: {provider} needs its key in {key}": "未启用：{provider} 需要 {key} 中的密钥",
  "{provider} sent no list of results: {said}": "{provider} 没有返回结果列表：{said}",
  "{provider} sent an answer that is {why}": "{provider} 的应答{why}",
  "{provider} sent no JSON: {said}": "{provider} 没有返回 JSON：{said}",
  "{provider} cannot be reached: {error}": "连不上 {provider}：{error}",
  "{provider} sent more than {size} MB": "{provider} 返回的超过 {size} MB",
  "nested deeper than {most} levels": "嵌套超过 {most} 层",
  "it was not run: {why}": "没有运行：{why}",
  "it gave no reason": "它没有给出理由",
  "it ended with {code}": "它以 {code} 结束",
  "it ended with {code}: {said}": "它以 {code} 结束：{said}",
  "its answer on stdout is no JSON that can be read": "它在 stdout 的应答不是可读的 JSON",
  "it took longer than {seconds} s, and was ended": "它用时超过 {seconds} s，已被结束",
  "it was stopped before it had answered": "它在应答之前被停止",
  "it was ended by {signal}": "它被 {signal} 结束",
  "it could not be run: {why}": "无法运行它：{why}",
  "exit code {code}": "退出码 {code}",
  "its permissionDecision is none that is known": "它的 permissionDecision 不是已知的值",
  "its updatedInput is no object": "它的 updatedInput 不是对象",
  "it was stopped before it had begun": "它在开始前被停止",
  "it has no `export default`: export a tool, a list of tools, a class or a factory":
    "它没有 `export default`：请导出一个工具、工具列表、类或工厂函数",
  "it exports {kind}, which is no tool": "它导出 {kind}，那不是工具",
  "{tool} has no name": "{tool} 没有 name",
  "{tool} has no execute": "{tool} 没有 execute",
  "{tool} has no args: give a zod object, { jsonSchema } or a function of the context":
    "{tool} 没有 args：请给出 zod 对象、{ jsonSchema } 或以上下文为参数的函数",
  "{file} is no file of tools": "{file} 不是工具文件",
  "there is no {path} among the trusted files": "受信任的文件中没有 {path}",
  "{path} leads out of the folder of its tool": "{path} 通向其工具的文件夹之外",
  "{path} lies in the workspace, where the agent writes: keep what your own tools import elsewhere":
    "{path} 在工作区中，agent 会写那里：你自己的工具所导入的内容请放在别处",
  'it imports {module}: write "node:{name}"': '它导入 {module}：请写 "node:{name}"',
  'it imports {module}: a tool file may import "holdfast", node: modules, and files below its folder by ./ or ../':
    '它导入 {module}：工具文件可以导入 "holdfast"、node: 模块，以及用 ./ 或 ../ 导入其文件夹下的文件',
  "it imports {module}, which is not below {folder}": "它导入 {module}，那不在 {folder} 之下",
  "{file} was not loaded": "没有加载 {file}",
  "the call was stopped": "该调用已停止",
  "the process of the tool ended: {why}": "该工具的进程结束了：{why}",
  "the tool's plan is wrong: {why}": "该工具的计划有误：{why}",
  "the process of your own tools ended while {tool} ran: {why}": "你自己的工具的进程在 {tool} 运行时结束了：{why}",
  "two tools are named {name}: one of {file} and one of {other}": "有两个工具叫 {name}：一个在 {file}，一个在 {other}",
  "no tool but the agent's own may have this name": "只有 agent 自己的工具可以叫这个名称",
  "the agent itself has a tool of this name": "agent 自己有叫这个名称的工具",
  "{file} has a tool of this name": "{file} 有叫这个名称的工具",
  "its effect must be none, once or child: only the agent's own tools write files and stores":
    "它的 effect 应为 none、once 或 child：只有 agent 自己的工具写文件和存储",
  "its risk must be low, medium or high": "它的 risk 应为 low、medium 或 high",
  "{file} is not run: {why}": "不运行 {file}：{why}",
  "{file} could not be loaded again: {why}": "无法重新加载 {file}：{why}",
  "it is no tool": "它不是工具",
  "the process ended while it was loaded: {why}": "加载它时进程结束了：{why}",
  "its tool ended it": "它的工具结束了它",
  "only a call of a tool of effect child has children": "只有 effect 为 child 的工具的调用有子会话",
  "the session of this tool is closed": "此工具的会话已关闭",
  "nothing was done: the process of the tools ended before: {why}": "什么都没有做：工具的进程先前已结束：{why}",
  "it ended by itself ({how})": "它自己结束了（{how}）",
  "it did not answer within {seconds} s": "它在 {seconds} s 内没有应答",
  "it was stopped": "它已被停止",
  "{why}, and went on": "{why}，并且没有停下",
  "it is TypeScript, which Node {version} does not run: use Node 22.18 or later, or write it as .mjs":
    "它是 TypeScript，Node {version} 不能运行：请用 Node 22.18 或更新的版本，或写成 .mjs",
  "toolSettings.{name} has no effect: {why}": "toolSettings.{name} 没有效果：{why}",
  "toolSettings.{name} of the project has no effect: {why}": "项目的 toolSettings.{name} 没有效果：{why}",
  "no tool of this session has this name": "本会话没有叫这个名称的工具",
  "the agent's own tool of this name has no settings": "agent 自己的这个工具没有设置",
  "the tool of this name is yours, and has the settings of your own config.json alone":
    "这个工具是你的，只用你自己的 config.json 的设置",
  "the tool of this name is the project's, and has the settings of the project alone":
    "这个工具是项目的，只用项目的设置",
};
