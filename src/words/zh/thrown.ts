import type { Table } from "../again.ts";
import { ofAsking, ofRest } from "./thrown/asking.ts";
import { ofCommands } from "./thrown/commands.ts";
import { ofCore } from "./thrown/core.ts";
import { ofFiles } from "./thrown/files.ts";
import { ofModels } from "./thrown/models.ts";
import { ofRecords } from "./thrown/records.ts";
import { ofServers } from "./thrown/servers.ts";
import { ofTools } from "./thrown/tools.ts";

/** The errors that tools, the store and the model's client throw, and their words about themselves. */
export const thrown: Table = {
  ...ofAsking,
  ...ofCommands,
  ...ofCore,
  ...ofFiles,
  ...ofModels,
  ...ofRecords,
  ...ofRest,
  ...ofServers,
  ...ofTools,
};
