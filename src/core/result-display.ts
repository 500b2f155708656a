import type { ToolCallInfo } from "./call.ts";

/** Names of attachments that are shown; nobody reads more. */
const mostNamed = 20;

/** Returns a result's text for the person: its display, then the files that come with it. "" where there is nothing; not yet safe to draw. */
export function resultDisplay(call: ToolCallInfo): string {
  const { display = "", attachments = [] } = ("result" in call ? call.result : undefined) ?? {};
  const named = attachments.slice(0, mostNamed).map((file) => `attached: ${file.replaceAll("\n", " ")}`);
  const more = attachments.length > mostNamed ? [`${attachments.length - mostNamed} more files are attached`] : [];
  return [...(display.trim() === "" ? [] : [display.trimEnd()]), ...named, ...more].join("\n");
}
