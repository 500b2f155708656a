import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { limits } from "../../src/core/limits.ts";
import { getThrough, openTestProxy, sendRaw, type TestProxy, tunnelTo } from "../support/guarded-proxy.ts";
import { sends, startWebServer, type WebServer } from "../support/web-server.ts";

/** A server that no request may reach, and one that each may. */
async function opened(): Promise<{ inside: WebServer; known: WebServer; proxy: TestProxy }> {
  const inside = await startWebServer({ "/": sends("inside") });
  const known = await startWebServer({ "/": sends("known"), "/two": sends("two") });
  const proxy = await openTestProxy({ inner: [`127.0.0.1:${known.port}`] });
  return { inside, known, proxy };
}

const statusOf = (answer: string): string => answer.slice(9, 12);

describe("whoever has not the token", () => {
  it("gets nothing, by a request or a tunnel, by none, a wrong one or another user's", async () => {
    const { known, proxy } = await opened();
    const place = `127.0.0.1:${known.port}`;
    const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;
    const wrong = [
      basic(`${proxy.user}:${proxy.token.slice(1)}`),
      basic(`${proxy.user}:`),
      basic(`root:${proxy.token}`),
      `Bearer ${proxy.token}`,
      `${proxy.authorization}x`,
    ];
    for (const authorization of ["", ...wrong]) expect(await tunnelTo(proxy, place, authorization)).toBe(407);
    for (const authorization of wrong) {
      const got = await getThrough(proxy, known.url, { headers: { "proxy-authorization": authorization } });
      expect(got.status).toBe(407);
      expect(got.headers["proxy-authenticate"]).toMatch(/^Basic /u);
    }
    expect(statusOf(await sendRaw(proxy, `GET ${known.url}/ HTTP/1.1\r\nHost: ${place}\r\n\r\n`))).toBe("407");
    expect([known.seen, proxy.logged]).toEqual([[], ["refused: a wrong token"]]);
    expect(JSON.stringify(proxy.logged)).not.toContain(proxy.token);
  });
});

describe("where it does not lead", () => {
  it.each([
    "127.0.0.1",
    "localhost",
    "localhost.",
    "a.localhost",
    "2130706433",
    "0x7f.1",
    "017700000001",
    "127.1",
    "0.0.0.0",
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "127.0.0.1.",
  ])("is this machine as %s, though another port of it is allowed", async (name) => {
    const { inside, proxy } = await opened();
    expect(await tunnelTo(proxy, `${name}:${inside.port}`)).toBe(403);
    expect((await getThrough(proxy, `http://${name}:${inside.port}/`)).status).toBe(403);
    expect(inside.seen).toEqual([]);
  });

  it.each([
    "169.254.169.254:80",
    "[fe80::1]:80",
    "[fd00:ec2::254]:80",
    "[::ffff:169.254.169.254]:80",
    "metadata.google.internal:80",
    "100.100.100.200:80",
    "10.0.0.1:443",
    "192.168.1.1:443",
  ])("is %s", async (place) => {
    const { proxy } = await opened();
    expect(await tunnelTo(proxy, place)).toBe(403);
  });

  it("is a name that is of the internet when it is judged and of this machine when it is connected to", async () => {
    const { inside } = await opened();
    const answers = [["93.184.216.34", "127.0.0.1"], ["127.0.0.1"], ["::ffff:127.0.0.1"]];
    for (const found of answers) {
      const proxy = await openTestProxy({ names: { "rebinds.example": found } });
      const url = `http://rebinds.example:${inside.port}/`;
      expect((await getThrough(proxy, url)).status).toBe(403);
      expect(await tunnelTo(proxy, `rebinds.example:${inside.port}`)).toBe(403);
    }
    expect(inside.seen).toEqual([]);
  });

  it("is itself, another of its kind, or this machine through the person's own proxy", async () => {
    const other = await openTestProxy();
    const proxy = await openTestProxy({ refuses: async () => undefined });
    for (const port of [proxy.port, other.port])
      for (const name of ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]"])
        expect(await tunnelTo(proxy, `${name}:${port}`)).toBe(403);
    const theirs = await openTestProxy({ env: { HTTP_PROXY: "http://127.0.0.1:9" } });
    expect(await tunnelTo(theirs, "localhost:2")).toBe(403);
  });
});

