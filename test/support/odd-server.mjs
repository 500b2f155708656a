// A server of MCP over stdio that answers each request as it is told, the n-th of a method by the n-th answer, and notes all that it hears.
import { appendFileSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [note, does] = process.argv.slice(2);
const noted = (line) => appendFileSync(note, `${line}\n`);
const counts = {};
noted(`start ${process.pid}`);

/** Its answers, by method: `result` or `error`, `dies`, nothing; `says` comes before. The last one goes on. */
const answersOf = (method) =>
  JSON.parse(readFileSync(does, "utf8"))[method] ?? [{ error: { code: -32601, message: "no" } }];
if (answersOf("start")[0].dies) process.exit(4);

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  noted(JSON.stringify({ method, ...(params === undefined ? {} : { params }) }));
  if (id === undefined || method === undefined) return;
  const all = answersOf(method);
  const answer = all[Math.min(counts[method] ?? 0, all.length - 1)];
  counts[method] = (counts[method] ?? 0) + 1;
  for (const said of answer.says ?? [])
    process.stdout.write(`${typeof said === "string" ? said : JSON.stringify(said)}\n`);
  const { result, error } = answer;
  if (result !== undefined || error !== undefined)
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result, error })}\n`);
  if (answer.dies) setTimeout(() => process.exit(3), answer.dies === true ? 0 : answer.dies);
});
setInterval(() => {}, 1000);
