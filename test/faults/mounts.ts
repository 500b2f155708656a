import { spawnSync } from "node:child_process";

/** Why no file system can be mounted here, or undefined. It takes root, or user namespaces. */
export function withoutMounts(): string | undefined {
  const { error, status, stderr } = spawnSync("unshare", ["-rm", "mount", "-t", "tmpfs", "none", "/mnt"], {
    encoding: "utf8",
  });
  if (error !== undefined) return "unshare is not installed";
  return status === 0 ? undefined : `mounting is not allowed (${stderr.trim().split("\n")[0]})`;
}

/** A wrapper that starts a process as `"$@"` of a shell script, which may mount what nobody else sees. */
export const mounting = (script: string): string[] => ["unshare", "-rm", ...within(script)];

/** The same without mounts. */
export const within = (script: string): string[] => ["sh", "-c", script, "sh"];
