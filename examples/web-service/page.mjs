// The page: what was said and done, and a card for each call that waits. All text is set as text, never as HTML.

/** @import { AgentEvent, UnsettledCall, WaitingCall } from "holdfast" */

const at = (/** @type {string} */ id) => /** @type {HTMLInputElement} */ (document.getElementById(id));
const [log, waiting, text, sessions] = [at("log"), at("waiting"), at("text"), at("sessions")];

// Neither in the address, which lands in the history, nor in a cookie, which other services of this machine would get too.
const token = location.hash.slice(1) || sessionStorage.getItem("token") || "";
sessionStorage.setItem("token", token);
history.replaceState(null, "", "/");
const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };

/** What cannot be seen, or turns the order of what can, is told by its number: a diff is to show what it does. @param {string} given */
const visible = (given) =>
  given.replace(
    /\p{Cf}|\p{Cs}|\p{Zl}|\p{Zp}|\p{Variation_Selector}|\p{Default_Ignorable_Code_Point}|(?![\n\t])\p{Cc}/gu,
    (one) => `‹U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}›`,
  );

/** @param {string} name @param {(string | Node)[]} inside */
function element(name, ...inside) {
  const made = document.createElement(name);
  made.append(...inside.map((one) => (typeof one === "string" ? visible(one) : one)));
  return made;
}

/** @param {string} said */
function say(said) {
  log.append(element("p", said));
}

/** Once, however often it is tried again. */
function sayGone() {
  const gone = "The service does not answer.";
  if (log.lastElementChild?.textContent !== gone) say(gone);
}

/** @param {string} path @param {object} [body] without it the path is read @returns undefined where it was refused, or not heard */
async function ask(path, body) {
  const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  try {
    const response = await fetch(path, { headers, ...sent });
    const json = await response.json();
    if (response.ok) return json;
    say(`Refused: ${json.error}`);
  } catch {
    sayGone();
  }
  return undefined;
}

/** @param {string} label @param {() => unknown} press */
function button(label, press) {
  const made = element("button", label);
  made.addEventListener("click", press);
  return made;
}

/** @param {string} line */
function diffLine(line) {
  const made = element("span", `${line}\n`);
  made.className = { "+": "added", "-": "removed" }[line.charAt(0)] ?? "";
  return made;
}

/** @typedef {{ session: string, call: string }} Address */

const keyOf = (/** @type {Address} */ { session, call }) => `${session}:${call}`;

/** @param {WaitingCall | UnsettledCall} call @param {Address} to @param {string[]} words @param {Node[]} buttons */
function card({ toolName, plan }, to, words, buttons) {
  const { summary = toolName, command = "", diff = "", warnings = [] } = plan ?? {};
  const lines = [summary, ...warnings, ...words].map((line) => element("p", line));
  const body = element("pre", ...(command === "" ? [] : [`${command}\n`]), ...diff.split("\n").map(diffLine));
  const made = element("article", ...lines, body, ...buttons);
  made.dataset["call"] = keyOf(to);
  return made;
}

/** @param {Address} to @param {WaitingCall} call */
function approvalCard(to, call) {
  const { digest, verdict, changed, partial } = call;
  const answer = (/** @type {object} */ decision) => ask(`/sessions/${sessions.value}/answers`, { ...to, decision });
  const words = [verdict.why, `digest ${digest}`];
  if (changed !== undefined) words.push(`It is another one than you were shown before: ${changed.why}`);
  if (partial !== undefined) words.push(`${partial.lines} lines, ${partial.bytes} bytes of it are not shown.`);
  return card(call, to, words, [
    button("Deny", () => answer({ decision: "deny" })),
    button("Approve", () => answer({ decision: "approve", digest })),
  ]);
}

/** @param {Address} to @param {UnsettledCall} call */
function recoveryCard(to, call) {
  const { known, choices } = call;
  const choose = (/** @type {string} */ choice) => ask(`/sessions/${sessions.value}/recoveries`, { ...to, choice });
  const buttons = choices.map((choice) => button(choice, () => choose(choice)));
  return card(call, to, [known], buttons);
}

