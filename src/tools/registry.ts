import { reservedNames } from "../core/reserved-names.ts";
import type { OtherKeys, Tool, ToolContext } from "../core/tool.ts";
import { checkToolName } from "../core/tool-name.ts";
import { isBuiltIn } from "./built-in.ts";
import { createToolContext } from "./use/run-tool.ts";
import { type ToolSchema, toolSchema } from "./use/schema.ts";
import { isOfferedAt, patternProblem } from "./use/url-patterns.ts";

/** A class whose instances are tools. */
export type ToolClass = new () => Tool;

/** A tool that is made when it is first needed, and in a session for each call. */
export interface ToolFactory {
  /** The name that the tool will have. */
  readonly name: string;
  readonly factory: (ctx: ToolContext) => Tool | Promise<Tool>;
  /** The pages where the tool is offered; without it the tool's own patterns count, from when it is made. */
  readonly urlPatterns?: readonly string[];
}

export type ToolSource = Tool | ToolClass | ToolFactory;

/** The results that the tools of these sources return. */
type ResultOf<Source> = Source extends new () => infer Made
  ? ResultOf<Made>
  : Source extends { factory(...given: never): infer Made }
    ? ResultOf<Awaited<Made>>
    : Source extends { execute(...given: never): infer Output }
      ? Awaited<Output>
      : never;

type WrongKeys<Key> = [Key] extends [never]
  ? unknown
  : string extends Key
    ? unknown
    : `ToolResult has no key ${Key & string}`;

/** Nothing, or why tools that no `defineTool` made do not compile: a key that no result has, also where a class says no return type. */
type HeldToResult<Source> = WrongKeys<OtherKeys<ResultOf<Source>>>;

/** A source, or sources each with the type that it has, held to the keys of a result. */
export type HeldSource<Source> = Source & HeldToResult<Source>;
export type HeldSources<Sources extends Iterable<ToolSource> | []> = Sources &
  HeldToResult<Sources extends Iterable<infer Source> ? Source : never>;

/** The tools among other options, as `AgentOptions.tools`. */
export interface HeldTools<Sources extends readonly ToolSource[] | []> {
  tools?: HeldSources<Sources> | ToolRegistry;
}

/** Tools by name, in the order they were registered. Not a session's own: a session works with a snapshot of it. */
export interface ToolRegistry {
  /**
   * A class is instantiated now, for its name; a factory is called once, when its tool is first asked for.
   * @throws TypeError for two tools of one name, a name that model servers do not accept (1 to 64 of a-z A-Z 0-9 _ -), one of the
   * agent's own (undo_changes, run_command, stop_job, present_plan, search_tools), or `urlPatterns` that are none.
   */
  register<Source extends ToolSource>(source: HeldSource<Source>): ToolRegistry;
  /** Takes a tool out; it is not disposed. @returns false where there is none of this name. */
  remove(name: string): boolean;
  /** The one instance of this name. @throws what its factory throws, and calls it again the next time. */
  get(name: string): Promise<Tool | undefined>;
  /** Names of the tools that are offered on this page, without a url of those that need no page (`Tool.urlPatterns`). */
  toolNames(url?: string): string[];
  /**
   * Returns the schemas that a model is sent; a tool for the person is not among them. `context` is for descriptions that are made from
   * it.
   */
  schemasFor(url?: string, context?: Partial<ToolContext>): Promise<ToolSchema[]>;
  /** All tools as they are now, made where they were not: what a session works with. */
  snapshot(): Promise<Tool[]>;
}

export const isRegistry = (tools: readonly ToolSource[] | ToolRegistry): tools is ToolRegistry => !Array.isArray(tools);

interface Registered {
  /** For the error about two of one name. */
  readonly kind: string;
  readonly isBuiltIn: boolean;
  patterns(): Tool["urlPatterns"];
  tool(): Promise<Tool>;
  /** Another instance, for one call; absent for an object, which serves all. */
  make?(ctx: ToolContext): Promise<Tool>;
}

/** The entry of a registry under one name: the instance that it is shown by, and the function that makes another one for a call. */
export interface ToolMaker {
  readonly first: Tool;
  readonly make: ((ctx: ToolContext) => Promise<Tool>) | undefined;
}

const registered = new WeakMap<ToolRegistry, Map<string, Registered>>();

