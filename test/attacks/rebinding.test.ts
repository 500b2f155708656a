import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";
import type { ToolCallInfo } from "../../src/core/call.ts";
import type { AgentEvent } from "../../src/graph/events.ts";
import { builtProgram } from "../support/built.ts";
import { itInSandbox } from "../support/needs.ts";

interface Told {
  code: number;
  events: AgentEvent[];
  asked: string[];
  seen: string[];
}

/** In a network of its own: `program` is root there, may answer for port 53, and is the one whom the system asks for names. */
function inOwnNetwork(folder: string, argv: readonly string[]): Told {
  writeFileSync(join(folder, "resolv.conf"), "nameserver 127.0.0.1\noptions timeout:5 attempts:1\n");
  const own = ["--unshare-net", "--unshare-user", "--uid", "0", "--gid", "0", "--cap-add", "CAP_NET_BIND_SERVICE"];
  const files = ["--dev-bind", "/", "/", "--ro-bind", join(folder, "resolv.conf"), realpathSync("/etc/resolv.conf")];
  const env = { PATH: process.env["PATH"], HOME: folder, AGENT_HOME: join(folder, "home") };
  const ran = spawnSync("bwrap", [...own, ...files, "--", process.execPath, ...argv], { encoding: "utf8", env });
  expect([ran.error, ran.status, ran.stderr.replace(/^(?!.*bwrap).*\n/gmu, "")]).toEqual([undefined, 0, ""]);
  return JSON.parse(ran.stdout) as Told;
}

const fetches = (path: string) => ({ calls: [{ name: "web_fetch", arguments: { url: `http://${path}` } }] });

itInSandbox(
  "where a name server answers a public address first and a private one next, the program connects to none but the one it checked (needs bubblewrap)",
  async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-names-")));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    for (const name of ["work", "home"]) mkdirSync(join(folder, name), { mode: 0o700 });
    const lines = [
      { v: 1, kind: "holdfast-script" },
      fetches("turns.example:PORT/secret"),
      fetches("127.0.0.1:PORT/onward"),
      fetches("127.0.0.1:PORT/onward?again"),
      fetches("cloud.example:PORT/latest/meta-data/"),
      fetches("dev.test:PORT/itself"),
      fetches("turns.example:PORT/secret"),
      { text: "never said" },
    ];
    writeFileSync(join(folder, "script.ndjson"), lines.map((line) => JSON.stringify(line)).join("\n"));
    const agent = fileURLToPath(new URL("../../bin/agent.js", import.meta.url));
    const { code, events, asked, seen } = inOwnNetwork(folder, [
      await builtProgram("test/support/rebinding-program.ts"),
      agent,
      folder,
    ]);
    const last = new Map<string, Partial<ToolCallInfo> & { errorMsg?: string; result?: { output: string } }>();
    for (const event of events) if (event.type === "tool_call") last.set(event.call.callId, event.call);
    const port = /:(\d+)/u.exec(JSON.stringify(last.get("c1")?.arguments))?.[1];
    const tried = (host: string) => `${host}:${port} cannot be read: connect ENETUNREACH 93.184.216.34:${port}`;

    // The address that was checked is the one connected to: in this network nobody is there.
    expect(last.get("c1")?.errorMsg).toContain(tried("turns.example"));
    expect(last.get("c2")?.errorMsg).toContain(tried("onward.example"));
    // Asked again the names lead elsewhere, which nobody has allowed.
    expect(last.get("c3")?.result?.output).toContain(
      "leads to 127.0.0.1, which nobody has allowed). It was not followed",
    );
    expect(last.get("c4")).toMatchObject({ status: "cancelled", ended: { why: "policy" } });
    // A name that may lead to this machine is connected to where it led when it was judged, after a redirect too.
    expect(last.get("c5")?.result?.output).toContain("a page");
    expect([code, last.get("c6")?.status]).toEqual([11, "awaiting_approval"]);
    expect(events.find((event) => event.type === "approval_requested")?.calls).toMatchObject([
      { callId: "c6", risk: "high", plan: { hosts: [{ host: "turns.example", addresses: ["127.0.0.1"] }] } },
    ]);
    expect(asked).toEqual([
      "turns.example",
      "onward.example",
      "onward.example",
      "cloud.example",
      "dev.test",
      "turns.example",
    ]);
    expect(seen).toEqual(["127.0.0.1/onward", "127.0.0.1/onward?again", "dev.test/itself", "dev.test/page"]);
  },
);
