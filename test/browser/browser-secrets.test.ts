import { dirname } from "node:path";
import { expect } from "vitest";
import { browsers, folders, openBrowser, outputs, tool } from "../support/browser.ts";
import type { Place, Told } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { itInBrowser } from "../support/needs.ts";
import { readQuestion } from "../support/read-question.ts";
import { filesWith, formsIn, keyTexts } from "../support/secret-forms.ts";
import { sends, startWebServer } from "../support/web-server.ts";

const value = 'gx7"Q/<v>&_ 9zK+t';
const tag = (name: string): string => `<secret>${name}</secret>`;
const login = (more = "") =>
  `<title>Log in</title><form method=post action=/in><label>Key <input name=key></label>
  <label>Code <input name=code></label><button>Go</button></form>${more}`;

const types = (more: object = {}) => asks(tool("type"), { target: "e4", text: tag("SITE_KEY"), ...more });
const fills = (more: object = {}) =>
  asks(tool("fill_form"), {
    fields: [{ name: "Key", type: "textbox", target: "e4", value: tag("SITE_KEY"), ...more }],
  });

const refusedIn = (ran: Told): string[] =>
  ran
    .of("tool_call")
    .flatMap(({ call }) => ("errorMsg" in call && call.toolName !== tool("navigate") ? [call.errorMsg] : []));

const set = async (place: Place, name: string, given: string, ...domains: string[]): Promise<void> => {
  const flags = domains.flatMap((one) => ["--domain", one]);
  expect(await place.run(["secrets", "set", name, "--stdin", ...flags], { stdin: given })).toMatchObject({ code: 0 });
};

const goTo = (...ports: number[]) => ({
  tool: tool("navigate"),
  hosts: ports.flatMap((port) => [`127.0.0.1:${port}`, `localhost:${port}`]),
});

itInBrowser(
  "a form is filled with a secret and a code of the moment, by a rule for the page's host; nothing that is shown or kept has them (needs Chromium)",
  async () => {
    let given = new URLSearchParams();
    const web = await startWebServer({
      "/": sends(login()),
      "/in": async (request, response) => {
        let text = "";
        for await (const chunk of request) text += chunk;
        given = new URLSearchParams(text);
        const said = (given.get("key") ?? "").replaceAll("&", "&amp;").replaceAll("<", "&lt;");
        response
          .setHeader("content-type", "text/html; charset=utf-8")
          .end(`<title>${said}</title><h1>In with ${said}, ${given.get("code")}</h1><p>${encodeURIComponent(said)}`);
      },
    });
    const at = `127.0.0.1:${web.port}`;
    const fields = [
      { name: "Key", type: "textbox", target: "e4", value: tag("SITE_KEY") },
      { name: "Code", type: "textbox", target: "e6", value: tag("site_totp") },
    ];
    const place = await openBrowser(
      [
        asks(tool("navigate"), { url: `${web.url}/` }),
        asks(tool("snapshot"), {}),
        asks(tool("fill_form"), { fields }),
        asks(tool("snapshot"), {}),
        asks(tool("click"), { target: "e7" }),
        asks(tool("snapshot"), {}),
        says("It is in."),
      ],
      [
        goTo(web.port),
        { tool: tool("fill_form"), hosts: [at], secrets: ["SITE_KEY", "site_totp"] },
        { tool: tool("click") },
      ],
    );
    await set(place, "SITE_KEY", value, at);
    const key = "JBSWY3DPEHPK3PXP";
    await set(place, "site_totp", key);
    const ran = await place.json(["run", "log in"]);
    expect(ran).toMatchObject({ code: 0, end: { calls: { success: 6 } } });
    expect([given.get("key"), given.get("code")]).toEqual([value, expect.stringMatching(/^\d{6}$/)]);
    const told = outputs(ran);
    expect(told[3]).toContain(tag("SITE_KEY"));
    expect(told[5]).toContain(`In with ${tag("SITE_KEY")}, ${tag("site_totp")}`);
    const requests = JSON.stringify(place.server.requests.map(({ body }) => body));
    const exported = (await place.run(["sessions", "export", ran.session])).stdout;
    const values = [value, String(given.get("code")), ...keyTexts(key)];
    const shown = [ran.stdout, requests, exported];
    expect(shown.flatMap((text) => values.flatMap((one) => formsIn(text, one)))).toEqual([]);
    expect(filesWith(dirname(place.home), values, ["secrets"])).toEqual([]);
    expect([browsers(), folders()]).toEqual([[], []]);
  },
);