describe("a request that can be read in two ways", () => {
  it("goes where its address says, whatever its Host header says", async () => {
    const { inside } = await opened();
    const heard: string[] = [];
    const known = await startWebServer({
      "/": ({ rawHeaders }, response) => void response.end(String(heard.push(...rawHeaders))),
    });
    const proxy = await openTestProxy({ inner: [`127.0.0.1:${known.port}`] });
    const [said, meant] = [`127.0.0.1:${inside.port}`, `127.0.0.1:${known.port}`];
    expect((await getThrough(proxy, known.url, { headers: { host: said } })).status).toBe(200);
    expect((await getThrough(proxy, inside.url, { headers: { host: meant } })).status).toBe(403);
    expect([inside.seen, heard]).toEqual([[], ["host", meant, "connection", "close"]]);
  });

  it.each([
    ["two lengths", "Content-Length: 4\r\nContent-Length: 5", "abcd"],
    ["one length twice", "Content-Length: 4\r\nContent-Length: 4", "abcd"],
    ["a list of lengths", "Content-Length: 4, 5", "abcd"],
    ["a length and chunks", "Content-Length: 4\r\nTransfer-Encoding: chunked", "0\r\n\r\n"],
    ["chunks and a length", "Transfer-Encoding: chunked\r\nContent-Length: 4", "0\r\n\r\n"],
    ["another coding", "Transfer-Encoding: gzip, chunked", "0\r\n\r\n"],
    ["chunks that are none", "Transfer-Encoding: xchunked", "0\r\n\r\n"],
    ["a coding twice", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "0\r\n\r\n"],
    ["a name with a blank", "Content-Length : 4", "abcd"],
    ["a folded line", "X-A: 1\r\n Content-Length: 4", "abcd"],
    ["a bare line end", "X-A: 1\nContent-Length: 4", "abcd"],
  ])("is refused with %s", async (_, headers, body) => {
    const { known, proxy } = await opened();
    const hidden = `GET ${known.url}/two HTTP/1.1\r\nHost: h\r\nTOKEN\r\n\r\n`;
    const text = `POST ${known.url}/ HTTP/1.1\r\nHost: h\r\nTOKEN\r\n${headers}\r\n\r\n${body}${hidden}`;
    expect(statusOf(await sendRaw(proxy, text))).toBe("400");
    expect(known.seen.filter((one) => one.endsWith("/two"))).toEqual([]);
  });

  it("cannot have its length taken away as a header of the connection", async () => {
    const bodies: string[] = [];
    const server = await startWebServer({
      "/": async (request, response) => {
        let text = "";
        for await (const chunk of request) text += chunk;
        bodies.push(text);
        response.end();
      },
    });
    const proxy = await openTestProxy({ inner: [`127.0.0.1:${server.port}`] });
    const body = "GET /two HTTP/1.1\r\nHost: h\r\n\r\n";
    const headers = { connection: "content-length, host", "content-length": String(body.length) };
    for (const method of ["POST", "GET"])
      expect((await getThrough(proxy, server.url, { method, body, headers })).status).toBe(200);
    expect([server.seen, bodies]).toEqual([
      ["POST /", "GET /"],
      [body, body],
    ]);
  });

  it.each([
    "GET / HTTP/1.1",
    "GET https://URL/ HTTP/1.1",
    "GET http://user:pass@URL/ HTTP/1.1",
    "GET http://URL\\@10.0.0.1/ HTTP/1.1",
    "GET ftp://URL/ HTTP/1.1",
    "GET http:/URL/ HTTP/1.1",
    "GET file:///etc/passwd HTTP/1.1",
    "CONNECT URL/ HTTP/1.1",
    "CONNECT user@URL HTTP/1.1",
    "CONNECT 127.0.0.1 HTTP/1.1",
    "CONNECT 127.0.0.1:0 HTTP/1.1",
    "CONNECT 127.0.0.1:99999 HTTP/1.1",
    "CONNECT [::1%25lo]:80 HTTP/1.1",
    "CONNECT [127.0.0.1]:80 HTTP/1.1",
    "CONNECT http://URL/ HTTP/1.1",
  ])("is refused as %s", async (line) => {
    const { known, proxy } = await opened();
    const asked = line.replaceAll("URL", `127.0.0.1:${known.port}`);
    expect(statusOf(await sendRaw(proxy, `${asked}\r\nHost: h\r\nTOKEN\r\nConnection: close\r\n\r\n`))).toBe("400");
    expect(known.seen).toEqual([]);
  });
});

