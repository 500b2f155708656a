import type { FindsBrought } from "../../session/sent-message.ts";
import type { Session } from "../../session/session.ts";
import { services as words } from "../../words/en/services.ts";
import { attachedTo } from "../attached-images.ts";
import type { Composition } from "../composition.ts";
import { hasServers } from "../has-servers.ts";
import { namedResources } from "../image-names.ts";
import { openingNotices } from "../opening-notices.ts";
import { refusesMode } from "../wide-workspace.ts";
import { aboutSession } from "./about-session.ts";
import { createFileFinder } from "./find-files.ts";
import { sessionDoor } from "./session-door.ts";
import type { FolderFacts, RewindShelf, SessionServices } from "./session-services.ts";

/** The services of one process; each loads what it needs when it is asked. */
export const sessionServices = (composition: Composition): SessionServices => ({
  sessions: sessionDoor(composition),
  about: aboutSession(composition),
  folder: folderFacts(composition),
  rewind: rewindLater(composition),
});

function folderFacts(composition: Composition): FolderFacts {
  const finders = new Map<string, ReturnType<typeof createFileFinder>>();
  return {
    notices: (at, model, trusting) => openingNotices(composition, at, model, trusting),
    refusesMode: (mode, workspace) => refusesMode(mode, workspace, composition.io.env["HOME"]),
    picturesOf: ({ text, written = text, isCommand = false }, at) =>
      isCommand ? laterOf(composition, text, at) : namedIn(composition, { text, written }, at),
    commands: (workspace) => commandOffers(composition, workspace),
    hasCommand: async (name, workspace) =>
      (await import("./file-commands.ts")).hasCommand(composition, name, workspace),
    async files(at, letters) {
      const { workspace } = at;
      if (letters.includes(":") && hasServers(composition, workspace)) {
        const { resourceOffers } = await import("../mcp/named-resources.ts");
        const offered = await resourceOffers(composition, at, letters);
        if (offered !== undefined) return offered;
      }
      const finder = finders.get(workspace) ?? createFileFinder(workspace);
      finders.set(workspace, finder);
      return finder(letters);
    },
    branch: branchOf,
    earlierMessages: (workspace) => earlierOf(composition, workspace),
    labels: (workspace) => composition.labels(workspace),
    trust: async (workspace) => (await import("./trust-offer.ts")).trustOffer(composition, workspace),
    grantHistory: async (workspace, offer) =>
      (await import("./grant-history.ts")).grantHistory(composition, workspace, offer),
  };
}

/** Loaded with the first command of a file. */
const laterOf =
  (composition: Composition, text: string, at: Pick<Session, "id" | "workspace">): FindsBrought =>
  async (signal) => {
    const { broughtBy } = await import("./file-commands.ts");
    return (await broughtBy(composition, text, at)?.(signal)) ?? { images: [], problems: [] };
  };

/**
 * Returns the finder of all that a message names with `@`: of servers only names that the person wrote themselves. Where there are no
 * servers nothing of them is loaded.
 */
function namedIn(
  composition: Composition,
  { text, written }: { text: string; written: string },
  at: Pick<Session, "id" | "workspace">,
): FindsBrought | undefined {
  const all = hasServers(composition, at.workspace) ? namedResources(text) : [];
  const maybe = written === text ? all : all.filter((name) => namedResources(written).includes(name));
  if (maybe.length === 0) return attachedTo(composition, text, at.workspace);
  return async (signal) => {
    const { ofServers, withResources } = await import("../mcp/named-resources.ts");
    const names = await ofServers(composition, at, maybe);
    const found = (await attachedTo(composition, text, at.workspace, names)?.()) ?? { images: [], problems: [] };
    const { stands, problems } = await withResources(composition, at, { text, names }, signal);
    return { ...found, problems: [...found.problems, ...problems], stands };
  };
}

async function commandOffers(composition: Composition, workspace: string): ReturnType<FolderFacts["commands"]> {
  const { commands, leftOut } = await (await import("./file-commands.ts")).commandsIn(composition, workspace);
  const prompts = hasServers(composition, workspace)
    ? await (await import("../mcp/for-person.ts")).promptOffers(composition, workspace)
    : [];
  const isPrompt = (name: string): boolean => prompts.some((one) => one.name === name);
  const waiting = leftOut.filter(({ name, waits }) => waits === true && !isPrompt(name));
  return [
    ...commands.map(({ name, description, source }) => ({ name, text: `${description} · ${source}` })),
    ...prompts.filter(({ name }) => !commands.some((one) => one.name === name)),
    ...waiting.map(({ name, source }) => ({
      name,
      text: words().waitsForTrust({ source }),
      waits: true as const,
    })),
  ];
}

/** Found without git; by the same door as the branch that the model is told. */
async function branchOf(workspace: string): Promise<string | undefined> {
  const { gitFacts } = await import("../../graph/talk/prompt/workspace-facts.ts");
  const look = await gitFacts(workspace);
  return look.kind === "repository" ? look.facts.branch : undefined;
}

async function earlierOf(composition: Composition, workspace: string): Promise<string[]> {
  const [store, { earlierMessages }] = await Promise.all([
    composition.reading(),
    import("../../records/earlier-messages.ts"),
  ]);
  return earlierMessages(store, workspace);
}

/** Loaded with the first key that asks for it. */
function rewindLater(composition: Composition): RewindShelf {
  const shelf = async () => (await import("./rewind-of.ts")).rewindShelf(composition);
  return {
    points: async (id) => (composition.hasStore() ? (await shelf()).points(id) : []),
    look: async (id, point) => (await shelf()).look(id, point),
    to: async (point) => (await shelf()).to(point),
    isUnderWay: async (id) => (await shelf()).isUnderWay(id),
    finish: async (id, turn) => (await shelf()).finish(id, turn),
  };
}
