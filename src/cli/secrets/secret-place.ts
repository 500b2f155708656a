import { join } from "node:path";
import type { Io } from "../io.ts";
import type { Places } from "../settings/places.ts";

/** The means by which the secrets are read. */
export interface SecretPlace {
  io: Pick<Io, "env">;
  places: Pick<Places, "secrets">;
  workspace: string;
}

export const secretsFile = (folder: string): string => join(folder, "secrets.json");
