import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { getThrough, openTestProxy, sendRaw, type TestProxy, tunnelTo } from "../support/guarded-proxy.ts";
import { startProxy } from "../support/proxy.ts";
import { sends, startWebServer } from "../support/web-server.ts";

/** What never settles by itself. */
function held<T>(): { promise: Promise<T>; settle: (value: T) => void; asked: () => Promise<T>; times: () => number } {
  let times = 0;
  let settle: (value: T) => void = () => undefined;
  const promise = new Promise<T>((resolve) => {
    settle = resolve;
  });
  const asked = (): Promise<T> => {
    times += 1;
    return promise;
  };
  return { promise, settle, asked, times: () => times };
}

/** A server of bytes, until the test's end: what was connected to it. */
async function startBare(heard: (socket: Socket) => void = () => undefined): Promise<{ port: number; met: Socket[] }> {
  const met: Socket[] = [];
  const server = createServer((socket) => {
    met.push(socket);
    socket.on("error", () => undefined);
    heard(socket);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(async () => {
    for (const socket of met) socket.destroy();
    await new Promise((done) => server.close(done));
  });
  const address = server.address();
  return { port: typeof address === "object" && address !== null ? address.port : 0, met };
}

async function clientOf(proxy: TestProxy, text = ""): Promise<Socket> {
  const socket = connect(proxy.port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined);
  await once(socket, "connect");
  socket.write(text.replaceAll("TOKEN", `Proxy-Authorization: ${proxy.authorization}`));
  return socket;
}

const asks = (url: string): string => `GET ${url} HTTP/1.1\r\nHost: h\r\nTOKEN\r\n\r\n`;
const asksTunnel = (place: string): string => `CONNECT ${place} HTTP/1.1\r\nHost: h\r\nTOKEN\r\n\r\n`;

/** As long as what was begun before takes to come to a server on loopback. */
async function roundTrips(): Promise<void> {
  const { url } = await startWebServer({ "/": sends("x") });
  for (let times = 0; times < 5; times += 1) await (await fetch(url)).text();
}

describe("an answer that is cut", () => {
  it.each([
    ["within its length", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n0123456789"],
    ["between its chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\na\r\n0123456789\r\n"],
    ["within a chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n0123456789"],
  ])("is cut for the browser, too: %s", async (_, text) => {
    const server = await startWebServer({ "/": (request) => void request.socket.end(text) });
    const proxy = await openTestProxy({ inner: [`127.0.0.1:${server.port}`] });
    const heard = await sendRaw(proxy, asks(`${server.url}/`));
    expect(heard).toMatch(/^HTTP\/1.1 200 .*\r\n\r\n.*0123456789/su);
    expect(heard).not.toMatch(/\r\n0\r\n/u);
  });

  it("is whole where nothing but its end says how long it is", async () => {
    const server = await startWebServer({ "/": ({ socket }) => void socket.end("HTTP/1.1 200 OK\r\n\r\nabc") });
    const proxy = await openTestProxy({ inner: [`127.0.0.1:${server.port}`] });
    expect((await getThrough(proxy, server.url)).body).toBe("abc");
  });

  it("leaves the connection to be used, where it came whole before the request had", async () => {
    const server = await startWebServer({ "/early": sends("early"), "/next": sends("next") });
    const proxy = await openTestProxy({ inner: [`127.0.0.1:${server.port}`] });
    const client = await clientOf(
      proxy,
      `POST ${server.url}/early HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\nTOKEN\r\n\r\nab`,
    );
    let heard = "";
    client.on("data", (chunk) => {
      heard += chunk;
    });
    await expect.poll(() => heard).toMatch(/early/u);
    client.write(`cd${asks(`${server.url}/next`).replace("TOKEN", `Proxy-Authorization: ${proxy.authorization}`)}`);
    await expect.poll(() => heard).toMatch(/next/u);
  });
});

describe("after its end", () => {
  it.each([asks, asksTunnel])("nothing goes out that was being judged", async (line) => {
    const { port, met } = await startBare();
    const judged = held<undefined>();
    const proxy = await openTestProxy({ refuses: judged.asked });
    await clientOf(proxy, line === asks ? asks(`http://127.0.0.1:${port}/`) : asksTunnel(`127.0.0.1:${port}`));
    await expect.poll(judged.times).toBe(1);
    await proxy.close();
    judged.settle(undefined);
    await roundTrips();
    expect([met, proxy.logged]).toEqual([[], []]);
  });

  it("nothing goes out whose name was being looked up", async () => {
    const { port, met } = await startBare();
    const names = held<string[]>();
    const proxy = await openTestProxy({ lookup: names.asked, refuses: async () => undefined });
    await clientOf(proxy, asksTunnel(`box.test:${port}`));
    await expect.poll(names.times).toBe(1);
    await proxy.close();
    names.settle(["127.0.0.1"]);
    await roundTrips();
    expect(met).toEqual([]);
  });

  it("the person's own proxy is left, whether it has answered or not", async () => {
    const theirs = await startBare((socket) => {
      if (theirs.met.length === 2) socket.write("HTTP/1.1 200 Ok\r\n\r\n");
    });
    const proxy = await openTestProxy({ env: { HTTPS_PROXY: `http://127.0.0.1:${theirs.port}` } });
    await clientOf(proxy, asksTunnel("far.example:443"));
    await expect.poll(() => theirs.met.length).toBe(1);
    await clientOf(proxy, asksTunnel("far.example:443"));
    await expect.poll(() => proxy.logged).toEqual(["reached far.example:443"]);
    const left = theirs.met.map((socket) => once(socket.resume(), "close"));
    await proxy.close();
    await Promise.all(left);
  });
});

describe("a browser that leaves", () => {
  it.each([asks, asksTunnel])(
    "is not waited for while its host is judged, and nothing is connected to",
    async (line) => {
      const { port, met } = await startBare();
      const known = await startWebServer({ "/": sends("known") });
      const judged = held<undefined>();
      const proxy = await openTestProxy({
        refuses: (host) => (host.port === port ? judged.asked() : Promise.resolve(undefined)),
        limits: { connections: 1 },
      });
      const client = await clientOf(
        proxy,
        line === asks ? asks(`http://127.0.0.1:${port}/`) : asksTunnel(`127.0.0.1:${port}`),
      );
      await expect.poll(judged.times).toBe(1);
      client.destroy();
      await expect.poll(() => getThrough(proxy, known.url).catch(() => undefined)).toMatchObject({ body: "known" });
      judged.settle(undefined);
      await roundTrips();
      expect(met).toEqual([]);
    },
  );

  it("is left by the person's own proxy, which has not answered", async () => {
    const theirs = await startBare();
    const proxy = await openTestProxy({ env: { HTTPS_PROXY: `http://127.0.0.1:${theirs.port}` } });
    const client = await clientOf(proxy, asksTunnel("far.example:443"));
    await expect.poll(() => theirs.met.length).toBe(1);
    const left = theirs.met.map((socket) => once(socket.resume(), "close"));
    client.destroy();
    await Promise.all(left);
  });
});

describe("what does not come", () => {
  it("is a verdict, or addresses, that are waited for as long as for a connection", async () => {
    const never = held<never>();
    const limits = { wait: 200, lookups: 1 };
    const judging = await openTestProxy({ refuses: never.asked, limits });
    expect((await getThrough(judging, "http://far.example/")).status).toBe(504);
    const finding = await openTestProxy({ lookup: never.asked, limits });
    const all = ["http://a.test/", "http://far.example/", "http://b.test/"];
    for (const url of all) expect(await getThrough(finding, url)).toMatchObject({ status: 504, body: /in time/u });
    expect(never.times()).toBe(2);
  });

  it("gives its place to the next as soon as it does come", async () => {
    const server = await startWebServer({ "/": sends("found") });
    const names = held<string[]>();
    const proxy = await openTestProxy({ lookup: names.asked, refuses: async () => undefined, limits: { lookups: 1 } });
    const all = ["a", "b", "c"].map((name) => getThrough(proxy, `http://${name}.test:${server.port}/`));
    await expect.poll(names.times).toBe(1);
    names.settle(["127.0.0.1"]);
    expect((await Promise.all(all)).map(({ body }) => body)).toEqual(["found", "found", "found"]);
  });

  it("is a byte of a connection that has had an answer before", async () => {
    const server = await startWebServer({ "/": sends("first") });
    const never = held<never>();
    const proxy = await openTestProxy({
      refuses: ({ host }) => (host === "127.0.0.1" ? Promise.resolve(undefined) : never.asked()),
      limits: { silence: 500 },
    });
    const client = await clientOf(proxy, asks(`${server.url}/`));
    await once(client, "data");
    client.write(asks("http://far.example/").replace("TOKEN", `Proxy-Authorization: ${proxy.authorization}`));
    await expect.poll(never.times).toBe(1);
    await once(client, "close");
  });

  it("is not a body whose bytes come, however long it takes", async () => {
    const bodies: string[] = [];
    const server = await startWebServer({
      "/": async (request, response) => {
        let text = "";
        for await (const chunk of request) text += chunk;
        bodies.push(text);
        response.end("whole");
      },
    });
    const proxy = await openTestProxy({
      inner: [`127.0.0.1:${server.port}`],
      limits: { silence: 1_500, wait: 1_000 },
    });
    const client = await clientOf(
      proxy,
      `POST ${server.url}/ HTTP/1.1\r\nHost: h\r\nContent-Length: 35\r\nTOKEN\r\n\r\n`,
    );
    for (let sent = 0; sent < 35; sent += 1) {
      await new Promise((later) => setTimeout(later, 100));
      client.write("x");
    }
    const [answer] = await once(client, "data");
    expect([String(answer).slice(9, 12), bodies]).toEqual(["200", ["x".repeat(35)]]);
  });
});

it("a tunnel brings all that a server said before it left, though the browser goes on writing", async () => {
  const { port } = await startBare((socket) => {
    socket.once("data", () => socket.end(Buffer.alloc(12_000_000, "x")));
  });
  const proxy = await openTestProxy({ inner: [`127.0.0.1:${port}`] });
  const tunnel = await tunnelTo(proxy, `127.0.0.1:${port}`);
  if (typeof tunnel === "number") throw new Error(`refused: ${tunnel}`);
  let bytes = 0;
  tunnel.on("error", () => undefined);
  tunnel.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    tunnel.write("more");
    // Slower than the server, so that the last bytes are still on their way as it leaves.
    tunnel.pause();
    setTimeout(() => tunnel.resume(), 2);
  });
  tunnel.write("go");
  await once(tunnel, "close");
  expect(bytes).toBe(12_000_000);
});

it("a tunnel goes through the proxy that the person has for https, but to what they except", async () => {
  const server = await startWebServer({ "/": sends("far") });
  const theirs = await startProxy();
  onTestFinished(() => theirs.close());
  const env = { HTTP_PROXY: "http://127.0.0.1:9", HTTPS_PROXY: theirs.url, NO_PROXY: "near.example, far.example:443" };
  const proxy = await openTestProxy({ env });
  expect(typeof (await tunnelTo(proxy, `far.example:${server.port}`))).toBe("object");
  expect(await tunnelTo(proxy, "far.example:443")).toBe(502);
  expect(await tunnelTo(proxy, `near.example:${server.port}`)).toBe(502);
  expect(theirs.seen).toEqual([`CONNECT far.example:${server.port}`]);
  const other = await openTestProxy({ env: { HTTP_PROXY: theirs.url } });
  expect(typeof (await tunnelTo(other, `else.example:${server.port}`))).toBe("object");
});
