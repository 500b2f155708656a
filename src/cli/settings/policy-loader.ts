import { statSync } from "node:fs";
import { isInside } from "../../files/boundary.ts";
import type { TrustState } from "../../policy/files/trust.ts";
import type { GrantBook, Leads, LinkedPlace, Mode, Policy } from "../../policy/types.ts";
import type { Flags } from "../flags.ts";
import { ownPlaces, realOrAsIs } from "./own-places.ts";
import type { Places } from "./places.ts";
import { userToolFiles } from "./tool-files.ts";

interface PolicyNeeds {
  places: Places;
  flags: Flags;
  grants: () => Promise<GrantBook>;
  home: string | undefined;
  addDirs(workspace: string): Promise<readonly string[]>;
  /** Where this program lies. */
  installFolder: string;
  /** Files of tools that the settings name. */
  tools: readonly string[];
  trusted(workspace: string): Promise<TrustState>;
}

interface PolicyLoader {
  /** The policy in force for one session. @throws PolicyProblem */
  policy(at: { session: string; workspace: string; mode: Mode }): Promise<Policy>;
  /** Each policy is read anew when it is asked for next. */
  reload(): void;
}

interface LoadedPolicy {
  policy: Policy;
  stamp: string;
  leads: () => Leads;
}

/** Rules are read once a process, and again after `reload`; grants whenever their file is another one than before. */
export function policyLoader({
  places,
  flags,
  grants,
  home,
  addDirs,
  installFolder,
  tools,
  trusted,
}: PolicyNeeds): PolicyLoader {
  let rules = new Map<string, LoadedPolicy>();
  // Asked before each call, so without a turn of the event loop: it is one small local file.
  const stampOf = (file: string) => {
    const found = statSync(file, { throwIfNoEntry: false });
    return found === undefined ? "none" : `${found.ino}:${found.mtimeMs}:${found.size}`;
  };
  const install = realOrAsIs(installFolder);
  const files = userToolFiles({ named: tools, configDir: places.configDir, home });
  /** What leads where is looked at each time: settings are links to where a person keeps them, and a command may have made a link. */
  const inForce = ({ policy, leads }: LoadedPolicy, { mode, workspace }: { mode: Mode; workspace: string }): Policy => {
    // Who works in the program's own source works on the program.
    const others = isInside(install, workspace) ? files : [installFolder, ...files];
    const own = ownPlaces(places, others, workspace);
    const found = leads();
    return {
      ...policy,
      mode,
      sealed: { ...policy.sealed, roots: own.roots, settings: own.settings },
      leads: { ...found, files: new Map([...found.files, ...own.files]) },
    };
  };
  const policy: PolicyLoader["policy"] = async (at) => {
    // One that is being read while all is to be read anew is not kept.
    const loaded = rules;
    const key = `${at.session}\n${at.workspace}`;
    const stamp = stampOf(places.grants);
    const known = loaded.get(key);
    if (known?.stamp === stamp) return inForce(known, at);
    if (known !== undefined) {
      const policy = { ...known.policy, grants: await (await grants()).inForce(at.session, at.workspace) };
      loaded.set(key, { ...known, policy, stamp });
      return inForce({ ...known, policy }, at);
    }
    const [{ loadPolicy }, { leadLook }, { hookFolders }, linked] = await Promise.all([
      import("../../policy/files/load.ts"),
      import("../../policy/files/lead-look.ts"),
      import("../../files/git-hooks.ts"),
      linkedOf(home),
    ]);
    const added = await addDirs(at.workspace);
    const hooks = [at.workspace, ...added].map((root) => hookFolders(root, home));
    const loadedPolicy = await loadPolicy({
      ...at,
      userPolicyFile: places.policy,
      grantBook: await grants(),
      sealedRoots: [],
      hookFolders: [...new Set(hooks.flat())],
      linked,
      home: home === undefined || home === "/" ? undefined : realOrAsIs(home),
      addDirs: added,
      allow: flags.allow,
      trusted: await trusted(at.workspace),
    });
    const policy: Policy = flags.sandbox === "off" ? { ...loadedPolicy, isSandboxOff: true } : loadedPolicy;
    const made = { policy, stamp, leads: leadLook(at.workspace, added) };
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

/** What runs by itself, or is secret, because something in the home leads to it. */
async function linkedOf(home: string | undefined): Promise<LinkedPlace[]> {
  if (home === undefined) return [];
  const [{ linkedPlaces }, { homeLinks }, { namedByUser }] = await Promise.all([
    import("../../policy/protected.ts"),
    import("../../files/home-links.ts"),
    import("../../files/git-config.ts"),
  ]);
  const why = "your git settings name it, and git runs or reads it by itself";
  const named = namedByUser(home).files.map((real) => ({ real, why, isSecret: false }));
  return [...linkedPlaces(homeLinks(home), home), ...named];
}
