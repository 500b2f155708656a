import type { TrustState } from "../../policy/files/trust.ts";
import { loadWorkspaceConfig, type WorkspaceConfig } from "./config.ts";
import type { Places } from "./places.ts";

/** Each folder's files are looked at once a process, and again after `forget`. */
export function trustStates(places: Places) {
  const found = new Map<string, Promise<TrustState>>();
  const look = async (workspace: string) =>
    (await import("../../policy/files/trust.ts")).trustState(places.trust, workspace);
  const trusted = (workspace: string): Promise<TrustState> => {
    const known = found.get(workspace) ?? look(workspace);
    found.set(workspace, known);
    return known;
  };
  return { trusted, forget: (workspace: string) => void found.delete(workspace) };
}

/** Each folder's settings are read once a process, and again after `forget`. */
export function workspaceConfigs(places: Places, trusted: (workspace: string) => Promise<TrustState>) {
  const loaded = new Map<string, Promise<WorkspaceConfig>>();
  const load = (workspace: string) => loadWorkspaceConfig(places.config, workspace, () => trusted(workspace));
  const local = (workspace: string): Promise<WorkspaceConfig> => {
    const known = loaded.get(workspace) ?? load(workspace);
    loaded.set(workspace, known);
    return known;
  };
  return { local, forget: (workspace: string) => void loaded.delete(workspace) };
}
