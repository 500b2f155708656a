import { resolve } from "node:path";
import type { Change } from "../../files/diff/diff-text.ts";
import type { Session } from "../../session/session.ts";
import type { SessionRow } from "../../store/types.ts";
import { modes } from "../../words/en/modes.ts";
import { services as words } from "../../words/en/services.ts";
import { purposeAgain, titleAgain } from "../../words/said-again.ts";
import type { Composition } from "../composition.ts";
import { plainText } from "../terminal/span.ts";
import type { JobLine, ModelList, Permissions, SessionAbout } from "./session-services.ts";

/** By session and call: whoever looks on at a list of jobs reads those that have ended once. */
type EndedJobs = Map<string, Map<string, JobLine>>;

/**
 * Makes the facts that the chat's commands tell about its session, as the commands of the same names do outside: their parts are loaded
 * when they are asked for. Nothing of it is safe to draw yet.
 */
export function aboutSession(composition: Composition): SessionAbout {
  const ended: EndedJobs = new Map();
  let { theme } = composition.config;
  return {
    rename: async (id, title) => rename(composition, id, title),
    fork: async (id) => fork(composition, id),
    exportTo: async (id, file) => {
      await stored(composition, id);
      const { writeExport } = await import("./written-export.ts");
      return (await writeExport(composition, id, file ?? `${id}.ndjson`)).join("\n");
    },
    permissions: async (session, mode) => permissions(composition, session, mode),
    revokeGrant: async (id) => (await composition.grants()).revoke(id),
    theme: () => theme,
    keepTheme: async (chosen) => {
      const { config } = composition.places;
      await (await import("../settings/write-setting.ts")).writeSetting(config, ["theme"], chosen);
      theme = chosen;
      return config;
    },
    status: async (session) => status(composition, session),
    context: async (session) => context(composition, session),
    tools: async ({ workspace }) => toolList(composition, workspace),
    jobs: async (session) => jobs(composition, session, ended),
    agents: (session) => agents(composition, session),
    talk: (id, most) => talkOf(composition, id, most),
    diff: (id) => diffOf(composition, id),
    models: async (inUse) => modelList(composition, inUse),
    page: (id) => page(composition, id),
    writePicture: async (file, bytes) => {
      const { writeNew } = await import("../new-file.ts");
      const path = resolve(composition.io.cwd(), file);
      await writeNew(path, [bytes]);
      return words().picture({ file: path });
    },
    ruleOffer: async (workspace, session) =>
      (await import("./rule-offer.ts")).ruleOffer(composition, workspace, session),
    forgetMemory: async (line) =>
      (await import("../../tools/memory/memory-file.ts")).forgetLine(composition.places.memories, line),
  };
}

/** @throws Error where nothing of the session is stored yet. */
async function stored(composition: Composition, id: string): Promise<SessionRow> {
  const row = composition.hasStore() ? (await composition.store()).sessions.get(id) : undefined;
  if (row === undefined) throw new Error(words().nothingSaid);
  return row;
}

async function rename(composition: Composition, id: string, title: string): Promise<string> {
  await stored(composition, id);
  const { renameSession } = await import("../../records/title.ts");
  const kept = await renameSession(await composition.store(), id, title);
  if (kept === undefined) throw new Error(words().noTitle);
  return words().called({ title: kept });
}

async function fork(composition: Composition, id: string): Promise<{ id: string; text: string }> {
  const row = await stored(composition, id);
  const { forkSession } = await import("../../records/fork.ts");
  const forked = await forkSession(await composition.store(), row);
  if (forked === undefined) throw new Error(words().nothingToFork);
  const text = words().forked({ fork: forked.id, turns: forked.turns, session: id });
  return { id: forked.id, text };
}

async function permissions(
  composition: Composition,
  { id, workspace }: Session,
  mode: Parameters<SessionAbout["permissions"]>[1],
): Promise<Permissions> {
  const [{ listRules }, { ruleRows }] = await Promise.all([
    import("../../policy/check.ts"),
    import("../print/rule-rows.ts"),
  ]);
  const policy = await composition.policy({ session: id, workspace, mode });
  const rows = listRules(policy).map((row) => ({
    text: ruleRows(row, undefined).map(plainText).join(" "),
    ...(row.id !== undefined && { grant: row.id }),
  }));
  const made = policy.autoSandbox === true ? [words().autoSandbox] : [];
  return { heads: [words().mode({ mode, means: modes()[mode] }), ...made], rows };
}

async function status(composition: Composition, { id, workspace }: Session): Promise<[string, string][]> {
  const row = composition.hasStore() ? (await composition.store()).sessions.get(id) : undefined;
  const { status: said } = words();
  const program: [string, string][] = [[said.version, `holdfast ${composition.version()}`]];
  if (row === undefined) return [[said.folder, workspace], [said.saved, said.notSaved], ...program];
  const [store, { standingOfRow }, { helpersOf }, { helperFacts }] = await Promise.all([
    composition.store(),
    import("../../records/session-progress.ts"),
    import("../../records/helpers.ts"),
    import("./helper-facts.ts"),
  ]);
  const journal = store.readJournal(id);
  const files = standingOfRow(store, row)?.filesChanged ?? 0;
  return [
    [said.title, row.title],
    [said.folder, workspace],
    [said.turns, String(journal.turns().length)],
    ...helperFacts(helpersOf(store, id, row.state)),
    [said.files, files === 0 ? said.noneChanged : said.changed({ files })],
    [said.saved, store.file],
    ...program,
  ];
}

