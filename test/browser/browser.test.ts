import { createSocket } from "node:dgram";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, onTestFinished } from "vitest";
import { browsers, folders, openBrowser, outputs, tool } from "../support/browser.ts";
import { asks, says } from "../support/model-server.ts";
import { itInBrowser } from "../support/needs.ts";
import { sends, startWebServer } from "../support/web-server.ts";

/** What nobody may reach: a port that counts who comes, over TCP and over UDP. */
async function openInside() {
  const came: string[] = [];
  const sockets = new Set<Socket>();
  const tcp = createServer((socket) => {
    came.push("tcp");
    sockets.add(socket);
    socket.on("error", () => undefined);
  });
  await new Promise<void>((done) => tcp.listen(0, "127.0.0.1", done));
  const { port } = tcp.address() as AddressInfo;
  const udp = createSocket("udp4", () => void came.push("udp"));
  await new Promise<void>((done) => udp.bind(port, "127.0.0.1", done));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await Promise.all([new Promise((done) => tcp.close(done)), new Promise<void>((done) => udp.close(done))]);
  });
  return { port, came };
}

const form = `<title>Form</title><form method=post action=/sent><label>Name <input name=who></label>
  <label>Colour <select name=colour><option>red<option>blue</select></label><button>Send</button></form>`;

itInBrowser(
  "a page is opened, its form filled and the answer read by a rule for its host; and nothing of it is left (needs Chromium)",
  async () => {
    let lines: string[] = [];
    const web = await startWebServer({
      "/": (request, response) => {
        lines = browsers();
        sends(form)(request, response);
      },
      "/sent": async (request, response) => {
        let text = "";
        for await (const chunk of request) text += chunk;
        const said = new URLSearchParams(text);
        response.setHeader("content-type", "text/html").end(`<h1>Hello ${said.get("who")}, ${said.get("colour")}</h1>`);
      },
    });
    const fields = [
      { name: "Name", type: "textbox", target: "e4", value: "Ada" },
      { name: "Colour", type: "combobox", target: "e6", value: "blue" },
    ];
    const place = await openBrowser(
      [
        asks(tool("navigate"), { url: `${web.url}/` }),
        asks(tool("snapshot"), {}),
        asks(tool("fill_form"), { fields }),
        asks(tool("click"), { target: "e7" }),
        asks(tool("snapshot"), {}),
        asks(tool("take_screenshot"), {}),
        says("It says hello."),
      ],
      [
        { tool: tool("navigate"), hosts: [`127.0.0.1:${web.port}`] },
        { tool: tool("fill_form") },
        { tool: tool("click") },
      ],
    );
    const ran = await place.json(["run", "go"]);
    expect(ran.of("approval_requested")).toEqual([]);
    expect(outputs(ran)[1]).toMatch(
      /textbox "Name" \[ref=e4\][\s\S]*combobox "Colour" \[ref=e6\][\s\S]*button "Send" \[ref=e7\]/,
    );
    expect(outputs(ran)[4]).toContain("Hello Ada, blue");
    expect(ran.of("tool_call").at(-1)).toMatchObject({ call: { result: { images: [{ mediaType: "image/png" }] } } });
    expect(web.seen).toContain("POST /sent");

    // Its renderers are told of the pipe too, and after a turn of the numbers theirs may be the lower ones.
    const [main] = lines.filter((line) => line.includes("--remote-debugging-pipe") && !line.includes(" --type="));
    expect(main).toMatch(/--proxy-server=http:\/\/127\.0\.0\.1:\d+ --proxy-bypass-list=<-loopback> .*--disable-quic/);
    expect(lines.join("\n")).not.toContain("--remote-debugging-port");
    expect(main?.includes("--no-sandbox")).toBe(process.getuid?.() === 0);
    expect([browsers(), folders()]).toEqual([[], []]);
    const { stdout } = await place.run(["mcp", "logs", "browser"]);
    expect(stdout).toContain(`[proxy] reached 127.0.0.1:${web.port}\n`);
    expect(stdout).not.toContain("/sent");
  },
);

