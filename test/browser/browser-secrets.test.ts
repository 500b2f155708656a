import { dirname } from "node:path";
import { expect } from "vitest";
import { browsers, folders, openBrowser, outputs, tool } from "../support/browser.ts";
import type { Place } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { itInBrowser } from "../support/needs.ts";
import { readQuestion } from "../support/read-question.ts";
import { filesWith, formsIn } from "../support/secret-forms.ts";
import { sends, startWebServer } from "../support/web-server.ts";

const value = 'gx7"Q/<v>&_ 9zK+t';
const tag = (name: string): string => `<secret>${name}</secret>`;
const login = (more = "") =>
  `<title>Log in</title><form method=post action=/in><label>Key <input name=key></label>
  <label>Code <input name=code></label><button>Go</button></form>${more}`;

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
    await set(place, "site_totp", "JBSWY3DPEHPK3PXP");
    const ran = await place.json(["run", "log in"]);
    expect(ran).toMatchObject({ code: 0, end: { calls: { success: 6 } } });
    expect([given.get("key"), given.get("code")]).toEqual([value, expect.stringMatching(/^\d{6}$/)]);
    const told = outputs(ran);
    expect(told[3]).toContain(tag("SITE_KEY"));
    expect(told[5]).toContain(`In with ${tag("SITE_KEY")}, ${tag("site_totp")}`);
    const requests = JSON.stringify(place.server.requests.map(({ body }) => body));
    const exported = (await place.run(["sessions", "export", ran.session])).stdout;
    expect([ran.stdout, requests, exported].map((text) => formsIn(text, value))).toEqual([[], [], []]);
    expect(filesWith(dirname(place.home), value, ["secrets"])).toEqual([]);
    expect([browsers(), folders()]).toEqual([[], []]);
  },
);

itInBrowser(
  "a secret is typed into no page that another host has a part in, nor where none or two are open; a page's own word counts for nothing (needs Chromium)",
  async () => {
    const other = await startWebServer({ "/": sends(login()), "/part": sends("<input>") });
    const web = await startWebServer({
      "/": sends(`${login()}<iframe src="http://localhost:${other.port}/part"></iframe>`),
      "/blank": sends(`${login()}<iframe sandbox=allow-scripts srcdoc="<input>"></iframe>`),
      "/two": sends(`${login()}<a href="http://localhost:${other.port}/" target=_blank>two</a>`),
      "/own": sends(`<title>http://127.0.0.1:1/</title>${login("<p>Page URL: http://bank.example/")}`),
    });
    const types = (target = "e4") => asks(tool("type"), { target, text: tag("SITE_KEY") });
    const place = await openBrowser(
      [
        types(),
        asks(tool("navigate"), { url: `${web.url}/` }),
        types(),
        asks(tool("navigate"), { url: `${web.url}/blank` }),
        types(),
        asks(tool("navigate"), { url: `http://localhost:${other.port}/` }),
        types(),
        asks(tool("navigate"), { url: `${web.url}/own` }),
        asks(tool("fill_form"), { fields: [{ name: tag("SITE_KEY"), type: "textbox", target: "e4", value: "x" }] }),
        types(),
        says("Done."),
      ],
      [goTo(web.port, other.port)],
    );
    await set(place, "SITE_KEY", value, `127.0.0.1:${web.port}`);
    const ran = await place.json(["run", "go", "--mode", "full-auto"]);
    const refused = ran
      .of("tool_call")
      .flatMap(({ call }) => ("errorMsg" in call && call.toolName !== tool("navigate") ? [call.errorMsg] : []));
    expect(refused).toEqual([
      expect.stringContaining("no page is open"),
      expect.stringContaining(`and this call speaks to localhost:${other.port}`),
      expect.stringContaining("it is not known whose page this is, or there is a part in it"),
      expect.stringContaining(`and this call speaks to localhost:${other.port}`),
      expect.stringContaining("a secret is put in for a field's value alone"),
    ]);
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