/**
 * A card for each call that waits, in the place of those before.
 * @template {WaitingCall | UnsettledCall} Call @param {(to: Address, call: Call) => Node} cardOf
 */
const showWaiting =
  (cardOf) =>
  (/** @type {{ calls: Call[] }} */ { calls }) =>
    waiting.replaceChildren(...calls.map((call) => cardOf({ session: call.session, call: call.callId }, call)));

/** @param {Extract<AgentEvent, { type: "session_restored" }>} event */
function restore({ messages }) {
  log.replaceChildren();
  for (const entry of messages)
    say(entry.role === "call" ? `${entry.call.toolName}: ${entry.call.status}` : `${entry.role}: ${entry.text}`);
}

/** What is shown of an event. @type {{ [T in AgentEvent["type"]]?: (event: Extract<AgentEvent, { type: T }>) => void }} */
const shown = {
  session_started: () => log.replaceChildren(),
  session_restored: restore,
  user_message: (event) => say(`user: ${event.text}`),
  assistant_message: (event) => event.text !== "" && say(`assistant: ${event.text}`),
  approval_requested: showWaiting(approvalCard),
  recovery_requested: showWaiting(recoveryCard),
  decision: ({ session, callId }) =>
    waiting.querySelector(`[data-call="${keyOf({ session, call: callId })}"]`)?.remove(),
  tool_call: ({ call }) => "result" in call && say(`${call.toolName}: ${call.status}`),
  notice: ({ text: said }) => say(said),
  error: ({ message, hint = "" }) => say(`${message} ${hint}`),
  turn_ended({ reason }) {
    waiting.replaceChildren();
    if (reason !== "done") say(`The turn has ended: ${reason}`);
  },
};

/** @param {AgentEvent} event */
const show = (event) => /** @type {((event: AgentEvent) => void) | undefined} */ (shown[event.type])?.(event);

/** The events of a stream as it comes, each as its lines. @param {ReadableStream<Uint8Array>} body */
async function* blocks(body) {
  const reader = body.pipeThrough(/** @type {ReadableWritablePair} */ (new TextDecoderStream())).getReader();
  for (let kept = ""; ; ) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (kept + value).split("\n\n");
    kept = parts.pop() ?? "";
    yield* parts.map((part) => part.split("\n"));
  }
}

/**
 * Shows what comes behind the event `at.last`, until the connection is lost.
 * @param {string} id @param {{ last: string }} at @returns whether there is more to come
 */
async function read(id, at) {
  const response = await fetch(`/sessions/${id}/events`, { headers: { ...headers, "last-event-id": at.last } });
  if (!response.ok || response.body === null) {
    const { error, after } = await response.json();
    say(error);
    at.last = after ?? "";
    return after !== undefined;
  }
  for await (const [named = "", data = ""] of blocks(response.body)) {
    if (sessions.value !== id) return false;
    show(JSON.parse(data.replace("data: ", "")));
    at.last = named.replace("id: ", "");
  }
  return true;
}

/** Goes on where it was when the connection is lost. @param {string} id */
async function follow(id) {
  for (const at = { last: "" }; sessions.value === id; await new Promise((again) => setTimeout(again, 1000)))
    try {
      if (!(await read(id, at))) return;
    } catch {
      sayGone();
    }
}

/** @param {string} id @param {string} name */
function addSession(id, name) {
  const option = element("option", name);
  option.setAttribute("value", id);
  sessions.append(option);
}

function open() {
  for (const part of [log, waiting]) part.replaceChildren();
  if (sessions.value !== "") void follow(sessions.value);
}

at("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const id = sessions.value;
  const sent = await ask(id === "" ? "/sessions" : `/sessions/${id}/messages`, { text: text.value });
  if (sent === undefined) return;
  if (id === "") {
    addSession(sent.id, text.value);
    sessions.value = sent.id;
    open();
  }
  text.value = "";
});
at("stop").addEventListener("click", () => ask(`/sessions/${sessions.value}/stop`, {}));
sessions.addEventListener("change", open);

addSession("", "a new session");
for (const { id, title, state } of (await ask("/sessions")) ?? [])
  addSession(id, state.startsWith("awaiting") ? `${title} (waits for you)` : title);
