import type { Table } from "../../again.ts";

/** Of models and the client of their servers, and of how a turn ended. What a server itself said stays as it is. */
export const ofModels: Table = {
  "The model server refused the key ({said})": "模型服务器不接受这个密钥（{said}）",
  "Set {key} to a key that {url} accepts for {model}.": "请把 {key} 设为 {url} 对 {model} 所接受的密钥。",
  "The conversation no longer fits the model's context window ({said})": "对话已放不进模型的上下文窗口（{said}）",
  "about {used} tokens, and it reads {window}": "约 {used} token，而它能读 {window}",
  "Say less at once or /compact in a chat, or continue with a model that has a larger window (-m).":
    "请一次少说一些，或在聊天中用 /compact，或换窗口更大的模型继续（-m）。",
  "Say /compact in a chat, start a new session, or continue with a model that has a larger window (-m).":
    "请在聊天中用 /compact，开始新会话，或换窗口更大的模型继续（-m）。",
  "The model server takes no tools for {model} ({said})": "模型服务器对 {model} 不接受工具（{said}）",
  'Use --tool-format xml, or set it in config.json: "models": {"{spec}": {"toolFormat": "xml"}}. Where the server is yours, its tool calling may be off: vLLM --enable-auto-tool-choice --tool-call-parser NAME, llama.cpp --jinja.':
    '请用 --tool-format xml，或在 config.json 中写明："models": {"{spec}": {"toolFormat": "xml"}}。服务器是你自己的时，可能没有开启工具调用：vLLM --enable-auto-tool-choice --tool-call-parser NAME，llama.cpp --jinja。',
  "No model {model} at {url} ({said})": "{url} 没有模型 {model}（{said}）",
  "Check the model's name (-m) and {what}, which usually ends in /v1.":
    "请检查模型名（-m）和 {what}，后者通常以 /v1 结尾。",
  "The account at the model server has no credit left ({said})": "模型服务器上的账户已没有余额（{said}）",
  "Look at the plan and the billing of your account at {url}.": "请查看你在 {url} 的账户的套餐和账单。",
  "Rate limited by the model server ({said})": "模型服务器限制了请求频率（{said}）",
  "The model server is not available ({said})": "模型服务器不可用（{said}）",
  "{setting} in config.json": "config.json 的 {setting}",
  "Wait a little, then go on.": "请稍等再继续。",
  "The model server refused the request ({said})": "模型服务器拒绝了请求（{said}）",
  "The certificate of {url} is not trusted ({said})": "{url} 的证书不受信任（{said}）",
  "Set NODE_EXTRA_CA_CERTS to the file of the authority that signed it.":
    "请把 NODE_EXTRA_CA_CERTS 设为签发它的机构的证书文件。",
  "{url} does not speak TLS ({said})": "{url} 不支持 TLS（{said}）",
  "Check {what}: http:// in place of https://?": "请检查 {what}：是否应为 http:// 而不是 https://？",
  "No connection to the proxy {proxy}, through which {url} is asked ({said})":
    "连不上访问 {url} 所用的代理 {proxy}（{said}）",
  "Check the proxy: HTTPS_PROXY or HTTP_PROXY names it, and NO_PROXY the hosts that are asked without it.":
    "请检查代理：HTTPS_PROXY 或 HTTP_PROXY 指明它，NO_PROXY 列出不经它访问的主机。",
  "No connection to the model server at {url} ({said})": "连不上 {url} 的模型服务器（{said}）",
  "The connection to {url} was lost ({said})": "与 {url} 的连接断了（{said}）",
  "Nothing listens at {url}: is the server running, is {what} right?":
    "{url} 没有程序在监听：服务器在运行吗？{what} 对吗？",
  "Check the network, the proxy and {what}.": "请检查网络、代理和 {what}。",
  "If the server works and only needs longer before it speaks, set {what} to more milliseconds.":
    "如果服务器正常，只是开口前需要更久，请把 {what} 设为更多毫秒。",
  "No call of that reply was run. Say `go on` to ask again.": "那条回复的调用都没有运行。说 `go on` 可再次询问。",
  "The reply was cut off: {why}": "回复被截断：{why}",
  "{limit} is longer than {most}": "{limit} 超过 {most}",
  "more than {most} as {what}": "{what} 超过 {most}",
  "the server said nothing for {seconds} s": "服务器 {seconds} s 没有说话",
  "it took more than {most}": "用时超过 {most}",
  "the model reached its limit of output tokens (finish reason {finish})":
    "模型达到了输出 token 的上限（结束原因 {finish}）",
  "the provider's content filter stopped it (finish reason {finish})":
    "提供方的内容过滤器停止了它（结束原因 {finish}）",
  "not a whole reply (finish reason {finish})": "不是完整的回复（结束原因 {finish}）",
  "the stream ended without a finish reason": "数据流结束时没有给出结束原因",
  "it has a call without a name": "其中有一个没有名称的调用",
  "it announced tool calls and none came": "它说有工具调用，却一个也没来",
  "an event was not JSON ({said})": "有一个事件不是 JSON（{said}）",
  "it answered {type}, not a stream: {said}": "它返回 {type}，不是数据流：{said}",
  "its answer is nested too deeply to be read": "它的应答嵌套太深，无法读取",
  "it answered with a web page": "它返回了一个网页",
  "{url} answers with a redirect ({status})": "{url} 返回重定向（{status}）",
  "Set {what} to the address it leads to; the key is not sent there by itself.":
    "请把 {what} 设为它指向的地址；密钥不会自动发到那里。",
  "The base URL {url} is not an http or https address": "基址 {url} 不是 http 或 https 地址",
  "Set {what} to something like http://127.0.0.1:11434/v1.": "请把 {what} 设为如 http://127.0.0.1:11434/v1。",
  "No key: {key} is not set": "没有密钥：{key} 没有设置",
  "Set {key} to a key of your provider,\nor OPENAI_BASE_URL to a local server, which needs none (Ollama: http://127.0.0.1:11434/v1),\nor look around first without either: agent chat --model demo":
    "请把 {key} 设为你的提供方的密钥，\n或把 OPENAI_BASE_URL 设为本地服务器，那不需要密钥（Ollama：http://127.0.0.1:11434/v1），\n或先什么都不设，随便看看：agent chat --model demo",
  "Set {key} to a key of your provider,\nor look around first without either: agent chat --model demo":
    "请把 {key} 设为你的提供方的密钥，\n或先什么都不设，随便看看：agent chat --model demo",
  "{why}; it asks to be left alone for {wait}": "{why}；它要求等待 {wait}",
  "The session is saved: go on in {wait}, or continue with another model (-m).":
    "会话已保存：{wait} 后再继续，或换别的模型继续（-m）。",
  "the server did not take it: {said}": "服务器没有接受它：{said}",
  "its list is too long to be read": "它的列表太长，无法读取",
  "its list is no JSON": "它的列表不是 JSON",
  "its answer is no list of models": "它的应答不是模型列表",
  'Name it in config.json: "servers": {"{server}": {"baseUrl": "http://…/v1"}}':
    '请在 config.json 中写明："servers": {"{server}": {"baseUrl": "http://…/v1"}}',
  "The script {path} cannot be read: {why}": "无法读取脚本 {path}：{why}",
  "Give an existing file: --model script:FILE": "请给出存在的文件：--model script:FILE",
  "expected a JSON object": "应为 JSON 对象",
  "expected text, calls or error": "应有 text、calls 或 error",
  "a line with an error has neither text nor calls": "有 error 的行没有 text 也没有 calls",
  "arguments belong to the decision edit, and edit needs them": "arguments 属于决定 edit，edit 也需要它",
  "expected a text that is not empty": "应为不空的文本",
  'the first line must be {"v":1,"kind":"holdfast-script"}': '第一行必须是 {"v":1,"kind":"holdfast-script"}',
  'the file is empty; it begins with {"v":1,"kind":"holdfast-script"}':
    '文件为空；它应以 {"v":1,"kind":"holdfast-script"} 开头',
  "a steer needs a prompt before it": "steer 之前要有 prompt",
  "Each line is one JSON object: a request with text, calls or error, a prompt, a steer, a title, a compaction, an undo, a helper's first words, or the person's answers.":
    "每行是一个 JSON 对象：含 text、calls 或 error 的请求，或 prompt、steer、title、compaction、undo、子代理的第一句话，或人的回答。",
  "The script {name} has no more lines: all its {lines} requests were answered":
    "脚本 {name} 没有更多的行：它的 {lines} 个请求都已应答",
  "Add a line for this request, or continue with another model (-m).": "请为这个请求加一行，或换别的模型继续（-m）。",
  "{spec} names no model (did you mean {name}?)": "{spec} 不是模型（是不是想用 {name}？）",
  "{spec} names no model (give SERVER:NAME, demo or script:FILE)":
    "{spec} 不是模型（请给出 SERVER:NAME、demo 或 script:FILE）",
  "there is no server {server}; the servers are {names}": "没有服务器 {server}；有 {names}",
  "SERVER:NAME   a model of a server: openai, openrouter, anthropic, gemini, deepseek, groq, mistral, ollama,\n              lmstudio, or one of `servers` in config.json; OPENAI_BASE_URL moves openai\ndemo          a guided tour, without a key or a network\nscript:FILE   plays the lines of a file":
    "SERVER:NAME   服务器的模型：openai、openrouter、anthropic、gemini、deepseek、groq、mistral、ollama、\n              lmstudio，或 config.json 的 `servers` 之一；OPENAI_BASE_URL 移动 openai\ndemo          导览，不需要密钥和网络\nscript:FILE   播放文件中的行",
  'It is not known how much {spec} reads: 128,000 tokens are assumed. Say it in config.json: "models": {"{same}": {"contextWindow": N}}':
    '不知道 {spec} 能读多少：按 128,000 token 计。请在 config.json 中写明："models": {"{same}": {"contextWindow": N}}',
  "{spec} reads {tokens} tokens: its server said so when it refused a longer request":
    "{spec} 能读 {tokens} token：它的服务器在拒绝更长的请求时这么说",
  "{spec} reads about {tokens} tokens: its server refused a longer request":
    "{spec} 约能读 {tokens} token：它的服务器拒绝了更长的请求",
  "{spec} reads about {tokens} tokens: it leaves out the rest of what it is sent, without a word. Where the server is yours, let it read more: of Ollama num_ctx says how much (OLLAMA_CONTEXT_LENGTH=32768 for its server, or PARAMETER num_ctx 32768 in a Modelfile)":
    "{spec} 约能读 {tokens} token：它不声不响地略去其余内容。服务器是你自己的时，请让它多读：Ollama 用 num_ctx 规定多少（服务器用 OLLAMA_CONTEXT_LENGTH=32768，或在 Modelfile 中写 PARAMETER num_ctx 32768）",
  "its session is told what it came to": "会把结果告诉它所属的会话",
  "{agent} has taken as many steps as its own maxSteps lets it ({most})":
    "{agent} 已走到它自己的 maxSteps 允许的步数（{most}）",
  "go on with a budget of the same size: agent resume": "用同样的预算继续：agent resume",
  "the turn has taken as many steps as {name} lets it ({most}), with all its helpers":
    "连同所有子代理，本回合已走到 {name} 允许的步数（{most}）",
  "go on with as many again: agent resume": "再走同样多的步数：agent resume",
  "{agent} asks its model nothing: {spec} has no price, so its own maxCost ({most}) cannot be kept":
    "{agent} 不向它的模型提问：{spec} 没有价格，因此守不住它自己的 maxCost（{most}）",
  "it is not known what a reply of {agent} cost, so its own maxCost ({most}) cannot be kept":
    "不知道 {agent} 的一条回复花了多少，因此守不住它自己的 maxCost（{most}）",
  "{agent} has cost as much as its own maxCost lets it ({most})": "{agent} 的花费已到它自己的 maxCost（{most}）",
  "it is not known what a reply of this turn cost, so {name} ({most}) cannot be kept":
    "不知道本回合的一条回复花了多少，因此守不住 {name}（{most}）",
  "the turn has cost as much as {name} lets it ({most}), with all its helpers":
    "连同所有子代理，本回合的花费已到 {name}（{most}）",
  "{why}, so the turn was ended": "{why}，因此结束了本回合",
  "say what to do differently": "请说明换个什么做法",
  "a tool was to be called, and the model called none, though it was told": "要求调用一个工具，模型得知后仍没有调用",
  "ask for something that needs a tool, or leave out --tool-choice required":
    "请要求需要工具的事，或去掉 --tool-choice required",
  "the turn was to end with JSON that fits its schema, and did not in up to {most} tries: {why}":
    "本回合应以符合 schema 的 JSON 结束，试了 {most} 次都没有：{why}",
  "the turn was to end with JSON that fits its schema, and did not in up to {most} tries":
    "本回合应以符合 schema 的 JSON 结束，试了 {most} 次都没有",
  "say in the prompt what is to stand in it, or ask for less in the schema":
    "请在提示词中说明其中要有什么，或放宽 schema",
  "Not a word of it came. Say `go on`; if it was still thinking, raise maxOutput of the model in config.json, or lower its reasoning.":
    "一个字也没有来。请说 `go on`；如果它还在思考，请在 config.json 中调高模型的 maxOutput，或降低它的 reasoning。",
  "What came of it is kept, and none of its calls was run. Say `go on`, or what to do in smaller parts.":
    "来了的部分已保留，它的调用都没有运行。请说 `go on`，或把要做的事分小一些。",
  "{why}, for the second time in this turn": "{why}，这是本回合第二次",
  "the model thought and said nothing, neither text nor a call, also when it was asked once more":
    "模型思考了却什么也没说，没有文本也没有调用，再问一次也一样",
  "the model gave an empty reply, neither text nor a call, also when it was asked once more":
    "模型的回复是空的，没有文本也没有调用，再问一次也一样",
  "Say `go on` (agent resume) to ask again. If it stays so, raise maxOutput of the model in config.json, or lower its reasoning, or go on with another model (-m).":
    "说 `go on`（agent resume）可再次询问。如果仍然如此，请在 config.json 中调高模型的 maxOutput，或降低它的 reasoning，或换别的模型（-m）。",
  "Say `go on` (agent resume) to ask again. If it stays so, go on with another model (-m).":
    "说 `go on`（agent resume）可再次询问。如果仍然如此，请换别的模型（-m）。",
  "the model's tool calls could not be read, though it was told {most} times: {why}; none of them was run":
    "告知 {most} 次后，模型的工具调用仍无法读取：{why}；都没有运行",
  "the model's tool calls could not be read, though it was told {most} times; none of them was run":
    "告知 {most} 次后，模型的工具调用仍无法读取；都没有运行",
  "the same call failed {times} times in a row": "同一个调用连续失败 {times} 次",
  "a call ran out of its time {times} times in a row": "有调用连续超时 {times} 次",
  "tools were called that are not there, {times} times, and no file was changed in between":
    "{times} 次调用了不存在的工具，其间没有改动任何文件",
  "{tool} failed with {code} {times} times, and no file was changed in between":
    "{tool} 以 {code} 失败 {times} 次，其间没有改动任何文件",
  "it does not fit the schema: {why}": "它不符合 schema：{why}",
  "maxCost needs the price of {spec}": "maxCost 需要 {spec} 的价格",
  'Say it for a million tokens: models: {"{spec}": {price: {input: N, output: N}}}':
    '请按百万 token 写明：models: {"{spec}": {price: {input: N, output: N}}}',
  "{what} is missing, or not whole": "{what}缺失或不完整",
  "there is no call in it": "其中没有调用",
  "its list of calls is not whole": "它的调用列表不完整",
  "its {sign} is missing, or is not where it should be": "它的 {sign} 缺失或位置不对",
  "its closing tag is missing, or is not where it should be": "它的结束标签缺失或位置不对",
  "some of it only says what tools there are": "其中有一部分只是列出工具",
  "the name of the tool": "工具的名称",
  "the name of the function": "函数的名称",
  "the name of an argument": "参数的名称",
  "whom it is for": "发给谁",
  "its JSON": "它的 JSON",
  "its input is no JSON object": "它的输入不是 JSON 对象",
  "a call in <tools> has its arguments under arguments": "<tools> 中的调用要把参数写在 arguments 下",
  "{key} is no part of a call": "{key} 不是调用的一部分",
  "its </function> is missing": "缺少 </function>",
  "an <arg_value> is missing": "缺少一个 <arg_value>",
  "the > of its first tag": "第一个标签的 > ",
  "the sign that ends the call is missing": "缺少结束调用的符号",
  "its arguments are missing": "缺少它的参数",
  "its arguments are no object": "它的参数不是对象",
  "a call is a JSON object with name and arguments": "调用是有 name 和 arguments 的 JSON 对象",
  "the call has no name": "该调用没有名称",
  "there is more text behind it": "它后面还有文本",
  "it is not all of your reply": "它不是回复的全部",
  "its code block is not one of calls": "它的代码块不是调用的",
  "a reply has at most {most} calls": "一个回复最多有 {most} 个调用",
  "what stands behind a call is no , and no ]": "调用后面既不是 , 也不是 ]",
  "what stands behind a value is no , and no {end}": "值后面既不是 , 也不是 {end}",
  "the ( behind its name is missing": "名称后面缺少 (",
  "the : behind a key is missing": "键后面缺少 :",
  "a value of which nothing has to be worked out": "无须计算的值",
  "a key of a dict is no string": "dict 的键不是字符串",
  "the {quote} that ends a string is missing": "缺少结束字符串的 {quote}",
  "a string has half a character": "字符串中有半个字符",
  "it has an escape that is no character": "它有不是字符的转义",
  "it does not end where it should": "它没有在该结束处结束",
  "what is escaped": "被转义的字符",
  "an escape with \\{sign} in a string is half, or is not read here": "字符串中 \\{sign} 的转义不完整，或这里不读取它",
  "it is deeper than {most} levels": "它超过 {most} 层",
  "it has {name} twice": "{name} 在其中出现两次",
  "the same stands in what you have read, so it is taken for a quote, and would be again: if you mean it, make it in the tools' own way and not as text, or with other arguments":
    "读过的内容中有同样的文本，所以当作引文，再写一次也一样：确实要调用时，请按工具自己的方式调用而不是写成文本，或用别的参数",
  "it is too long to be compared with what you have read": "它太长，无法与读过的内容比较",
  "what begins like a call stands before it and has no end, so that it may be a value of that one":
    "它前面有像是调用开头而没有结束的内容，它可能是那一个的值",
  "you call tools by function calling, and this is text": "工具要用 function calling 调用，而这是文本",
  "a tool's name and pairs in text are no call": "文本中的工具名和成对的值不是调用",
  '{spec} writes its calls as text (the form of {form}), which its server does not read; they are taken for calls. If this goes wrong: --tool-format xml, or "models": {"{same}": {"toolFormat": "xml"}} in config.json':
    '{spec} 把调用写成文本（{form} 的形式），它的服务器不读取；这里当作调用。如果因此出错：用 --tool-format xml，或在 config.json 中写 "models": {"{same}": {"toolFormat": "xml"}}',
  'Let it call tools in XML: agent resume --tool-format xml, or "toolFormat": "xml" for the model in config.json. Or go on with another model (-m).':
    '让它用 XML 调用工具：agent resume --tool-format xml，或在 config.json 中给该模型写 "toolFormat": "xml"。或换别的模型继续（-m）。',
  "a number in it has more digits than a number keeps, and its server sent it as one: nobody can say which it was; send it as a string":
    "其中有一个数的位数超过数所能保存的，而服务器把它作为数发送：没有人知道原来是多少；请作为字符串发送",
  "it is not in the form that the instructions show": "它不是说明中给出的形式",
  "the call of {name} ends before its </tool_call>": "对 {name} 的调用在 </tool_call> 之前就结束了",
  "a call ends before its </tool_call>": "有一个调用在 </tool_call> 之前就结束了",
  "<name> is empty: {what}": "<name> 为空：{what}",
  "{tag} is no tag: {what}": "{tag} 不是标签：{what}",
  "{tag} is not what was expected: {what}": "这里不应是 {tag}：{what}",
  "{sign} stands where a tag should: {what}": "应为标签之处却是 {sign}：{what}",
  "<{name}> has a call in it that has <{same}> too, and is not in CDATA: {what}":
    "<{name}> 中有一个也含 <{same}> 的调用，而没有放进 CDATA：{what}",
  "<name> comes first in a <tool_call>": "<tool_call> 中先写 <name>",
  "after <name> comes <params>, and then </tool_call>": "<name> 之后是 <params>，再是 </tool_call>",
  "in <params> each parameter is <NAME>value</NAME>, and </params> ends them":
    "<params> 中每个参数写成 <NAME>value</NAME>，以 </params> 结束",
  "after </params> comes </tool_call>": "</params> 之后是 </tool_call>",
  "<{name}> stands in one call twice": "<{name}> 在一个调用中出现两次",
  "{tool} needs <{name}>": "{tool} 需要 <{name}>",
  "{tool} has no parameter {name}": "{tool} 没有参数 {name}",
  "{types} is wanted, but this is another type": "应为{types}，而这是别的类型",
  "{types} is wanted, and this is {why}": "应为{types}，而这{why}",
  "a JSON array": "JSON 数组",
  "a JSON object": "JSON 对象",
};
