import { oneLine } from "../core/fence.ts";
import { isJsonObject, type Sha } from "../core/json.ts";
import type { KnownSecrets } from "../core/secrets/known-secrets.ts";
import type { SeenFiles, Tool } from "../core/tool.ts";
import { LiveCalls } from "../graph/calls/live-calls.ts";
import { PathTurns } from "../graph/calls/path-turns.ts";
import type { ChildSessions } from "../graph/child-sessions.ts";
import { foundTools, sessionGoals } from "../graph/ended-calls.ts";
import { openPage } from "../graph/open-page.ts";
import type { SessionRuntime } from "../graph/runtime.ts";
import type { Check } from "../graph/talk/checks.ts";
import { noticesOf } from "../graph/talk/notices.ts";
import { tellPrompt } from "../graph/talk/prompt/make-prompt.ts";
import { createRenderer } from "../graph/talk/render.ts";
import { createImageShower } from "../graph/talk/show-images.ts";
import { withLeads } from "../policy/files/lead-look.ts";
import { offersFor } from "../policy/grants.ts";
import { artifactsInTree } from "../records/artifacts.ts";
import { undoSource } from "../records/undo/changes.ts";
import type { Journal, Store } from "../store/types.ts";
import type { Hooks } from "../tools/hooks/hooks.ts";
import type { AgentParts, SessionTools } from "./agent-parts.ts";
import { JobEndsTold } from "./job-ends.ts";
import type { Above, Opening } from "./opening.ts";
import { catalogueOf } from "./tools-of-session.ts";

/** The things that are found and opened for a session beside those that it is opened with. */
export interface Opened {
  store: Pick<Store, "readJournal" | "sessions">;
  journal: Journal;
  tools: SessionTools;
  maxSteps: number;
  maxObserve: number | false | undefined;
  checks: readonly Check[];
  hooks: Hooks | undefined;
  addDirs: readonly string[];
  secrets: KnownSecrets | undefined;
  /** Of a fork: the last of the calls that came along. */
  copiedTo: string | undefined;
  children: ChildSessions | undefined;
  /** It is driven by a session that can send what runs in it to the background. */
  sendsAside: boolean;
}

/** Makes the runtime that the graph of one session works with, the same in all its runs. */
export function runtimeOf(
  parts: AgentParts,
  opening: Pick<Opening, "id" | "workspace" | "pins" | "above" | "emit" | "allHeard" | "forms">,
  opened: Opened,
): SessionRuntime {
  const { id, workspace, pins, emit } = opening;
  const session = opening.above?.root ?? id;
  const { store, journal, maxSteps, maxObserve, addDirs, secrets, copiedTo, children } = opened;
  const tools: readonly Tool[] = opened.tools.tools;
  const catalogue = catalogueOf(opened.tools, undoSource({ store, journal }), workspace);
  const live = new LiveCalls({
    emit,
    toolNamed: (name) => catalogue.get(name),
    reportDefect: (error) => parts.reportDefect?.(error),
  });
  const goals = sessionGoals(journal, () => store.sessions.children(id));
  let prompt: Promise<string> | undefined;
  const policyOf = withLeads(parts.loadPolicy, { workspace, addDirs, rights: opening.above?.rights });
  return {
    sessionId: id,
    workspace,
    ...(addDirs.length === 0 ? {} : { addDirs }),
    pins,
    journal,
    ...(copiedTo === undefined ? {} : { copiedTo }),
    catalogue,
    renderer: createRenderer(journal, noticesOf(journal, goals)),
    images: createImageShower(journal),
    maxObserve,
    seen: seenFiles(journal),
    goals,
    foundTools: foundTools(journal),
    artifacts: artifactsInTree(store, journal),
    ...(opened.tools.tree === undefined ? {} : { tree: opened.tools.tree }),
    services: opened.tools.services,
    ...settingsOf(parts),
    secrets,
    ...pageFor(parts, opened.tools, { session: id, emit }),
    maxSteps,
    ...(opening.above && underAbove(opening.above)),
    paths: opening.above?.paths ?? new PathTurns(),
    checks: opened.checks,
    ...(opened.hooks === undefined ? {} : { hooks: opened.hooks }),
    ...atFirst(parts, workspace),
    clock: parts.clock,
    live,
    jobs: new JobEndsTold(journal, opening),
    sendsAside: opened.sendsAside,
    ...(children === undefined ? {} : { children }),
    emit: live.emit,
    ...askingIn(parts, opening, live.emit),
    reportDefect: (error) => parts.reportDefect?.(error),
    // One prompt a process: a history whose first lines change costs the provider's cache.
    systemPrompt: () => {
      prompt ??= parts.systemPrompt({ workspace, tools, addDirs }).then((made) => {
        pins.check();
        for (const notice of opened.tools.notices ?? []) emit({ type: "notice", ...notice });
        // What is to be told of a prompt, its session has told of its own.
        if (opening.above === undefined) return tellPrompt(made, emit);
        const { agent, instructions } = opening.above;
        return `${tellPrompt(made, () => undefined)}\n\n# You are ${oneLine(agent)}\n\n${instructions}`;
      });
      return prompt;
    },
    policy: (mode) => policyOf({ session, workspace, mode }),
    offers: offersIn(parts, { session, workspace, isOfHelper: opening.above !== undefined }),
    addGrant: async (grant, isAgain) => parts.grants?.book.add(grant, isAgain),
  };
}

