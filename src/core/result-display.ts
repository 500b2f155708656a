import type { ToolCallInfo } from "./call.ts";

/** Names of attachments that are shown; nobody reads more. */
const mostNamed = 20;

/** The sentences on files that come with a result, in the language of whoever reads them. */
export interface AttachedWords {
  attached(about: { file: string }): string;
  moreAttached(about: { files: number }): string;
}

/**
 * Returns a result's text for the person: its display, then the files that come with it. "" where there is nothing; not yet safe to draw.
 * @param own says the display's own lines in the person's language
 */
export function resultDisplay(
  call: ToolCallInfo,
  words: AttachedWords,
  own: (display: string) => string = (display) => display,
): string {
  const { display = "", attachments = [] } = ("result" in call ? call.result : undefined) ?? {};
  const named = attachments.slice(0, mostNamed).map((file) => words.attached({ file: file.replaceAll("\n", " ") }));
  const files = attachments.length - mostNamed;
  const more = files > 0 ? [words.moreAttached({ files })] : [];
  return [...(display.trim() === "" ? [] : [own(display.trimEnd())]), ...named, ...more].join("\n");
}
