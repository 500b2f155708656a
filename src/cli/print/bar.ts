const eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"] as const;

/** A share of `most` as a bar of so many cells; what is more than nothing is seen. */
export function barText(value: number, most: number, width: number): string {
  if (value <= 0 || most <= 0) return "";
  const parts = Math.max(1, Math.round((Math.min(value, most) / most) * width * 8));
  return `${"█".repeat(Math.floor(parts / 8))}${eighths[parts % 8] ?? ""}`;
}