itInBrowser(
  "this machine is asked about without a rule; a page that was let reaches nothing else of it, whatever it tries (needs Chromium)",
  async () => {
    const inside = await openInside();
    const at = `127.0.0.1:${inside.port}`;
    const done: string[] = [];
    const tries = `<title>Tries</title><link rel=preconnect href="http://${at}"><link rel=dns-prefetch href="//x.localhost">
    <img src="http://${at}/img"><iframe src="http://localhost:${inside.port}/frame"></iframe><iframe src=/on></iframe>
    <script>
      const tried = (name, run) => Promise.resolve().then(run).then(() => name + " got through", () => name + " failed");
      const socket = (url) => new Promise((ok, no) => { const s = new WebSocket(url); s.onopen = ok; s.onerror = no; });
      const peer = async () => {
        const one = new RTCPeerConnection({ iceServers: [{ urls: "stun:${at}" }, { urls: "turn:${at}?transport=tcp", username: "u", credential: "c" }] });
        one.createDataChannel("x");
        await one.setLocalDescription(await one.createOffer());
        await new Promise((done) => setTimeout(done, 3000));
        throw new Error("over");
      };
      Promise.all([
        tried("fetch", () => fetch("http://${at}/fetch", { mode: "no-cors" })),
        tried("six", () => fetch("http://[::ffff:127.0.0.1]:${inside.port}/", { mode: "no-cors" })),
        tried("post", () => fetch("http://${at}/", { method: "POST", body: "x", mode: "no-cors" })),
        tried("tls", () => fetch("https://${at}/", { mode: "no-cors" })),
        tried("socket", () => socket("ws://${at}/")),
        tried("metadata", () => fetch("http://169.254.169.254/latest/", { mode: "no-cors" })),
        tried("peer", peer),
        tried("echo", () => fetch("/echo")),
      ]).then((all) => fetch("/done?" + encodeURIComponent(all.join(", "))));
    </script>`;
    const web = await startWebServer({
      "/": sends(tries),
      "/echo": sends("echo", "text/plain"),
      "/on": (_, response) => void response.writeHead(302, { location: `http://${at}/on` }).end(),
      "/done": (request, response) => {
        done.push(decodeURIComponent(request.url ?? ""));
        response.end();
      },
    });
    const place = await openBrowser([
      asks(tool("navigate"), { url: `${web.url}/` }),
      asks(tool("wait_for"), { time: 6 }),
      asks(tool("navigate"), { url: `http://${at}/` }),
      says("Done."),
    ]);
    const asked = await place.json(["run", "go"]);
    const [call] = asked.the("approval_requested").calls;
    expect(call).toMatchObject({
      toolName: tool("navigate"),
      plan: { hosts: [{ host: "127.0.0.1", port: web.port, range: "loopback" }] },
    });
    expect(web.seen).toEqual([]);

    const went = await place.json(["resume", asked.session, "--approve", "all"]);
    const [first = "", second = ""] = outputs(went);
    expect(`${first}${second}`).toContain(`${at} is on this machine`);
    expect(`${first}${second}`).toContain("169.254.169.254:80");
    // What goes through is, for a page, also the proxy's own answer that it does not.
    for (const way of ["tls failed", "socket failed", "peer failed", "echo got through"])
      expect(done.join()).toContain(way);
    expect(inside.came).toEqual([]);
    // The next one is a question of its own.
    expect(went.code).toBe(11);
    expect(went.of("approval_requested").at(-1)?.calls[0]).toMatchObject({ plan: { hosts: [{ port: inside.port }] } });
    expect(browsers()).toEqual([]);
  },
);

itInBrowser(
  "what no page is read from is refused before the browser hears of it, and so is a file to be written (needs Chromium)",
  async () => {
    const place = await openBrowser([
      asks(tool("navigate"), { url: "file:///etc/passwd" }),
      asks(tool("navigate"), { url: "javascript:alert(1)" }),
      asks(tool("tabs"), { action: "new", url: "chrome://settings" }),
      asks(tool("navigate"), { url: "http://169.254.169.254/latest/" }),
      asks(tool("snapshot"), { filename: "../x.md" }),
      asks(tool("evaluate"), { function: "() => 1" }),
      says("Done."),
    ]);
    const ran = await place.json(["run", "go"]);
    const ended = ran.of("tool_call").flatMap(({ call }) => {
      if (call.status === "error" && "errorCode" in call) return [call.errorCode];
      return call.status === "cancelled" ? ["DENIED"] : [];
    });
    expect(ended).toEqual([
      "INVALID_ARGUMENT",
      "INVALID_ARGUMENT",
      "INVALID_ARGUMENT",
      "DENIED",
      "INVALID_ARGUMENT",
      "UNKNOWN_TOOL",
    ]);
    expect(ran.of("approval_requested")).toEqual([]);
  },
);
