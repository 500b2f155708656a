/** Milliseconds since the epoch as a list shows them: "2026-11-21 09:05", in UTC. */
export const momentText = (at: number): string => new Date(at).toISOString().slice(0, 16).replace("T", " ");