itInBrowser(
  "a secret is typed into no page that another host has a part in, or one that is kept apart, nor where none or two are open; a page's own word counts for nothing (needs Chromium)",
  async () => {
    const other = await startWebServer({ "/": sends(login()), "/part": sends("<input>") });
    const web = await startWebServer({
      "/": sends(`${login()}<iframe src="http://localhost:${other.port}/part"></iframe>`),
      "/apart": sends(`${login()}<iframe sandbox=allow-scripts src="/part"></iframe>`),
      "/part": sends("<input>"),
      "/sandbox": sends(login(), "text/html", { "content-security-policy": "sandbox allow-forms allow-scripts" }),
      "/two": sends(`${login()}<script>window.open("http://localhost:${other.port}/")</script>`),
      "/own": sends(`<title>http://127.0.0.1:1/</title>${login("<iframe></iframe><iframe srcdoc=x></iframe>")}`),
    });
    const goes = (url: string) => asks(tool("navigate"), { url });
    const place = await openBrowser(
      [
        types(),
        ...["/", "/apart", "/sandbox"].flatMap((path) => [goes(`${web.url}${path}`), types()]),
        ...[goes(`http://localhost:${other.port}/`), fills()],
        ...[goes(`${web.url}/two`), asks(tool("wait_for"), { time: 1 }), fills()],
        asks(tool("click"), { target: "e7" }),
        asks(tool("tabs"), { action: "close", index: 1 }),
        goes(`${web.url}/own`),
        types(),
        says("Done."),
      ],
      [goTo(web.port, other.port), { tool: tool("tabs") }, { tool: tool("click") }],
    );
    await set(place, "SITE_KEY", value, `127.0.0.1:${web.port}`);
    const ran = await place.json(["run", "go", "--mode", "full-auto"]);
    const another = `and this call speaks to localhost:${other.port}`;
    const apart = "there is a part in this page that belongs to none";
    expect(refusedIn(ran)).toEqual(
      [
        ...["none is: go to one first", another, apart, apart, another],
        ...["more than one is: close the others", "more than one is: close the others"],
      ].map((why) => expect.stringContaining(why)),
    );
    // What is left is its own page: that is asked about, whatever the mode.
    expect(ran.code).toBe(11);
    const [call] = ran.the("approval_requested").calls;
    expect(call).toMatchObject({
      plan: {
        page: `${web.url}/own`,
        hosts: [{ host: "127.0.0.1", port: web.port }],
        warnings: expect.arrayContaining(["your secret SITE_KEY goes to 127.0.0.1 (in text)"]),
      },
    });
    expect(formsIn(ran.stdout, value)).toEqual([]);
    // Its browser is gone with its process, and so is what was approved.
    const went = await place.json(["resume", ran.session, "--approve", "all"]);
    expect(went).toMatchObject({ code: 10, end: { text: "Done.", calls: { cancelled: 1 } } });
    expect(place.heard(-1, -1)).toContain("none is: go to one first");
  },
);

