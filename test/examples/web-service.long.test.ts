import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../src/index.ts";
import { openPlace, type Place, type Started } from "./support.ts";

interface Asked {
  method?: string;
  path: string;
  headers?: OutgoingHttpHeaders;
  body?: unknown;
}

class Service {
  readonly started: Started;
  readonly port: number;
  readonly token: string;

  constructor(started: Started, port: number, token: string) {
    this.started = started;
    this.port = port;
    this.token = token;
  }

  async open({ method, path, headers, body }: Asked): Promise<IncomingMessage> {
    const json = {
      authorization: `Bearer ${this.token}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    };
    const sent = httpRequest({
      ...{ host: "127.0.0.1", port: this.port, path, method: method ?? (body === undefined ? "GET" : "POST") },
      headers: { ...json, ...headers },
    });
    // What is refused before it was read whole may be cut off.
    const failed = once(sent, "error").then(([error]) => Promise.reject(error as Error));
    sent.end(typeof body === "string" || body === undefined ? body : JSON.stringify(body));
    const [response] = (await Promise.race([once(sent, "response"), failed])) as [IncomingMessage];
    failed.catch(() => undefined);
    return response;
  }

  async ask(asked: Asked): Promise<{ status: number | undefined; body: Record<string, unknown> }> {
    const response = await this.open(asked);
    return { status: response.statusCode, body: JSON.parse(await textOf(response)) as Record<string, unknown> };
  }

  /** Reads events until one is this, and leaves then. */
  async read(
    id: string,
    isLast: (event: AgentEvent) => boolean,
    after = "",
  ): Promise<{ events: AgentEvent[]; last: string }> {
    const response = await this.open({ path: `/sessions/${id}/events`, headers: { "last-event-id": after } });
    expect(response.headers["content-type"]).toBe("text/event-stream");
    const events: AgentEvent[] = [];
    let [kept, last] = ["", after];
    for await (const piece of response.setEncoding("utf8")) {
      const blocks = `${kept}${piece}`.split("\n\n");
      kept = blocks.pop() ?? "";
      for (const block of blocks) {
        const [named = "", data = ""] = block.split("\n");
        last = named.replace("id: ", "");
        const event = JSON.parse(data.replace("data: ", "")) as AgentEvent;
        events.push(event);
        if (isLast(event)) return { events, last };
      }
    }
    throw new Error(`the stream ended after ${events.length} events`);
  }

  async question(id: string, after?: string) {
    const { events, last } = await this.read(id, ({ type }) => type === "approval_requested", after);
    const event = events.at(-1);
    const [call] = event?.type === "approval_requested" ? event.calls : [];
    if (call === undefined) throw new Error("nothing is asked");
    return { ...call, last, events };
  }

  decide(id: string, decision: object, call = "c1") {
    return this.ask({ path: `/sessions/${id}/answers`, body: { session: id, call, decision } });
  }

  approve(id: string, digest: string) {
    return this.decide(id, { decision: "approve", digest });
  }

  async begin(): Promise<string> {
    const { body } = await this.ask({ path: "/sessions", body: { text: "write it" } });
    return String(body["id"]);
  }
}

async function startService(place: Place, content = "it\n"): Promise<Service> {
  const model = await place.script("model.ndjson", [
    { text: "I will.", calls: [{ name: "write_file", arguments: { file_path: "it.txt", content } }] },
    { text: "Done." },
  ]);
  const started = place.start("web-service/server.mjs", ["--store", join(place.root, "agent.db"), "--model", model]);
  await expect.poll(() => `${started.printed()}${started.errors()}`).toContain("\n");
  const [, port, token] = /^http:\/\/127\.0\.0\.1:(\d+)\/#([\w-]{43})\n$/u.exec(started.printed()) ?? [];
  if (port === undefined || token === undefined) throw new Error(`${started.printed()}${started.errors()}`);
  return new Service(started, Number(port), token);
}

const isOver = ({ type }: AgentEvent): boolean => type === "turn_ended";

it("approves by the digest that was shown, by no other or older one, and tells its events whole to whoever comes back", async () => {
  const place = await openPlace();
  const service = await startService(place);
  await missesNothing(service);
  const id = await service.begin();
  const asked = await service.question(id);
  expect(asked.plan.diff).toContain("+it");
  expect(await service.approve(id, "f".repeat(64))).toEqual({
    status: 409,
    body: { error: expect.stringContaining("was not approved") },
  });
  // What the approval means is another file by now: nothing is written, and it is asked anew.
  await writeFile(join(place.workspace, "it.txt"), "mine\n");
  expect(await service.approve(id, asked.digest)).toEqual({ status: 200, body: {} });
  const anew = await service.question(id, asked.last);
  expect(anew).toMatchObject({ changed: { from: asked.digest, to: anew.digest } });
  expect(await service.approve(id, asked.digest)).toMatchObject({ status: 409 });
  expect(place.text("it.txt")).toBe("mine\n");
  expect(await service.approve(id, anew.digest)).toMatchObject({ status: 200 });
  const { events } = await service.read(id, isOver, anew.last);
  expect(events.at(-1)).toMatchObject({ reason: "done", text: "Done." });
  expect(place.text("it.txt")).toBe("it\n");
  expect(await service.approve(id, anew.digest)).toMatchObject({ status: 409 });
});

/** A reader that comes back has what it missed, and the number of another process means nothing here. */
async function missesNothing(service: Service): Promise<void> {
  const id = await service.begin();
  const first = await service.read(id, ({ type }) => type === "user_message");
  const asked = await service.question(id, first.last);
  const denied = await service.decide(id, { decision: "deny", reason: "not now" });
  expect(denied.status).toBe(200);
  const rest = await service.read(id, isOver, asked.last);
  const seen = [...first.events, ...asked.events, ...rest.events].map(({ seq }) => seq);
  expect(seen).toEqual(seen.map((_, index) => index + 1));
  expect(rest.events).toContainEqual(expect.objectContaining({ type: "decision", reason: "not now" }));
  const whole = await service.read(id, isOver, `0123456789ab.${seen.length}`);
  expect(whole.events.map(({ seq }) => seq)).toEqual(seen);
  const [life = ""] = rest.last.split(".");
  const beyond = await service.ask({ path: `/sessions/${id}/events`, headers: { "last-event-id": `${life}.99999` } });
  expect(beyond).toEqual({ status: 410, body: { error: expect.any(String), after: `${life}.0` } });
}

it("goes on with its question after kill -9, with a token of its own", async () => {
  const place = await openPlace();
  const service = await startService(place);
  const id = await service.begin();
  const asked = await service.question(id);
  service.started.child.kill("SIGKILL");
  expect(await service.started.ended).toBe("SIGKILL");
  const again = await startService(place);
  const old = { authorization: `Bearer ${service.token}` };
  expect(await again.ask({ path: "/sessions", headers: old })).toMatchObject({ status: 401 });
  // Whoever comes first opens the session, and both at once open one.
  const [restored, other] = await Promise.all([again.question(id, asked.last), again.question(id.slice(0, -1))]);
  expect(restored.events[0]).toMatchObject({ type: "session_restored", seq: 1, waiting: ["c1"] });
  expect([restored.digest, other.digest]).toEqual([asked.digest, asked.digest]);
  expect(await again.approve(id, asked.digest)).toMatchObject({ status: 200 });
  await again.read(id, isOver);
  expect(place.text("it.txt")).toBe("it\n");
  again.started.child.kill("SIGTERM");
  expect([await again.started.ended, again.started.errors()]).toEqual([0, ""]);
});

it("says of a session that another process drives that it is in use, and to whom", async () => {
  const place = await openPlace();
  const first = await startService(place);
  const id = await first.begin();
  await first.question(id);
  const other = await startService(place);
  expect(await other.ask({ path: `/sessions/${id}/messages`, body: { text: "and I" } })).toEqual({
    status: 409,
    body: { error: expect.stringContaining(String(first.started.child.pid)) },
  });
});

it("has a page that shows what would be written as it is, and approves that", async () => {
  const place = await openPlace();
  const content = "<img src=x onerror=alert(1)>\u202e \u200b\u00adx\n";
  const service = await startService(place, content);
  const program = fileURLToPath(new URL("page-program.mjs", import.meta.url));
  const address = `http://127.0.0.1:${service.port}/#${service.token}`;
  const page = place.run(program, [address]);
  page.child.stdin.end("Approve\n");
  expect([await page.ended, page.errors()]).toEqual([0, ""]);
  const { card, log } = JSON.parse(page.printed()) as { card: string; log: string };
  expect(card).toContain("+&lt;img src=x onerror=alert(1)&gt;‹U+202E› ‹U+200B›‹U+00AD›x");
  expect(card).not.toContain("<img");
  expect(card).toMatch(/digest [0-9a-f]{64}/u);
  expect(log).toMatch(/user: write it.*assistant: I will\..*write_file: success.*assistant: Done\./su);
  expect(place.text("it.txt")).toBe(content);
});

describe("from outside", () => {
  it("refuses who has no token, another name, or comes from another site, and decides nothing", async () => {
    const place = await openPlace();
    const service = await startService(place);
    const id = await service.begin();
    const { digest } = await service.question(id);
    const own = `127.0.0.1:${service.port}`;
    const answer = {
      path: `/sessions/${id}/answers`,
      body: { session: id, call: "c1", decision: { decision: "approve", digest } },
    };
    const as = (headers: OutgoingHttpHeaders) => ({ ...answer, headers });
    const refused: [what: string, asked: Asked, status: number][] = [
      ["no token", as({ authorization: "" }), 401],
      ["a wrong token", as({ authorization: `Bearer ${"x".repeat(43)}` }), 401],
      ["a part of the token", as({ authorization: `Bearer ${service.token.slice(0, -1)}` }), 401],
      [
        "the token in the address",
        { ...answer, path: `${answer.path}?token=${service.token}`, headers: { authorization: "" } },
        401,
      ],
      ["the token as a cookie", as({ authorization: "", cookie: `token=${service.token}` }), 401],
      [
        "a name that was made to lead here",
        as({ host: `rebound.example:${service.port}`, origin: `http://rebound.example:${service.port}` }),
        421,
      ],
      ["another port's name", as({ host: `127.0.0.1:${service.port + 1}` }), 421],
      ["another site", as({ origin: "https://evil.example" }), 403],
      ["another service of this machine", as({ origin: "http://127.0.0.1:1" }), 403],
      ["a sandboxed frame", as({ origin: "null" }), 403],
      ["our name by the wrong scheme", as({ origin: `https://${own}` }), 403],
      ["a form of another page", as({ "content-type": "text/plain" }), 415],
      ["a form with our type beside its own", as({ "content-type": "text/plain; application/json" }), 415],
      ["the page by another name", { path: "/", headers: { host: "rebound.example" } }, 421],
      [
        "the events of another site's page",
        { path: `/sessions/${id}/events`, headers: { origin: "http://evil.example" } },
        403,
      ],
      [
        "an approval without a digest",
        { ...answer, body: { session: id, call: "c1", decision: { decision: "approve" } } },
        400,
      ],
      [
        "an approval of a prefix",
        {
          ...answer,
          body: { session: id, call: "c1", decision: { decision: "approve", digest: digest.slice(0, 12) } },
        },
        400,
      ],
      [
        "an edit that nobody asked for",
        { ...answer, body: { session: id, call: "c1", decision: { decision: "edit", arguments: {} } } },
        400,
      ],
      [
        "a grant with the approval",
        { ...answer, body: { session: id, call: "c1", decision: { decision: "approve", digest, grant: {} } } },
        400,
      ],
      ["what is no JSON", { ...answer, body: "{" }, 400],
      ["a call of another session", { ...answer, body: { ...answer.body, session: "other-otter-0000" } }, 409],
      ["a session that is not there", { ...answer, path: "/sessions/none-0000/answers" }, 404],
      ["a path upwards", { path: "/../door.mjs" }, 404],
      ["another method", { ...answer, method: "PUT" }, 404],
    ];
    for (const [what, asked, status] of refused)
      expect({ what, ...(await service.ask(asked)) }).toEqual({ what, status, body: { error: expect.any(String) } });
    const { events } = await service.read(id, ({ type }) => type === "approval_requested");
    expect(events.map(({ type }) => type)).not.toContain("decision");
    expect(place.text("it.txt")).toBeUndefined();
    const byName = `localhost:${service.port}`;
    expect(
      await service.ask({ path: "/sessions", headers: { host: byName, origin: `http://${byName}` } }),
    ).toMatchObject({
      status: 200,
    });
    // The same with all that is right is held.
    expect(await service.ask(as({ origin: `http://${own}` }))).toMatchObject({ status: 200 });
    await service.read(id, isOver);
    expect(place.text("it.txt")).toBe("it\n");
  });

  it("reads no more of a body than 64 KiB, shows its page to no other site, and listens on loopback's own address alone", async () => {
    const service = await startService(await openPlace());
    const large = await service.ask({ path: "/sessions", body: { text: "x".repeat(64 * 1024) } });
    expect(large).toEqual({ status: 413, body: { error: expect.stringContaining("65536 bytes") } });
    expect(await service.ask({ path: "/sessions" })).toEqual({ status: 200, body: [] });
    const page = await service.open({ path: "/", headers: { authorization: "" } });
    expect(page.statusCode).toBe(200);
    expect(page.headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": expect.stringContaining("frame-ancestors 'none'"),
    });
    expect(page.headers["access-control-allow-origin"]).toBeUndefined();
    expect(await textOf(page)).not.toContain(service.token);
    const [error] = await once(connect(service.port, "127.0.0.2"), "error");
    expect(error).toMatchObject({ code: "ECONNREFUSED" });
  });
});
