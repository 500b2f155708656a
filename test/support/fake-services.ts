import type {
  FolderFacts,
  OpenedSession,
  RewindShelf,
  SessionAbout,
  SessionDoor,
  SessionServices,
} from "../../src/cli/services/session-services.ts";
import { noLabels } from "../../src/cli/ui/view/labels.ts";
import type { FakeSession } from "./fake-session.ts";

/** What a test says of the services; of each part the rest is as in an empty folder without a store. */
export interface SomeServices {
  sessions?: Partial<SessionDoor>;
  about?: Partial<SessionAbout>;
  folder?: Partial<FolderFacts>;
  rewind?: Partial<RewindShelf>;
}

const none = (what: string) => (): Promise<never> => Promise.reject(new Error(`there is no ${what} in this test`));

/** A session as it is gone over to; nothing was left in it. */
export const openedAs = (session: FakeSession): OpenedSession => ({
  session: Object.assign(session, { proceed: async () => false }),
  model: "demo",
});

/** The services of a chat that stands alone. */
export const servicesWith = ({ sessions, about, folder, rewind }: SomeServices = {}): SessionServices => ({
  sessions: {
    open: none("other session"),
    begin: none("new session"),
    isStored: async () => true,
    shelf: async () => ({
      list: async () => ({ rows: [], look: () => ({ words: "idle", waits: false, filesChanged: 0 }) }),
      rename: none("stored session"),
      remove: none("stored session"),
    }),
    ...sessions,
  },
  about: {
    rename: none("stored session"),
    fork: none("stored session"),
    exportTo: none("stored session"),
    permissions: none("policy"),
    revokeGrant: async () => false,
    theme: () => "auto",
    keepTheme: async () => "config.json",
    status: async () => [],
    context: async () => [],
    tools: none("tool"),
    jobs: async () => [],
    agents: async () => [],
    talk: async () => ({ transcript: [], earlier: 0 }),
    diff: async () => [],
    models: async () => ({ models: [], lines: [], unlisted: [] }),
    page: async () => ({ pages: [], areSeveral: false }),
    writePicture: none("picture"),
    ruleOffer: async () => undefined,
    forgetMemory: async () => false,
    ...about,
  },
  folder: {
    notices: async () => [],
    refusesMode: () => undefined,
    picturesOf: () => undefined,
    commands: async () => [],
    hasCommand: async (name) => ((await folder?.commands?.("")) ?? []).some((one) => one.name === name),
    files: async () => [],
    branch: async () => undefined,
    earlierMessages: async () => [],
    labels: () => noLabels,
    trust: async () => ({ text: "there is nothing to trust here" }),
    grantHistory: async () => undefined,
    ...folder,
  },
  rewind: {
    points: async () => [],
    look: async () => ({ calls: [], left: [] }),
    to: none("stored session"),
    isUnderWay: async () => false,
    finish: async () => undefined,
    ...rewind,
  },
});
