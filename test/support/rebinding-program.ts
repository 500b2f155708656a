/**
 * `rebinding-program.ts AGENT FOLDER`: in a network of its own, whose names this program answers on port 53 and where nothing but
 * loopback is reached, runs the command on FOLDER/script.ndjson. Prints what became of it, as JSON.
 */
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { startNameServer } from "./name-server.ts";

const [agent = "", folder = ""] = process.argv.slice(2);
const publicAddress = "93.184.216.34";

const names = await startNameServer(
  {
    "turns.example": [publicAddress, "127.0.0.1"],
    "onward.example": [publicAddress, "127.0.0.1"],
    "cloud.example": ["169.254.169.254"],
    "dev.test": ["127.0.0.1", "10.0.0.9"],
  },
  53,
);
const seen: string[] = [];
const server = createServer(({ headers, url }, response) => {
  seen.push(`${headers.host?.replace(/:.*/u, "")}${url}`);
  if (url?.startsWith("/onward"))
    response.writeHead(302, { location: `http://onward.example:${portOf()}/secret` }).end();
  else if (url === "/itself") response.writeHead(302, { location: "/page" }).end();
  else response.writeHead(200, { "content-type": "text/plain" }).end(url === "/page" ? "a page" : "a secret");
});
const portOf = (): number => (server.address() as AddressInfo).port;
await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));

const script = join(folder, "script.ndjson");
writeFileSync(script, readFileSync(script, "utf8").replaceAll("PORT", String(portOf())));
const allowed = ["turns.example", "onward.example", "cloud.example", `127.0.0.1:${portOf()}`, `dev.test:${portOf()}`];
const argv = [
  "run",
  "read",
  "-m",
  `script:${script}`,
  "--json",
  ...allowed.flatMap((host) => ["--allow", `web_fetch(${host})`]),
];
const child = spawn(process.execPath, [agent, ...argv], {
  cwd: join(folder, "work"),
  stdio: ["ignore", "pipe", "inherit"],
});
let stdout = "";
child.stdout.on("data", (text) => {
  stdout += text;
});
const code = await new Promise<number | null>((ended) => child.on("close", ended));
console.log(
  JSON.stringify({
    code,
    events: stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
    asked: names.asked,
    seen,
  }),
);
names.close();
server.close();
