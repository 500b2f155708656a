// An agent with a browser of your own: the actions of its library are tools, and what must not be read by a model is typed by name.
//
//   node own-browser.mjs "log in and say what is new" --model openai:gpt-5
//
// It logs in at a site that it starts on this machine. Without --model a script plays the model, so that no key is needed.
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createAgent, createToolRegistry, refOf } from "holdfast";
import { BrowserTools } from "./own-browser/adapter.mjs";
import { actions, BrowserSession } from "./own-browser/browser.mjs";
import { startSite } from "./own-browser/site.mjs";

const script = fileURLToPath(new URL("own-browser.script.ndjson", import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { model: { type: "string", default: `script:${script}` } },
});

const account = { password: "correct-horse-7-battery", key: "JBSWY3DPEHPK3PXP" };
const site = await startSite(account);
const browser = new BrowserSession();
await browser.open(`http://${site.host}/`);

const registry = createToolRegistry();
new BrowserTools(browser, actions, {
  go_to: { risk: "low", effect: "none" },
  read_page: { risk: "low", effect: "none" },
  type_text: { secrets: ["text"] },
}).registerAll(registry);

const agent = createAgent({
  workspace: process.cwd(),
  model: values.model,
  tools: registry,
  page: () => browser.url,
  secrets: {
    SITE_PASSWORD: { value: account.password, domains: [site.host] },
    SITE_CODE_totp: { value: account.key, domains: [site.host] }, // the code of the moment, worked out as it is typed
  },
});
const session = agent.start();
const typed = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

await session.submit(positionals.join(" ") || "Log in at the page that is open, and say what is new.");
for await (const event of session.events()) {
  if (event.type === "turn_ended") {
    console.log(event.text ?? event.reason);
    break;
  }
  if (event.type === "tool_call" && "result" in event.call) console.log(event.call.result?.output);
  if (event.type !== "approval_requested") continue;
  for (const call of event.calls) {
    process.stdout.write(`${[call.plan.summary, ...(call.plan.warnings ?? [])].join("\n  ")}\nDo it? [y/N] `);
    const { value = "" } = await typed.next();
    const { digest } = call;
    await session.answer(refOf(call), value === "y" ? { decision: "approve", digest } : { decision: "deny" });
  }
}
await agent.close();
site.close();
process.stdin.destroy();
