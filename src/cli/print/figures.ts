/** "12 kB", "3.4 MB". */
export const sizeText = (bytes: number): string =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;

/** Returns a span of time, given in milliseconds, as text: "12 ms", "1.4 s", "3 min", "2.5 h". */
export function spanText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return ms < 3_600_000 ? `${Math.round(ms / 60_000)} min` : `${(ms / 3_600_000).toFixed(1)} h`;
}

/** From 0 to 1: "99.2 %"; never rounded to all or nothing. */
export function rateText(rate: number): string {
  const percent = rate === 1 || rate === 0 ? rate * 100 : Math.min(99.9, Math.max(0.1, rate * 100));
  return `${Number.isInteger(percent) ? percent : percent.toFixed(1)} %`;
}

/** `840`, `4.2k`, `24k`. */
export const spokenTokens = (tokens: number): string =>
  tokens < 1000 ? String(tokens) : `${(tokens / 1000).toFixed(tokens < 10_000 ? 1 : 0)}k`;

/** To the thousandth, or to the third digit that says something. */
export const costText = (cost: number): string => (cost === 0 || cost >= 0.1 ? cost.toFixed(3) : cost.toPrecision(3));
