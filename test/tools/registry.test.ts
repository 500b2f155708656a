import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineTool, type Tool, type ToolContext } from "../../src/core/tool.ts";
import { createToolRegistry } from "../../src/tools/registry.ts";

const named = (name: string, more: Partial<Tool> = {}): Tool => ({
  ...defineTool({ name, description: `the test's ${name}`, args: z.strictObject({}), execute: async () => name }),
  ...more,
});

class Greet implements Tool<{ who: string }> {
  static made = 0;
  readonly name = "greet";
  readonly args = z.strictObject({ who: z.string().describe("whom") });
  readonly #word = "Hello";
  constructor() {
    Greet.made += 1;
  }
  readonly description = async ({ pageUrl }: ToolContext): Promise<string> => `greets at ${pageUrl ?? "no page"}`;
  async execute({ who }: { who: string }): Promise<string> {
    return `${this.#word}, ${who}`;
  }
}

describe("a registry", () => {
  test("takes objects, classes and factories, and tells their names in the order they came", async () => {
    const registry = createToolRegistry([named("a")]);
    registry.register(Greet).register({ name: "late", factory: async () => named("late") });
    expect(registry.toolNames()).toEqual(["a", "greet", "late"]);
    const all = await registry.snapshot();
    expect(all.map((tool) => tool.name)).toEqual(["a", "greet", "late"]);
    expect(all[1]).toBeInstanceOf(Greet);
  });

  test("makes the instance of a class and of a factory once, a factory's when it is asked for", async () => {
    const before = Greet.made;
    let made = 0;
    const make = (): Tool => {
      made += 1;
      return named("late");
    };
    const registry = createToolRegistry([Greet, { name: "late", factory: make }]);
    expect(made).toBe(0);
    const [first, second] = await Promise.all([registry.get("late"), registry.get("late")]);
    expect(first).toBe(second);
    expect(await registry.get("greet")).toBe(await registry.get("greet"));
    expect([made, Greet.made - before]).toEqual([1, 1]);
  });

  test("calls a factory again that has failed", async () => {
    let failures = 1;
    const factory = async (): Promise<Tool> => {
      failures -= 1;
      if (failures >= 0) throw new Error("not yet");
      return named("late");
    };
    const registry = createToolRegistry([{ name: "late", factory }]);
    await expect(registry.get("late")).rejects.toThrow("not yet");
    expect((await registry.get("late"))?.name).toBe("late");
  });

  test("refuses a factory's tool of another name", async () => {
    const registry = createToolRegistry([{ name: "late", factory: () => named("early") }]);
    await expect(registry.get("late")).rejects.toThrow(new TypeError("the factory of late made a tool named early"));
  });

  test.each(["undo_changes", "run_command", "stop_job", "present_plan"])("refuses the agent's own name %s", (name) => {
    const why = (kind: string) =>
      new TypeError(`${kind} is named ${name}: no tool but the agent's own may have this name`);
    expect(() => createToolRegistry([named(name)])).toThrow(why("a tool object"));
    expect(() => createToolRegistry().register({ name, factory: () => named(name) })).toThrow(why("a factory"));
  });

  test("refuses two tools of one name, says what they are, and keeps the first", async () => {
    const first = named("greet");
    const registry = createToolRegistry([first]);
    expect(() => registry.register(Greet)).toThrow(
      new TypeError("two tools are named greet: a tool object and the class Greet"),
    );
    expect(() => registry.register({ name: "greet", factory: () => first })).toThrow("and a factory");
    expect(await registry.get("greet")).toBe(first);
  });

  test.each(["", "a b", "constructor!"])("refuses the name %j", (name) => {
    expect(() => createToolRegistry([{ name, factory: () => named(name) }])).toThrow(TypeError);
  });

  test("forgets what is removed, so that the name is free again", async () => {
    const registry = createToolRegistry([named("a"), named("b")]);
    expect([registry.remove("a"), registry.remove("a"), registry.remove("toString")]).toEqual([true, false, false]);
    expect(await registry.get("a")).toBeUndefined();
    expect(registry.register(named("a")).toolNames()).toEqual(["b", "a"]);
  });
});

describe("tools for pages", () => {
  const registry = createToolRegistry([
    named("anywhere"),
    named("docs", { urlPatterns: ["https://docs.example.com/*", "https://*.example.org/a/*.html"] }),
    { name: "shop", factory: () => named("shop"), urlPatterns: ["https://shop.example.com/"] },
  ]);

  test.each([
    [undefined, ["anywhere"]],
    ["https://docs.example.com/guide?x=1", ["anywhere", "docs"]],
    ["https://DOCS.example.com/guide", ["anywhere", "docs"]],
    ["https://docs.example.com", ["anywhere", "docs"]],
    ["https://docs.example.com.evil.org/", ["anywhere"]],
    ["https://x.example.org/a/b.html", ["anywhere", "docs"]],
    ["https://x.example.org/a/.htm", ["anywhere"]],
    ["https://shop.example.com", ["anywhere", "shop"]],
    ["https://shop.example.com/cart", ["anywhere"]],
    ["not a url", ["anywhere"]],
  ])("at %s are offered %j", (url, names) => {
    expect(registry.toolNames(url)).toEqual(names);
  });

  test("have their schemas told there, with a description made for the page", async () => {
    const own = createToolRegistry([Greet, named("docs", { urlPatterns: ["https://docs.example.com/*"] })]);
    own.register(named("undo", { audience: "person" }));
    expect(await own.schemasFor()).toEqual([
      {
        name: "greet",
        description: "greets at no page",
        parameters: {
          type: "object",
          properties: { who: { type: "string", description: "whom" } },
          required: ["who"],
          additionalProperties: false,
        },
      },
    ]);
    const there = await own.schemasFor("https://docs.example.com/a");
    expect(there.map(({ name, description }) => [name, description])).toEqual([
      ["greet", "greets at https://docs.example.com/a"],
      ["docs", "the test's docs"],
    ]);
  });

  test("of a factory without patterns count the tool's own once it is made", async () => {
    const late = createToolRegistry([{ name: "late", factory: () => named("late", { urlPatterns: ["https://a/*"] }) }]);
    expect(await late.schemasFor()).toEqual([]);
    expect(late.toolNames()).toEqual([]);
    expect(late.toolNames("https://a/b")).toEqual(["late"]);
  });
});
