/**
 * `npm run check`: what is read of the sources without running them. Two chains side by side, each about half of the work; what a chain
 * says is printed once it has ended. A chain stops at its first failure.
 */
import { spawn } from "node:child_process";

const chains = [
  ["check:format", "check:imports"],
  ["check:types", "check:dead"],
];

/** @returns {Promise<boolean>} whether it found nothing */
async function isGood(script) {
  process.stdout.write(`begun: npm run ${script}\n`);
  const child = spawn("npm", ["run", script], { stdio: ["ignore", "pipe", "pipe"] });
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => said.push(data));
  const code = await new Promise((ended) => {
    child.on("error", (error) => ended(error.message));
    child.on("close", (code, signal) => ended(code ?? signal));
  });
  process.stdout.write(Buffer.concat(said));
  if (code !== 0) process.stdout.write(`failed: npm run ${script} (${code})\n`);
  return code === 0;
}

async function areGood([first, ...rest]) {
  return first === undefined || ((await isGood(first)) && (await areGood(rest)));
}

const ended = await Promise.all(chains.map(areGood));
process.exitCode = ended.every(Boolean) ? 0 : 1;