/** Whoever runs the session says it, else a browser among its tools. */
function pageFor(
  { page }: AgentParts,
  tools: SessionTools,
  { session, emit }: { session: string } & Pick<Opening, "emit">,
) {
  const ask = page === undefined ? tools.page : () => page({ session });
  return ask === undefined ? {} : { page: openPage(async () => ask(), emit) };
}

/** Gives its calls the means to ask the person while they run. */
const askingIn = (
  { fillsForms }: AgentParts,
  { id, forms }: Pick<Opening, "id" | "forms">,
  emit: SessionRuntime["emit"],
): Pick<SessionRuntime, "askerOf"> => ({
  askerOf: (call) => (fillsForms?.() === true ? forms?.askerOf({ session: id, call }, emit) : undefined),
});

const offersIn =
  (
    { grants }: AgentParts,
    where: { session: string; workspace: string; isOfHelper: boolean },
  ): SessionRuntime["offers"] =>
  (facts, policy) =>
    grants === undefined ? [] : offersFor(facts, policy, { ...where, grantFile: grants.file });

/** Picks the parts that a session works with as they are. */
const settingsOf = ({ uid, toolTimeoutMs, maxCost, outputSchema, ...parts }: AgentParts) => ({
  ...{ uid, toolTimeoutMs, maxCost, outputSchema },
  limitNames: { maxSteps: "maxSteps", maxCost: "maxCost", ...parts.limitNames },
  toolChoice: parts.toolChoice ?? ("auto" as const),
  endTools: parts.endTools ?? false,
  compacts: parts.compact ?? true,
});

/** Makes the state that changes as the session goes on, as it is at its beginning. */
const atFirst = ({ folderIgnore }: AgentParts, workspace: string) => ({
  ...(folderIgnore === undefined ? {} : { folderIgnore: () => folderIgnore(workspace) }),
  leftOutFolders: new Set<string>(),
  prepared: new Map(),
  parsed: new Map(),
  jobLooks: [],
});

const underAbove = ({ limits, maxSteps, maxCost, agent, model }: Above) => ({
  ...{ limitsAbove: limits, lastStepEver: maxSteps, costEver: maxCost, agent },
  hasOwnModel: model !== undefined,
});

/** Makes the record of each file as the session last saw it: from the results of its settled calls, then from the notes of this process. */
function seenFiles(journal: Pick<Journal, "allCalls">): SeenFiles {
  const noted = new Map<string, Sha>();
  let recorded: Map<string, Sha> | undefined;
  return {
    last: (real) => {
      recorded ??= recordedFiles(journal);
      return noted.get(real) ?? recorded.get(real);
    },
    note: (real, sha) => {
      noted.set(real, sha);
    },
  };
}

function recordedFiles(journal: Pick<Journal, "allCalls">): Map<string, Sha> {
  const files = new Map<string, Sha>();
  for (const call of journal.allCalls()) {
    const metadata = call.status === "success" ? call.result.metadata : undefined;
    const several = metadata?.["files"];
    for (const one of Array.isArray(several) ? several : [metadata]) {
      const { path, sha } = isJsonObject(one) ? one : {};
      if (typeof path === "string" && typeof sha === "string") files.set(path, sha);
    }
  }
  return files;
}
