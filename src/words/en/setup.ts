import { room } from "../room.ts";

/** Tools and settings that do not fit together. */
export const setup = room("setup", {
  renameHint: ({ config }: { config: string }) => `rename one of them (tools in ${config})`,
});
