/** "12 kB", "3.4 MB". */
export const sizeText = (bytes: number): string =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;

/** Milliseconds since the epoch as a list shows them: "2026-11-21 09:05", in UTC. */
export const momentText = (at: number): string => new Date(at).toISOString().slice(0, 16).replace("T", " ");