itInBrowser(
  "what something is done to is named as the snapshot names it, and a secret is the value of a field, at once (needs Chromium)",
  async () => {
    const web = await startWebServer({ "/": sends(login()) });
    const place = await openBrowser(
      [
        asks(tool("navigate"), { url: `${web.url}/` }),
        types({ target: "[name=key]" }),
        types({ target: "iframe >> internal:control=enter-frame >> input" }),
        types({ slowly: true }),
        fills({ target: "input" }),
        fills({ name: tag("SITE_KEY") }),
        asks(tool("click"), { target: "button" }),
        says("Done."),
      ],
      [goTo(web.port), { tool: tool("click") }],
    );
    await set(place, "SITE_KEY", value, `127.0.0.1:${web.port}`);
    const ran = await place.json(["run", "go"]);
    expect(ran.code).toBe(0);
    const ref = "is what browser_snapshot calls it";
    expect(refusedIn(ran)).toEqual(
      [ref, ref, "a secret is typed at once", ref, "a secret is put in for a field's value alone", ref].map((why) =>
        expect.stringContaining(why),
      ),
    );
  },
);

itInBrowser(
  "a page that goes elsewhere while a call waits for what it is to be done to takes neither a secret nor a click along (needs Chromium)",
  async () => {
    const other = await startWebServer({
      "/": sends(
        `<form method=post action=/pay><input name=key oninput="fetch('/got?' + encodeURIComponent(this.value))"><button id=go>Pay</button></form>`,
      ),
    });
    const leaves = `<script>setTimeout(() => location.assign("http://localhost:${other.port}/"), 2500)</script>`;
    const web = await startWebServer({
      "/hides": sends(
        `<input name=key aria-label=Key><script>setTimeout(() => (document.querySelector("input").readOnly = true), 300)</script>${leaves}`,
      ),
      "/waits": sends(`<button id=go disabled>Read on</button>${leaves}`),
    });
    const at = `127.0.0.1:${web.port}`;
    const rules = [
      ...[goTo(web.port, other.port), { tool: tool("click") }],
      { tool: tool("type"), hosts: [at], secrets: ["SITE_KEY"] },
    ];
    const calls = [
      ["hides", asks(tool("type"), { target: "e2", text: tag("SITE_KEY") })],
      ["waits", asks(tool("click"), { target: "e2" })],
    ] as const;
    for (const [page, call] of calls) {
      other.seen.length = 0;
      const goes = asks(tool("navigate"), { url: `${web.url}/${page}` });
      const place = await openBrowser([goes, asks(tool("wait_for"), { time: 1 }), call, says("Done.")], rules);
      await set(place, "SITE_KEY", value, at);
      const ran = await place.json(["run", "go"]);
      expect(ran).toMatchObject({ code: 0, end: { calls: { success: 2, error: 1 } } });
      expect(place.heard(-1, -1)).toContain("Timeout");
      expect(other.seen).toContain("GET /");
      expect(other.seen.join(" ")).not.toMatch(/got|pay/u);
    }
  },
);

itInBrowser(
  "what was approved on one page is asked anew where the browser shows another by then; kill -9 leaves no browser (needs Chromium)",
  async () => {
    let goOn = (): void => undefined;
    const web = await startWebServer({
      "/": sends(`${login()}<script>fetch("/wait").then(() => location.assign("/other"))</script>`),
      "/other": sends(login("<p>other")),
      "/wait": (_, response) => {
        goOn = () => void response.end("now");
      },
    });
    const place = await openBrowser(
      [asks(tool("navigate"), { url: `${web.url}/` }), asks(tool("click"), { target: "e7" }), says("Done.")],
      [goTo(web.port)],
    );
    const pty = place.chat(["chat", "press it"]);
    await pty.waitFor(`it works on the page ${web.url}/`);
    await pty.waitFor("Yes, once");
    goOn();
    while (!web.seen.includes("GET /other")) await new Promise((again) => setTimeout(again, 20));
    await readQuestion();
    pty.key("y");
    await pty.waitFor(`it works on the page ${web.url}/other`);
    expect(web.seen).not.toContain("POST /in");
    const { pid } = pty;
    expect(browsers(pid).length).toBeGreaterThan(1);
    process.kill(pid, "SIGKILL");
    await pty.exit;
    while (browsers(pid).length > 0) await new Promise((again) => setTimeout(again, 50));
  },
);
