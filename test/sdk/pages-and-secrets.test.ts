import { describe, expect, it } from "vitest";
import { createToolRegistry, defineTool, executeTool, type Tool, z } from "../../src/index.ts";
import { tempTree } from "../tools/temp-tree.ts";

const search = defineTool({
  name: "google_advanced_search",
  description: "Searches as only Google's own pages can.",
  args: z.strictObject({ query: z.string(), date_range: z.string().optional() }),
  urlPatterns: ["*.google.com", "www.google.*"],
  execute: () => "found",
});
const openPull = defineTool({
  name: "github_pr_create",
  description: "Opens a pull request.",
  args: z.strictObject({ title: z.string(), body: z.string() }),
  urlPatterns: ["*.github.com"],
  execute: () => "opened",
});
const shot = defineTool({
  name: "take_screenshot",
  description: "A picture of the page.",
  args: z.strictObject({}),
  execute: () => "taken",
});

describe("a registry asked for a page", () => {
  const registry = createToolRegistry([search, openPull, shot]);
  const there = async (url?: string) => ({
    names: registry.toolNames(url),
    schemas: (await registry.schemasFor(url)).map(({ name }) => name),
  });
  const both = (...names: string[]) => ({ names, schemas: names });

  it("has the tools of that page and those of every page, and their schemas alone", async () => {
    expect(await there("https://www.google.com/search?q=test")).toEqual(
      both("google_advanced_search", "take_screenshot"),
    );
    expect(await there("https://www.google.co.uk/")).toEqual(both("google_advanced_search", "take_screenshot"));
    expect(await there("https://mail.google.com/")).toEqual(both("google_advanced_search", "take_screenshot"));
    expect(await there("https://github.com/ada/a")).toEqual(both("github_pr_create", "take_screenshot"));
    expect(await there("https://example.org/")).toEqual(both("take_screenshot"));
    expect(await there()).toEqual(both("take_screenshot"));
  });
});

describe("secrets by the domains of their pages", () => {
  const token = "ghp_x9K2mQ7vTz41LwPd";
  const github = { domains: ["*.github.com"] };
  const google = { domains: ["*.google.com"] };
  const secrets = {
    api_key: "sk-9Vb2QxT7mLw4Kz",
    github_token: { value: token, ...github },
    github_password: { value: "my-9-secret-Password!", ...github },
    github_2fa_bu_2fa_code: { value: "JBSWY3DPEHPK3PXP", ...github },
    google_password: { value: "another-7-secret-Word!", ...google },
    google_2fa_bu_2fa_code: { value: "JBSWY3DPEHPK3PXP", ...google },
  };
  const tagOf = (name: string): string => `<secret>${name}</secret>`;
  const [login, mail] = ["https://github.com/login", "https://accounts.google.com/"];

  /** Runs a tool of these arguments at a page, and gives what the tool was given, and why it was given nothing. */
  async function used(names: readonly string[], given: Record<string, unknown>, pageUrl?: string) {
    const got: Record<string, unknown>[] = [];
    const tool: Tool = defineTool({
      name: "use_them",
      description: "Uses them.",
      args: {
        jsonSchema: { type: "object", properties: Object.fromEntries(Object.keys(given).map((name) => [name, {}])) },
      },
      secrets: names,
      execute: (args) => {
        got.push(args);
        return JSON.stringify(args);
      },
    });
    const page = pageUrl === undefined ? {} : { pageUrl };
    const result = await executeTool(tool, given, { workspace: tempTree(), secrets, ...page });
    return { got: got[0], result };
  }
  const input = (text: string, pageUrl?: string) => used(["text"], { index: 5, text }, pageUrl);

  it("are typed at pages of theirs, and one without a domain at any", async () => {
    expect((await input(tagOf("github_password"), login)).got).toEqual({ index: 5, text: "my-9-secret-Password!" });
    expect((await input(tagOf("google_2fa_bu_2fa_code"), mail)).got).toMatchObject({
      text: expect.stringMatching(/^\d{6}$/),
    });
    for (const pageUrl of [login, mail, undefined])
      expect((await input(tagOf("api_key"), pageUrl)).got).toMatchObject({ text: secrets.api_key });
  });

  it("go to no other page, and not by a bare name, which stays the word that it is", async () => {
    for (const [name, pageUrl] of [
      ["github_password", mail],
      ["google_2fa_bu_2fa_code", login],
      ["google_password", "https://google.com.evil.test/"],
      ["github_password", undefined],
    ] as const) {
      const { got, result } = await input(tagOf(name), pageUrl);
      expect([got, result.metadata?.["code"]]).toEqual([undefined, "INVALID_ARGUMENT"]);
    }
    const bare = await input("github_password", login);
    expect(bare.got).toEqual({ index: 5, text: "github_password" });
    expect(bare.result.output).toContain(
      `github_password in text was taken as a word; a secret is put in for ${tagOf("github_password")}`,
    );
    expect((await input("my github_password", login)).result.output).not.toContain("taken as a word");
  });

  it("a call of a site's API is given its token and the code of the moment, and tells neither", async () => {
    const given = {
      endpoint: "/user",
      token: tagOf("github_token"),
      totp: tagOf("github_2fa_bu_2fa_code"),
    };
    const { got, result } = await used(["token", "totp"], given, "https://github.com");
    expect(got).toEqual({ endpoint: "/user", token, totp: expect.stringMatching(/^\d{6}$/) });
    expect(JSON.parse(result.output)).toMatchObject({ token: given.token, endpoint: "/user" });
    // Keys of two secrets are one, so their codes are too: the one that is masked names one of them.
    expect(result.output).toMatch(/"totp":"<secret>(?:github|google)_2fa_bu_2fa_code<\/secret>"/);
  });
});