async function page(composition: Composition, id: string): ReturnType<SessionAbout["page"]> {
  const browsers = composition.browsersOf(id);
  if (browsers.length === 0) return { pages: [], areSeveral: false };
  const [{ lookAtPages }, secrets] = await Promise.all([
    import("../../tools/mcp/browser/look-at-page.ts"),
    composition.secrets(),
  ]);
  return lookAtPages(browsers, (text) => secrets?.masking.text(text) ?? text);
}

/** As tools count it too. */
const charactersOfToken = 4;

async function context(composition: Composition, { id, workspace }: Session): ReturnType<SessionAbout["context"]> {
  const { toolRows } = await import("./tool-rows.ts");
  const [prompt, tools] = await Promise.all([composition.prompt(workspace), toolRows(composition, workspace)]);
  const { files, memories } = prompt.sizes;
  const { context: said } = words();
  const sources = prompt.sources.map((source) => titleAgain("a prompt", source));
  const part = (name: string, characters: number, what: string) =>
    characters === 0 ? [] : [{ name, tokens: Math.ceil(characters / charactersOfToken), what }];
  return [
    ...part(said.prompt, prompt.text.length - files - memories, said.promptIs),
    {
      name: said.tools,
      tokens: tools.reduce((sum, { tokens }) => sum + tokens, 0),
      what: said.toolsAre({ tools: tools.length }),
    },
    ...part(said.files, files, sources.length === 0 ? said.filesAre : said.filesOf({ sources })),
    ...part(said.memories, memories, said.memoriesAre),
    ...(await summaryPart(composition, id, part)),
  ];
}

/** Returns the part of the summary, which stands in the place of the talk before it. */
async function summaryPart<Part>(
  composition: Composition,
  id: string,
  part: (name: string, characters: number, what: string) => Part[],
): Promise<Part[]> {
  const store = composition.hasStore() ? await composition.store() : undefined;
  const cuts = store?.sessions.get(id) === undefined ? [] : store.readJournal(id).compactions();
  const last = cuts.findLast((cut) => cut.kind === "summary" && cut.undone === undefined);
  return last?.kind !== "summary" ? [] : part(words().context.summary, last.shown.length, words().context.summaryIs);
}

async function toolList(composition: Composition, workspace: string): Promise<string> {
  const { toolRows } = await import("./tool-rows.ts");
  const rows = await toolRows(composition, workspace);
  const widest = Math.max(...rows.map(({ name }) => name.length));
  const lines = rows.map(({ name, source, risk, tokens, description }) => {
    const isFor = source === "builtin" ? purposeAgain(name, description) : description;
    return `  ${name.padEnd(widest)}  ${risk.padEnd(6)} ${String(tokens).padStart(4)}  ${isFor.split("\n", 1)[0] ?? ""}`;
  });
  return [words().tools({ tools: rows.length }), ...lines].join("\n");
}

async function jobs(composition: Composition, { id }: Session, ended: EndedJobs): ReturnType<SessionAbout["jobs"]> {
  const store = composition.hasStore() ? await composition.store() : undefined;
  if (store?.sessions.get(id) === undefined) return [];
  const { jobLines } = await import("./job-lines.ts");
  const known = ended.get(id) ?? new Map<string, JobLine>();
  ended.set(id, known);
  return jobLines(id, store.readJournal(id), known);
}

async function agents(composition: Composition, { id }: Session): ReturnType<SessionAbout["agents"]> {
  const store = composition.hasStore() ? await composition.store() : undefined;
  const row = store?.sessions.get(id);
  if (store === undefined || row === undefined) return [];
  const { helpersOf } = await import("../../records/helpers.ts");
  return helpersOf(store, id, row.state).map((one) => {
    const updatedAt = store.sessions.get(one.session)?.updatedAt;
    return { ...one, mark: `${one.steps}/${store.readJournal(one.session).lastEvent()}/${updatedAt}` };
  });
}

async function talkOf(
  composition: Composition,
  id: string,
  most: number | undefined,
): ReturnType<SessionAbout["talk"]> {
  const store = composition.hasStore() ? await composition.store() : undefined;
  if (store?.sessions.get(id) === undefined) return { transcript: [], earlier: 0 };
  const { historyOf } = await import("../../records/history.ts");
  return historyOf(store.readJournal(id), most);
}

async function diffOf(composition: Composition, id: string): Promise<Change[]> {
  const [store, { sessionDiff }] = await Promise.all([composition.store(), import("../../records/session-diff.ts")]);
  const row = store.sessions.get(id);
  const tree = { store, journal: store.readJournal(id) };
  return row === undefined ? [] : sessionDiff(tree, row.workspace).flatMap(({ changes }) => changes);
}

/** Some servers have hundreds. */
const mostModels = 40;

async function modelList(composition: Composition, inUse: string): Promise<ModelList> {
  const [{ aboutModel, modelRows, unlistedText }, { models, unlisted }] = await Promise.all([
    import("../print/model-rows.ts"),
    composition.models(inUse),
  ]);
  const more = models.length - mostModels;
  const lines = [
    ...modelRows(models.slice(0, mostModels), undefined).map((row) => plainText(row).trimEnd()),
    ...(more > 0 ? [words().moreModels({ models: more })] : []),
  ];
  const named = models.map((row) => ({ spec: row.model, text: aboutModel(row) }));
  return { models: named, lines, unlisted: unlisted.map(unlistedText) };
}
