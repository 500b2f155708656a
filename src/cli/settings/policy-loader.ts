import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isInside } from "../../files/boundary.ts";
import { repositoryRoot } from "../../files/project-root.ts";
import { projectPolicyPath } from "../../policy/files/project-policy.ts";
import type { TrustState } from "../../policy/files/trust.ts";
import type { GrantBook, Leads, LinkedPlace, Mode, Policy } from "../../policy/types.ts";
import type { Flags } from "../flags.ts";
import type { WorkspaceConfig } from "./config.ts";
import { fileStamp } from "./file-stamp.ts";
import { ownPlaces, realOrAsIs } from "./own-places.ts";
import type { Places } from "./places.ts";
import { userToolFiles } from "./tool-files.ts";

interface PolicyNeeds {
  places: Places;
  flags: Flags;
  grants: () => Promise<GrantBook>;
  home: string | undefined;
  addDirs(workspace: string): Promise<readonly string[]>;
  /** The folder of this program. */
  installFolder: string;
  /** As the settings say it. */
  autoSandbox: boolean;
  /** Files of tools that the settings name. */
  tools: readonly string[];
  trusted(workspace: string): Promise<TrustState>;
  local(workspace: string): Promise<Pick<WorkspaceConfig, "namedInstructions">>;
}

interface PolicyLoader {
  /** The policy in force for one session. @throws PolicyProblem */
  policy(at: { session: string; workspace: string; mode: Mode }): Promise<Policy>;
  /** Each policy is read anew when it is asked for next. */
  reload(): void;
}

interface LoadedPolicy {
  policy: Policy;
  /** Of the grants, and of all else that it is read from: the files of rules, the table of trusted workspaces. */
  stamp: string;
  files: string;
  leads: () => Leads;
  /** The same policy with where the paths of its rules lead now. */
  placed(policy: Policy): Policy;
}

// Keeps policy 11.
/** Rules are read anew after `reload`, and whenever one of their files, or the table of trusted workspaces, is another one than before; grants by their own file. */
export function policyLoader({
  places,
  flags,
  grants,
  home,
  addDirs,
  installFolder,
  autoSandbox,
  tools,
  trusted,
  local,
}: PolicyNeeds): PolicyLoader {
  let rules = new Map<string, LoadedPolicy>();
  const install = realOrAsIs(installFolder);
  const files = userToolFiles({ named: tools, configDir: places.configDir, home });
  /**
   * Returns the policy as it is in force. The places to which links lead are looked at each time: settings are links to where a person
   * keeps them, and a command may have made a link.
   */
  const inForce = (
    { policy, leads, placed }: LoadedPolicy,
    { mode, workspace }: { mode: Mode; workspace: string },
  ): Policy => {
    // Who works in the program's own source works on the program.
    const others = isInside(install, workspace) ? files : [installFolder, ...files];
    const own = ownPlaces(places, others, workspace);
    const found = leads();
    const sealed = { ...policy.sealed, roots: own.roots, settings: own.settings };
    const led = { ...found, files: new Map([...found.files, ...own.files]) };
    return placed({ ...policy, mode, sealed, leads: led });
  };
  const policy: PolicyLoader["policy"] = async (at) => {
    // One that is being read while all is to be read anew is not kept.
    const loaded = rules;
    const key = `${at.session}\n${at.workspace}`;
    const stamp = fileStamp(places.grants);
    const added = await addDirs(at.workspace);
    const ruleFiles = [at.workspace, ...added].map((root) => join(root, projectPolicyPath));
    const last = loaded.get(key);
    const files = await settled([places.trust, places.policy, ...ruleFiles], last?.files);
    const known = last?.files === files ? last : undefined;
    if (known?.stamp === stamp) return inForce(known, at);
    if (known !== undefined) {
      const policy = { ...known.policy, grants: await (await grants()).inForce(at.session, at.workspace) };
      loaded.set(key, { ...known, policy, stamp });
      return inForce({ ...known, policy }, at);
    }
    const [{ loadPolicy }, { hookFolders }, linked] = await Promise.all([
      import("../../policy/files/load.ts"),
      import("../../files/git/hooks.ts"),
      linkedOf(home),
    ]);
    const instructions = await instructionsOf(at.workspace, local);
    const hooks = [at.workspace, ...added].map((root) => hookFolders(root, home));
    const loadedPolicy = await loadPolicy({
      ...at,
      userPolicyFile: places.policy,
      grantBook: await grants(),
      sealedRoots: [],
      hookFolders: [...new Set(hooks.flat())],
      linked: [...linked, ...instructions],
      home: home === undefined || home === "/" ? undefined : realOrAsIs(home),
      addDirs: added,
      allow: flags.allow,
      trusted: await trusted(at.workspace),
    });
    const policy: Policy = {
      ...loadedPolicy,
      ...(flags.sandbox === "off" ? { isSandboxOff: true as const } : {}),
      ...((flags.autoSandbox ?? autoSandbox) ? { autoSandbox: true as const } : {}),
    };
    const made: LoadedPolicy = { policy, stamp, files, ...(await looksIn(at.workspace, added)) };
    loaded.set(key, made);
    return inForce(made, at);
  };
  return {
    policy,
    reload: () => {
      rules = new Map();
    },
  };
}

