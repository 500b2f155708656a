import { room } from "../room.ts";

/** The texts of `--help` on the flags that every command takes. */
export const helpFlags = room("helpFlags", {
  cwd: "work in this folder",
  addDir: "let file tools work in this folder too, by absolute paths",
  model: "SERVER:NAME, demo, or script:FILE",
  image: "a picture that comes with the message: PNG, JPEG, WebP or GIF",
  mode: "ask, accept-edits, read-only, plan or full-auto",
  maxSteps: "steps a turn may take",
  maxCost: "what a turn may cost, by the prices in config.json",
  json: "one JSON object a line on stdout",
  session: "continue this session",
  continue: "continue the newest session of this folder",
  allow: "allow for this run: tool, or tool(path pattern)",
  toolChoice: "auto, none or required",
  toolFormat: "native or xml: how the model calls tools",
  outputSchema: "the answer is JSON that fits the JSON Schema of this file",
  lang: "en or zh",
  sandbox: "auto, required or off: where commands run",
  autoSandbox: "what a session wrote may run in the sandbox, apart from the workspace, unasked",
  unmaskedSecrets: "go on where a secret cannot be read, and so not masked",
  utc: "times in UTC (default: by the local clock)",
  /** Of --session, where it lends its grants alone. */
  grantsOf: "with the grants of this session",
});
