import type { TrustState } from "../../policy/files/trust.ts";
import { loadWorkspaceConfig, type WorkspaceConfig } from "./config.ts";
import { fileStamp } from "./file-stamp.ts";
import type { Places } from "./places.ts";

/** Each folder's files are looked at once a process, again after `forget`, and again when the person has trusted or revoked anything. */
export function trustStates(places: Places) {
  const look = async (workspace: string) =>
    (await import("../../policy/files/trust.ts")).trustState(places.trust, workspace);
  const { get, forget } = keptBy(places, look);
  return { trusted: get, forget };
}

/** Each folder's settings, kept in the same way. */
export function workspaceConfigs(places: Places, trusted: (workspace: string) => Promise<TrustState>) {
  const load = (workspace: string) => loadWorkspaceConfig(places.config, workspace, () => trusted(workspace));
  const { get, forget } = keptBy<WorkspaceConfig>(places, load);
  return { local: get, forget };
}

/** By workspace, as long as the table of trusted workspaces is the same. */
function keptBy<T>({ trust }: Places, load: (workspace: string) => Promise<T>) {
  const found = new Map<string, { stamp: string; value: Promise<T> }>();
  const get = (workspace: string): Promise<T> => {
    const stamp = fileStamp(trust);
    const known = found.get(workspace);
    if (known?.stamp === stamp) return known.value;
    const value = load(workspace);
    found.set(workspace, { stamp, value });
    return value;
  };
  return { get, forget: (workspace: string) => void found.delete(workspace) };
}