/** Makes the looks that are taken each time the policy is asked for. */
async function looksIn(workspace: string, added: readonly string[]): Promise<Pick<LoadedPolicy, "leads" | "placed">> {
  const [{ leadLook }, { withRulePlaces }] = await Promise.all([
    import("../../policy/files/lead-look.ts"),
    import("../../policy/files/rule-places.ts"),
  ]);
  return { leads: leadLook(workspace, added), placed: (policy) => withRulePlaces(policy, [workspace, ...added]) };
}

/** A file that is being saved is gone, or half there, for a moment: nothing is read of what has changed until it has stayed as it is for as long. */
const savedMs = 200;
const mostLooks = 10;

/** The stamps of the files, once they stay as they are; `before`: as they were read last. */
async function settled(files: readonly string[], before: string | undefined): Promise<string> {
  const stamps = (): string => files.map(fileStamp).join(" ");
  let now = stamps();
  for (let looks = 0; before !== undefined && now !== before && looks < mostLooks; looks += 1) {
    await sleep(savedMs);
    const after = stamps();
    if (after === now) break;
    now = after;
  }
  return now;
}

/** Files that settings name as instructions for agents, from the root of the repository on, whether or not the project is trusted. */
async function instructionsOf(workspace: string, local: PolicyNeeds["local"]): Promise<LinkedPlace[]> {
  // Broken settings end the session itself, which tells them.
  const { namedInstructions } = await local(workspace).catch(() => ({ namedInstructions: [] }));
  const root = repositoryRoot(workspace) ?? workspace;
  const paths = namedInstructions.map((name) => join(root, name));
  return [...new Set(paths.flatMap((path) => [path, realOrAsIs(path)]))]
    .filter((path) => !isInside(path, workspace))
    .map((real) => ({ real, why: { code: "named_as_instructions" }, isSecret: false }));
}

/** Finds the places that run by themselves, or are secret, because something in the home leads to them. */
async function linkedOf(home: string | undefined): Promise<LinkedPlace[]> {
  if (home === undefined) return [];
  const [{ linkedPlaces }, { homeLinks }, { namedByUser }] = await Promise.all([
    import("../../policy/protected.ts"),
    import("../../files/home-links.ts"),
    import("../../files/git/config-text.ts"),
  ]);
  const named = namedByUser(home).files.map(
    (real): LinkedPlace => ({ real, why: { code: "named_by_your_git" }, isSecret: false }),
  );
  return [...linkedPlaces(homeLinks(home), home), ...named];
}