/** All that a registry has now, made where it was not. */
export const makersOf = (registry: ToolRegistry): Promise<ToolMaker[]> =>
  Promise.all(
    [...(registered.get(registry)?.values() ?? [])].map(async ({ tool, make }) => ({ first: await tool(), make })),
  );

/** @param sources one that is not of `createDefaultTools` takes the place of the one of these with its name */
export function createToolRegistry<Sources extends Iterable<ToolSource> | []>(
  sources?: HeldSources<Sources>,
): ToolRegistry {
  const byName = new Map<string, Registered>();

  const offered = (url: string | undefined): [string, Registered][] =>
    [...byName].filter(([, registered]) => isOfferedAt(registered.patterns(), url));

  const add = ({ name, ...made }: Named): void => {
    const before = byName.get(name);
    if (before !== undefined) throw new TypeError(`two tools are named ${name}: ${before.kind} and ${made.kind}`);
    byName.set(name, made);
  };

  const registry: ToolRegistry = {
    register(source) {
      add(named(source));
      return registry;
    },
    remove: (name) => byName.delete(name),
    get: async (name) => byName.get(name)?.tool(),
    toolNames: (url) => offered(url).map(([name]) => name),
    async schemasFor(url, context = {}) {
      const page = url === undefined ? {} : { pageUrl: url };
      const ctx = createToolContext({ workspace: "", ...page, ...context });
      // All are made before they are looked at: a factory's tool may have patterns of its own.
      await registry.snapshot();
      const tools = await Promise.all(offered(url).map(([, { tool }]) => tool()));
      return Promise.all(tools.filter(isForModel).map((tool) => toolSchema(tool, ctx)));
    },
    snapshot: () => Promise.all([...byName.values()].map(({ tool }) => tool())),
  };
  registered.set(registry, byName);
  const names: string[] = [];
  for (const source of sources ?? []) {
    const { name, ...made } = named(source);
    const before = byName.get(name);
    if (before === undefined || before.isBuiltIn === made.isBuiltIn) add({ name, ...made });
    else {
      names.push(name);
      // Whichever stands first.
      if (before.isBuiltIn) byName.set(name, made);
    }
  }
  replaced.set(registry, names);
  return registry;
}

const replaced = new WeakMap<ToolRegistry, readonly string[]>();

/** Names of this program's tools in whose place the caller's own came when the registry was made. */
export const replacedIn = (registry: ToolRegistry): readonly string[] => replaced.get(registry) ?? [];

const isForModel = (tool: Tool): boolean => tool.audience !== "person";

type Named = Registered & { readonly name: string };

function named(source: ToolSource): Named {
  const made = typeof source === "function" ? ofClass(source) : ofObject(source);
  checkToolName(made.name);
  checkPatterns(made.name, made.patterns());
  if (reservedNames.has(made.name))
    throw new TypeError(`${made.kind} is named ${made.name}: no tool but the agent's own may have this name`);
  return made;
}

function checkPatterns(name: string, patterns: Tool["urlPatterns"]): void {
  const wrong = patternProblem(patterns);
  if (wrong !== undefined) throw new TypeError(`urlPatterns of ${name}: ${wrong}`);
}

function ofClass(made: ToolClass): Named {
  return { ...ofTool(new made(), `the class ${made.name}`), make: async () => new made() };
}

function ofObject(source: Tool | ToolFactory): Named {
  return "factory" in source ? ofFactory(source) : ofTool(source, "a tool object");
}

const ofTool = (tool: Tool, kind: string): Named => ({
  name: tool.name,
  kind,
  isBuiltIn: isBuiltIn(tool),
  patterns: () => tool.urlPatterns,
  tool: async () => tool,
});

function ofFactory({ name, factory, urlPatterns }: ToolFactory): Named {
  let making: Promise<Tool> | undefined;
  let made: Tool | undefined;
  const make = async (ctx: ToolContext): Promise<Tool> => {
    const tool = await factory(ctx);
    if (tool.name !== name) throw new TypeError(`the factory of ${name} made a tool named ${tool.name}`);
    checkPatterns(name, tool.urlPatterns);
    return tool;
  };
  const makeFirst = async (): Promise<Tool> => {
    made = await make(createToolContext({ workspace: "" }));
    return made;
  };
  return {
    name,
    kind: "a factory",
    isBuiltIn: false,
    patterns: () => urlPatterns ?? made?.urlPatterns,
    make,
    tool: () => {
      making ??= makeFirst().catch((error: unknown) => {
        making = undefined;
        throw error;
      });
      return making;
    },
  };
}
