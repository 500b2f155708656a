import type { CommandHelp } from "../help.ts";
import { room } from "../room.ts";

/** The texts of `--help` on the commands of command-line/artifacts.ts. */
export const helpArtifacts = room("helpArtifacts", {
  artifacts: {
    text: "list, show, compare, export or take back the texts that sessions keep",
    note: "An artifact is named SESSION:a1, one of its versions SESSION:a1@2. Without a session it is\none of this folder's newest session that has any.",
    examples: [
      ["agent artifacts", "those of this folder's sessions, newest session first"],
      ["agent artifacts export brisk-otter:a1 report.md", "its text as a file"],
    ],
    options: { all: "include other folders" },
  },
  artifactsList: {
    text: "those of this folder's sessions, or of one and its helpers",
    examples: [
      ["agent artifacts list brisk-otter", "of one session"],
      ["agent artifacts list --all --json", "an object a line, with all versions and the calls that made them"],
    ],
    options: { all: "include other folders" },
  },
  artifactsShow: {
    text: "the text of its last version, or of another",
    examples: [
      ["agent artifacts show a1", "of this folder's newest session that has any"],
      ["agent artifacts show brisk-otter:a1@2", "its second version"],
    ],
  },
  artifactsDiff: {
    text: "what its last version changed, or another; or from one to the other",
    examples: [
      ["agent artifacts diff a1", "what the last version changed"],
      ["agent artifacts diff a1@1 a1@4", "from the first to the fourth"],
    ],
  },
  artifactsExport: {
    text: "write its text to a new file; into a folder under its name; - is stdout",
    examples: [
      ["agent artifacts export a1 report.md", "never over a file that is there"],
      ["agent artifacts export brisk-otter:a1@2 drafts --force", "into a folder; a file of its name is replaced"],
    ],
    options: { force: "replace a file that is there" },
  },
  artifactsRm: {
    text: "take all its versions back; agent undo puts them again",
    note: "The calls that made it stay in the record of the session: agent sessions rm removes these, too.",
    examples: [["agent artifacts rm brisk-otter:a1", "asks first; --yes does not"]],
    options: { yes: "approve what is printed, without asking" },
  },
} satisfies Record<string, CommandHelp>);
