import { type Limit, MB } from "./limit-text.ts";

/** Of what the model notes for itself: memories, the plans of a session and its artifacts. */
export const noteLimits = {
  memoryLength: {
    what: "one memory that the agent saves",
    most: 500,
    unit: "characters",
    why: "it is told to the model with every request; a longer one is refused",
  },
  memories: {
    what: "memories in the person's file",
    most: 200,
    unit: "lines",
    why: "so many can be looked over; another is refused until some are removed (agent memories rm)",
  },
  memoriesOfTurn: {
    what: "memories saved in one turn",
    most: 3,
    unit: "lines",
    why: "a turn that wants to save more was told to by what it read; the fourth is refused",
  },
  goals: {
    what: "goals of one session",
    most: 100,
    unit: "lines",
    why: "a plan of so many is no plan any more; another one is refused",
  },
  goalDepth: {
    what: "goals of which each is a part of the one before",
    most: 4,
    unit: "levels",
    why: "a line of the screen holds so many; a deeper one is refused",
  },
  goalLength: {
    what: "text of one goal",
    most: 200,
    unit: "characters",
    why: "it is one line, which is told with the person's messages; a longer one is refused",
  },
  goalSummary: {
    what: "what came of one goal",
    most: 1_000,
    unit: "characters",
    why: "it is a summary and no report; a longer one is refused",
  },
  planLength: {
    what: "a plan that the agent presents",
    most: 30_000,
    unit: "characters",
    why: "a person reads all of it before they approve it; a longer one is refused",
  },
  planGoals: {
    what: "goals of a plan that the agent presents",
    most: 20,
    unit: "lines",
    why: "each is a line that a person reads; more are refused",
  },
  artifacts: {
    what: "artifacts of one session",
    most: 100,
    unit: "texts",
    why: "each is a text that a person wants to have; another one is refused",
  },
  artifactVersions: {
    what: "versions of one artifact",
    most: 500,
    unit: "versions",
    why: "a version is worked out from those before it; another one is refused, and the text goes on in a new artifact",
  },
  artifactBytes: {
    what: "text that calls recorded of a session's artifacts, all versions together",
    most: 50 * MB,
    unit: "bytes",
    why: "all of it is read when a session is opened again; what goes beyond is refused, and belongs in a file",
  },
  artifactContent: {
    what: "text of one artifact",
    most: MB,
    unit: "bytes",
    why: "two texts of it are held in memory and compared; a larger one is refused, and belongs in a file",
  },
  artifactName: {
    what: "name of an artifact",
    most: 100,
    unit: "characters",
    why: "it is one line of a listing; a longer one is refused",
  },
  artifactType: {
    what: "type of an artifact",
    most: 40,
    unit: "characters",
    why: "it is a word or two; a longer one is refused",
  },
} as const satisfies Record<string, Limit>;
