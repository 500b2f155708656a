import { room } from "../room.ts";

/** The findings of `agent doctor`. */
export const doctor = room("doctor", {
  notThere: ({ path }: { path: string }) => `${path} (not there yet)`,
  there: ({ path, size }: { path: string; size: string }) => `${path} (${size})`,
  keptForUndo: "kept for undo",
  kept: ({ versions, size, days }: { versions: number; size: string; days: number }) =>
    `${versions} file versions, ${size}; agent sessions prune drops those of more than ${days} days`,
  callsOfTools: "calls of tools",
  /** `calls` as it is said. */
  calls: ({ calls, tools }: { calls: string; tools: number }) => `${calls} of ${tools} tools`,
  more: ({ more }: { more: number }) => `${more} more`,
  wait: ({ files }: { files: readonly string[] }) => `these wait for your trust: ${files.join("; ")}`,
  inEffect: "all are in effect",
  caches: ({ size, folders, place, days }: { size: string; folders: number; place: string; days: number }) =>
    `${size} of ${folders} workspaces, in ${place}; what no command used for ${days} days is removed`,
  /** The surroundings in which commands run. */
  noSandbox: "off: commands run with all that you may do",
  sandbox: ({ program }: { program: string }) =>
    `${program}: commands write in the workspace alone, and have no network unless they ask for it`,
  noneRun: ({ why }: { why: string }) => `no command is run: ${why}`,
  without: ({ why }: { why: string }) => `commands run without one: ${why}`,
  rules: ({ rules, off }: { rules: number; off: number }) => `${rules} in all, ${off} of them not in effect`,
  wentIn: "--- what went into it by itself ---",
  nothing: "nothing",
  /** The things that are looked at, as `--json` names them. */
  things: {
    node: "node",
    workspace: "workspace",
    "workspace writable": "workspace writable",
    config: "config",
    policy: "policy",
    grants: "grants",
    memories: "memories",
    store: "store",
    settings: "settings",
    rules: "rules",
    trust: "trust",
    model: "model",
    "web search": "web search",
    search: "search",
    sandbox: "sandbox",
    "commands get": "commands get",
    "commands' PATH": "commands' PATH",
    "commands' caches": "commands' caches",
  },
  /** By the state of a project's trust. */
  trust: { trusted: "trusted", untrusted: "untrusted", changed: "changed", nothing_to_trust: "nothing to trust" },
  /** Behind the folders of PATH that commands get. */
  leftOut: ({ folders }: { folders: readonly string[] }) => `; left out: ${folders.join(", ")}`,
  yes: "yes",
  held: ({ file, size, sessions }: { file: string; size: string; sessions: number }) =>
    `${file} (${size}, ${sessions} sessions)`,
});
