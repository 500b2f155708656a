import type { Table } from "../../again.ts";

/** Of what servers ask the person or the model in a call, what they give, and of browsers. */
export const ofAsking: Table = {
  "({server} asked the person something: {what})": "（{server} 问了人一件事：{what}）",
  "({server} asked the model something: {what})": "（{server} 问了模型一件事：{what}）",
  "it was not put to the person": "没有转给人",
  "the person is asked only while one call of a tool is under way": "只有一次工具调用进行时才会问人",
  "this client asks the person by forms alone": "此客户端只用表单问人",
  "it had asked {most} times in this call": "它在本次调用中已问了 {most} 次",
  "nobody is there to answer": "没有人能回答",
  "nobody is there to read it": "没有人能读它",
  "the call is over": "该调用已结束",
  "it waited for none any more": "它已不再等待",
  "a value of your secrets is in it: it is not sent": "其中有你的机密的值：不发送",
  "it got no answer": "它没有得到回答",
  "it was declined without asking them": "没有问人就谢绝了",
  "the person let it go to the model, and nothing was sent": "人同意发给模型，什么都没有发送",
  "the person let it go to the model, and nothing was sent: {why}": "人同意发给模型，什么都没有发送：{why}",
  "the person let it go to the model, which did not answer; what that cost is not known":
    "人同意发给模型，模型没有回答；花费多少不知道",
  "the person let it go to the model, which did not answer: {why}; what that cost is not known":
    "人同意发给模型，模型没有回答：{why}；花费多少不知道",
  "the model answered, and the server did not get it": "模型回答了，服务器没有得到它",
  "the model answered, and the server did not get it: {why}": "模型回答了，服务器没有得到它：{why}",
  "the model answered ({what}), and the server did not get it": "模型回答了（{what}），服务器没有得到它",
  "the model answered ({what}), and the server did not get it: {why}": "模型回答了（{what}），服务器没有得到它：{why}",
  "the model answered, and the person let the server have it": "模型回答了，人同意把它给服务器",
  "the model answered, and the person let the server have it; whether it reached the server is not known":
    "模型回答了，人同意把它给服务器；不知道是否到达服务器",
  "the model answered ({what}), and the person let the server have it": "模型回答了（{what}），人同意把它给服务器",
  "the model answered ({what}), and the person let the server have it; whether it reached the server is not known":
    "模型回答了（{what}），人同意把它给服务器；不知道是否到达服务器",
  "how many tokens it took is not known": "用了多少 token 不知道",
  "{in} tokens in, {out} out": "读 {in} token，写 {out}",
  "{in} tokens in, {out} out, cost {cost}": "读 {in} token，写 {out}，花费 {cost}",
  "it has more than {most} texts, and not all were looked at for files that are closed: a person decides each time":
    "它的文本超过 {most} 段，没有全部查看其中有无封闭的文件：每次都由人决定",
  "it has an address of a file (file:) that can be read in several ways, and may name one that is closed: a person decides each time":
    "它有可作多种读法的文件地址（file:），可能指封闭的文件：每次都由人决定",
  "they said yes": "人同意了",
  "they said yes; whether it reached the server is not known": "人同意了；不知道是否到达服务器",
  "they gave no answer": "人没有回答",
  "it had no answer when the call ended": "调用结束时它还没有得到回答",
  "the model plays a script": "模型在播放脚本",
  "a value of your secrets stands in it": "其中有你的机密的值",
  "it says nothing": "其中什么都没有说",
  "it was refused without asking them: {why}": "没有问人就拒绝了：{why}",
  "the person said no, and nothing was sent": "人不同意，什么都没有发送",
  "the person gave no answer, and nothing was sent": "人没有回答，什么都没有发送",
  "it is no question": "它不是问题",
  "it says nothing to the person": "它没有对人说什么",
  "its message asks for what looks like a password, a token or a key": "它的消息索要像是密码、token 或密钥的内容",
  "it does not say which fields it wants": "它没有说要哪些字段",
  "it has more than {most} fields": "它的字段超过 {most} 个",
  "it requires a field that it does not have": "它要求一个它没有的字段",
  "its fields are too long to be read": "它的字段太长，无法读取",
  "a value of your secrets stands in its fields": "它的字段中有你的机密的值",
  "a field has no usable name": "有字段没有可用的名称",
  "{name} is described by nothing": "{name} 没有任何说明",
  "{name} asks for what looks like a password, a token, a key or a PIN":
    "{name} 索要像是密码、token、密钥或 PIN 的内容",
  "{name} is a list of anything": "{name} 是任意内容的列表",
  "{name} is none of text, number, yes or no, and a choice": "{name} 不是文本、数、yes/no 或选择",
  "{name} has no choices, or more than {most}": "{name} 没有选项，或超过 {most} 个",
  "{name} has a choice that is no text": "{name} 有不是文本的选项",
  "it asks nothing": "它什么都没有问",
  "it has tools, which this client does not take": "它带有工具，此客户端不接受",
  "it does not say maxTokens": "它没有写 maxTokens",
  "its systemPrompt is no text": "它的 systemPrompt 不是文本",
  "its messages say nothing": "它的消息什么都没有说",
  "it has no messages": "它没有消息",
  "a message of it cannot be read": "它有一条消息无法读取",
  "it has more than {most} messages": "它的消息超过 {most} 条",
  "it has more than {most} characters": "它超过 {most} 个字符",
  "it has more than {most} pictures": "它的图片超过 {most} 张",
  "a picture of the assistant is not taken": "不接受 assistant 的图片",
  "this model is not known to see pictures": "不知道此模型能否看图片",
  "a picture cannot be used: {why}": "有图片无法使用：{why}",
  "it works on the page that is open, and {why}": "它作用于打开的页面，而{why}",
  "more than one is: close the others first (browser_tabs)": "打开了不止一个：请先关闭其他的（browser_tabs）",
  "it is not known which that is: go to one anew (browser_navigate)":
    "不知道是哪个：请重新打开一个（browser_navigate）",
  "a secret is put in for the page's host, and there is a part in this page that belongs to none, or to one that is not known yet":
    "机密是为页面的主机填入的，而此页面有一部分不属于任何主机，或其主机还不知道",
  "a secret is put in for a field's value alone": "机密只填入字段的值",
  "a secret is typed at once: leave slowly out": "机密一次输入：请去掉 slowly",
  "leave filename out: what the browser finds is the answer itself": "请去掉 filename：浏览器找到的就是应答本身",
  "{name} has made no picture: {why}": "{name} 没有生成图片：{why}",
  "what it sent is none": "它发来的不是图片",
  "it took too long": "用时太久",
  "{what}: there is no MCP server at this path": "{what}：此路径没有 MCP 服务器",
  "{what}: it is no MCP server of streamable HTTP (the older kind, sse, is not spoken here)":
    "{what}：它不是 streamable HTTP 的 MCP 服务器（这里不支持旧式的 sse）",
  "{what}, a redirect that leads nowhere": "{what}，是没有去处的重定向",
  "{what}, a redirect to {url}, which is not followed: write that address into its entry, if it is meant":
    "{what}，重定向到 {url}，不跟随：如果确实要去，请把该地址写入条目",
  "it answered {status}": "它返回 {status}",
};

