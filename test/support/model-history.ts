/** What a strict provider refuses in a chat-completions request, in words; empty when all is well. */
export function faultsOf(body: unknown): string[] {
  if (!isObject(body)) return ["the body is not a JSON object"];
  const faults: string[] = [];
  if (typeof body["model"] !== "string" || body["model"] === "") faults.push("model is missing");
  if (body["stream"] !== true) faults.push("stream is not true");
  faults.push(...toolFaults(body));
  const messages = body["messages"];
  if (!Array.isArray(messages) || messages.length === 0) return [...faults, "messages is empty"];
  return [...faults, ...historyFaults(messages)];
}

function toolFaults(body: Record<string, unknown>): string[] {
  const tools = body["tools"];
  if (tools === undefined) {
    return body["tool_choice"] === undefined ? [] : ["tool_choice is only allowed when tools are specified"];
  }
  if (!Array.isArray(tools) || tools.length === 0) return ["tools is an empty array"];
  const names = new Set<string>();
  return tools.flatMap((tool, at) => {
    const spec = isObject(tool) && tool["type"] === "function" ? tool["function"] : undefined;
    if (!isObject(spec)) return [`tools[${at}] is not a function`];
    const name = String(spec["name"]);
    const faults: string[] = [];
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) faults.push(`tools[${at}]: bad name ${JSON.stringify(name)}`);
    if (names.has(name)) faults.push(`tools[${at}]: name ${name} is used twice`);
    names.add(name);
    return [...faults, ...parameterFaults(spec["parameters"]).map((fault) => `${name}: ${fault}`)];
  });
}

/** What OpenAI's and Anthropic's refuse, in their words. */
function parameterFaults(parameters: unknown): string[] {
  if (!isObject(parameters) || parameters["type"] !== "object") return ["parameters is not an object"];
  const faults = ["oneOf", "anyOf", "allOf", "enum", "const", "not"]
    .filter((key) => parameters[key] !== undefined)
    .map((key) => `schema must have type 'object' and not have '${key}' at the top level`);
  const { properties } = parameters;
  if (!isObject(properties)) return [...faults, "object schema missing properties"];
  for (const name of Object.keys(properties))
    if (!/^[a-zA-Z0-9_.-]{1,64}$/.test(name)) faults.push(`Property keys should match pattern: ${name}`);
  return [...faults, ...listFaults(parameters, "")];
}

/** @param at the way to it, to be told */
function listFaults(schema: unknown, at: string): string[] {
  if (Array.isArray(schema)) return schema.flatMap((one, index) => listFaults(one, `${at}/${index}`));
  if (!isObject(schema)) return [];
  const isList = [schema["type"]].flat().includes("array");
  const own = isList && !isObject(schema["items"]) ? [`In context=${at}, array schema missing items`] : [];
  const inner = Object.entries(schema).filter(([key]) => !["enum", "const", "default", "examples"].includes(key));
  return [...own, ...inner.flatMap(([key, value]) => listFaults(value, `${at}/${key}`))];
}

/** What a server of a model without function calling refuses besides. */
export function xmlFaults(body: unknown): string[] {
  if (!isObject(body) || !Array.isArray(body["messages"])) return [];
  const told = ["tools", "tool_choice"]
    .filter((key) => body[key] !== undefined)
    .map((key) => `${key} is not supported`);
  const roles = body["messages"].flatMap((message: unknown, at) =>
    isObject(message) && (message["role"] === "tool" || message["tool_calls"] !== undefined)
      ? [`messages[${at}]: tools are not supported`]
      : [],
  );
  return [...told, ...roles];
}

/** Each assistant call is followed directly by exactly one tool message, and nothing else is. */
function historyFaults(messages: unknown[]): string[] {
  const faults: string[] = [];
  let open = new Set<string>();
  let speaking = false;
  messages.forEach((message, at) => {
    const where = `messages[${at}]`;
    if (!isObject(message)) {
      faults.push(`${where} is not an object`);
      return;
    }
    const role = message["role"];
    if (role === "tool") {
      const id = message["tool_call_id"];
      if (typeof id !== "string" || !open.delete(id)) {
        faults.push(`${where}: tool message for ${JSON.stringify(id)}, which no assistant call before it waits for`);
      }
      if (!isContent(message["content"])) faults.push(`${where}: tool message without content`);
      return;
    }
    if (open.size > 0) faults.push(`${where}: tool_call_ids did not have response messages: ${[...open].join(", ")}`);
    open = new Set();
    if (role === "system" || role === "developer") {
      if (speaking) faults.push(`${where}: ${role} message after the conversation began`);
      if (!isContent(message["content"])) faults.push(`${where}: ${role} message without content`);
      return;
    }
    speaking = true;
    if (role === "user") {
      if (!isContent(message["content"])) faults.push(`${where}: user message without content`);
    } else if (role === "assistant") {
      const [ids, found] = assistantCalls(message, where);
      open = ids;
      faults.push(...found);
    } else {
      faults.push(`${where}: unknown role ${JSON.stringify(role)}`);
    }
  });
  if (open.size > 0) faults.push(`the history ends with unanswered calls: ${[...open].join(", ")}`);
  return faults;
}

function assistantCalls(message: Record<string, unknown>, where: string): [Set<string>, string[]] {
  const ids = new Set<string>();
  const faults: string[] = [];
  const calls = message["tool_calls"];
  if (calls === undefined) {
    if (!isContent(message["content"]) || isBlank(message["content"]))
      faults.push(`${where}: assistant message with neither content nor calls`);
    return [ids, faults];
  }
  if (!Array.isArray(calls) || calls.length === 0) return [ids, [`${where}: tool_calls is an empty array`]];
  if (message["content"] !== "" && isBlank(message["content"])) faults.push(`${where}: content of blanks alone`);
  for (const call of calls) {
    const id = isObject(call) ? call["id"] : undefined;
    const spec = isObject(call) && call["type"] === "function" ? call["function"] : undefined;
    if (typeof id !== "string" || id === "") faults.push(`${where}: a call without an id`);
    else if (ids.has(id)) faults.push(`${where}: call id ${id} is used twice`);
    else ids.add(id);
    if (!isObject(spec) || typeof spec["name"] !== "string" || spec["name"] === "") {
      faults.push(`${where}: call ${String(id)} has no function name`);
    } else if (!isJsonObjectText(spec["arguments"])) {
      faults.push(`${where}: the arguments of call ${String(id)} are not a JSON object`);
    }
  }
  return [ids, faults];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isContent = (value: unknown): boolean =>
  (typeof value === "string" && value !== "") || (Array.isArray(value) && value.length > 0);

/** Nothing to be seen, by another way than the agent's. */
const isBlank = (content: unknown): boolean =>
  typeof content === "string" && content.replace(/[\s\u200b-\u200f\u2060-\u2064\u3164]/g, "") === "";

function isJsonObjectText(text: unknown): boolean {
  if (typeof text !== "string") return false;
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}
