import { agentsSurface } from "../agents/agents-surface.ts";
import { readerSurface } from "../full-view/reader-surface.ts";
import { grantsSurface } from "../grants/grants-surface.ts";
import { jobsSurface } from "../jobs/jobs-surface.ts";
import { paletteSurface } from "../palette/palette-surface.ts";
import { pickerSurface } from "../picker/picker-surface.ts";
import { rewindSurface } from "../rewind/rewind-surface.ts";
import { ruleSurface } from "../rule/rule-surface.ts";
import type { Command } from "../surface/commanded-chat.ts";
import { talkSurface } from "../talk/talk-surface.ts";
import { themeSurface } from "../theme/theme-surface.ts";

/** All that is read or chosen from. The first that is open is in front. */
export const views = {
  picker: pickerSurface,
  jobs: jobsSurface,
  agents: agentsSurface,
  talk: talkSurface,
  grants: grantsSurface,
  theme: themeSurface,
  rule: ruleSurface,
  rewind: rewindSurface,
  palette: paletteSurface,
  reader: readerSurface,
} as const;

/** The commands that open them. */
export const viewCommands: readonly Command[] = Object.values(views).map(({ command }) => command);