describe("what is more than a browser needs", () => {
  it("is refused: a head that is too long, too many headers, and one that does not come", async () => {
    const { known, proxy } = await opened();
    const head = (lines: string) =>
      `GET ${known.url}/ HTTP/1.1\r\nHost: h\r\nTOKEN\r\nConnection: close\r\n${lines}\r\n`;
    const long = `X-A: ${"a".repeat(limits.browserHead.most)}\r\n`;
    expect(statusOf(await sendRaw(proxy, head(long)))).toBe("400");
    for (const count of [300, 3_000, 12_000])
      expect(statusOf(await sendRaw(proxy, head("a: b\r\n".repeat(count))))).toBe("400");
    expect(known.seen).toEqual([]);
    expect((await getThrough(proxy, known.url)).body).toBe("known");
    const hurried = await openTestProxy({ limits: { wait: 300 } });
    expect(statusOf(await sendRaw(hurried, `GET ${known.url}/ HTTP/1.1\r\nHost: h\r\n`))).toBe("400");
  });

  it("is closed: connections past the limit, until one of them ends", async () => {
    const held = await startWebServer({ "/": () => undefined });
    const proxy = await openTestProxy({ inner: [`127.0.0.1:${held.port}`], limits: { connections: 2 } });
    const waits = [1, 2].map(() => connect(proxy.port, "127.0.0.1").on("error", () => undefined));
    onTestFinished(() => waits.forEach((each) => void each.destroy()));
    for (const each of waits)
      each.write(`GET ${held.url}/ HTTP/1.1\r\nHost: h\r\nProxy-Authorization: ${proxy.authorization}\r\n\r\n`);
    await expect.poll(() => held.seen.length).toBe(2);
    const place = `127.0.0.1:${held.port}`;
    await expect(tunnelTo(proxy, place)).rejects.toThrow();
    waits[0]?.destroy();
    await expect.poll(async () => typeof (await tunnelTo(proxy, place).catch(() => 0))).toBe("object");
  });

  it("goes nowhere: requests that do not wait for the answer before", async () => {
    const known = await startWebServer({ "/": sends("known"), "/two": sends("two") });
    const proxy = await openTestProxy({ inner: [`127.0.0.1:${known.port}`] });
    const asks = (path: string) => `GET ${known.url}${path} HTTP/1.1\r\nHost: h\r\nTOKEN\r\n\r\n`;
    const tunnel = `CONNECT 127.0.0.1:${known.port} HTTP/1.1\r\nHost: h\r\nTOKEN\r\n\r\n`;
    expect(await sendRaw(proxy, asks("/") + asks("/two"))).toMatch(/known\r\n0\r\n\r\n$/u);
    expect(await sendRaw(proxy, asks("/") + asks("/two") + asks("/two"))).toBe("");
    expect(await sendRaw(proxy, asks("/") + tunnel)).toBe("");
    expect(known.seen).not.toContain("GET /two");
  });

  it("is not written into an answer that has begun", async () => {
    const known = await startWebServer({ "/": (_, response) => void response.write("begun") });
    const proxy = await openTestProxy({ inner: [`127.0.0.1:${known.port}`] });
    const client = connect(proxy.port, "127.0.0.1").on("error", () => undefined);
    onTestFinished(() => void client.destroy());
    client.write(`GET ${known.url}/ HTTP/1.1\r\nHost: h\r\nProxy-Authorization: ${proxy.authorization}\r\n\r\n`);
    let heard = "";
    client.on("data", (chunk) => {
      if (!heard.includes("begun") && String(chunk).includes("begun")) client.write("what?\r\n\r\n");
      heard += chunk;
    });
    await once(client, "close");
    expect(heard).toMatch(/begun\r\n$/u);
  });

  it("is refused: ports of protocols that could take a request for words of their own", async () => {
    const proxy = await openTestProxy();
    for (const port of [22, 25, 6667]) {
      expect((await getThrough(proxy, `http://far.example:${port}/`)).status).toBe(400);
      expect(await tunnelTo(proxy, `far.example:${port}`)).toBe(400);
    }
  });

  it("is not kept: names that lead astray, but for the last of them; nor told, but counted", async () => {
    const names = Object.fromEntries(["a", "b", "c", "d"].map((name) => [`${name}.example`, ["10.0.0.7"]]));
    const proxy = await openTestProxy({ names, limits: { known: 2, logged: 2, told: 1 } });
    for (const name of Object.keys(names)) await getThrough(proxy, `http://${name}/`);
    expect([...proxy.known.keys()]).toEqual(["c.example", "d.example"]);
    const why = "leads to 10.0.0.7, which nobody has allowed";
    expect(proxy.refused()).toEqual([`a.example:80: a.example ${why}`, "others, 3 times"]);
    expect(proxy.refused()).toEqual([]);
    const server = await startWebServer({ "/": sends("x") });
    const reaches = await openTestProxy({ refuses: async () => undefined, limits: { logged: 0 } });
    await getThrough(reaches, server.url);
    await Promise.all([proxy.close(), reaches.close()]);
    expect(proxy.logged.slice(2)).toEqual(["what else is refused is counted", "refused others, 2 times"]);
    expect(reaches.logged).toEqual(["what else is reached is counted", "reached others, 1 times"]);
  });
});

describe("a server that answers", () => {
  it("cannot switch to another protocol, nor end the agent by an answer that is none", async () => {
    const answers = [
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nraw",
      "HTTP/1.1 99 Odd\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
      "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\nabcd",
      `HTTP/1.1 200 OK\r\nX-A: ${"a".repeat(limits.browserHead.most)}\r\n\r\n`,
      "HTTP/1.1 200 OK\r\nX-A: \x01\r\n\r\n",
      "what?",
      "",
    ];
    for (const text of answers) {
      const server = await startWebServer({ "/": (request) => void request.socket.end(text) });
      const proxy = await openTestProxy({ inner: [`127.0.0.1:${server.port}`] });
      const headers = { upgrade: "websocket", connection: "upgrade", "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==" };
      expect([text, (await getThrough(proxy, server.url, { headers })).status]).toEqual([text, 502]);
      expect(server.headers[0]?.upgrade).toBeUndefined();
    }
  });
});