/** Of proxies and the network, of a store's driver, of a workspace that went elsewhere, and of tools of files. */
export const ofRest: Table = {
  "{place} was not reached in time": "没有及时连上 {place}",
  "{place} was not reached": "没有连上 {place}",
  "no answer came": "没有应答",
  "nothing came for {seconds} s": "{seconds} s 没有收到任何内容",
  "the proxy answered {status}": "代理返回 {status}",
  "its connection broke, and it is not sent again": "它的连接断了，不再发送",
  "the store needs {name}, a native module, which is not installed here (Node {version}); install it: {command}":
    "存储需要原生模块 {name}，这里没有安装（Node {version}）；请安装：{command}",
  "the store needs {name}, a native module, which was built for another Node or machine than this (Node {version}); build it: {command}":
    "存储需要原生模块 {name}，而它是为别的 Node 或机器构建的（Node {version}）；请构建：{command}",
  "the store needs {name}, a native module, which was not built here (Node {version}); build it: {command}":
    "存储需要原生模块 {name}，这里没有构建（Node {version}）；请构建：{command}",
  "the workspace is not what it was: {kind} has its name {path}: nothing more is done":
    "工作区已不是原来的：{kind} 用了它的名称 {path}：不再做任何事",
  "the workspace is not what it was: {kind} has its name {path} (the workspace is {now} by now): nothing more is done":
    "工作区已不是原来的：{kind} 用了它的名称 {path}（工作区现在是 {now}）：不再做任何事",
  "put the workspace back under this name and resume the session; resumed as it is, the session goes on in what is there by then":
    "把工作区放回这个名称后恢复会话；就这样恢复，会话会在当时那里的内容中继续",
  "{why} If its folder was added with --add-dir: give that again.":
    "{why}如果它的文件夹是用 --add-dir 添加的：请再次给出。",
  "call {call} has come to its end: it has no children any more": "调用 {call} 已经结束：不再有子会话",
  "{path} holds the value of the secret {name}, which you see as {tag}: the tag would take the value's place. Change what is around it with edit_file":
    "{path} 含机密 {name} 的值，你看到的是 {tag}：标签会取代该值。请用 edit_file 修改它周围的内容",
  "its host leads to another place than was known": "它的主机通向与所知不同之处",
  "part of it was done before its process ended": "它的进程结束之前已做了一部分",
  "what inject gives for {name} is no JSON: {why}": "inject 给 {name} 的不是 JSON：{why}",
  "its {field} must be a list of names": "它的 {field} 应为名称列表",
  "its inject must be an object: a value or a function a name": "它的 inject 应为对象：每个名称一个值或函数",
  "its {field} names {name}, which is none of its parameters": "它的 {field} 写了 {name}，那不是它的参数",
  'set "uid" in config.json, or give it a default': '请在 config.json 中设置 "uid"，或给它默认值',
  "give it an inject or a default": "请给它 inject 或默认值",
  '"{pattern}" is no pattern of pages: write *.github.com, www.google.*, or https://github.com/**/issues':
    '"{pattern}" 不是页面的模式：请写 *.github.com、www.google.* 或 https://github.com/**/issues',
  "{name} is for pages of {patterns} alone, and {why}": "{name} 只用于 {patterns} 的页面，而{why}",
  "{at}: nothing may stand here": "{at}：这里不能有内容",
  "the process of the tools has no channel": "工具的进程没有通道",
  "something that is no message was written to its descriptor 4": "有不是消息的内容写入了它的描述符 4",
  "one message of it was too long": "它的一条消息太长",
  "it closed its descriptor 4": "它关闭了描述符 4",
  "of the workspace only files that this session wrote were there, and could only be read":
    "工作区中只有本会话写的文件，而且只能读取",
  "to run it with the whole workspace, call again with workspace: true; a person is asked":
    "要用整个工作区运行，请以 workspace: true 再次调用；会询问人",
};
