import type { SessionRow, Store } from "../../store/types.ts";
import { createRedactor } from "../redact.ts";
import { secretsIn } from "../secrets.ts";
import type { PageWords } from "./call-parts.ts";
import { htmlPage } from "./html-page.ts";
import { markdownPage } from "./markdown-page.ts";
import { cleanPart, type PagePart } from "./page-part.ts";
import { sessionParts } from "./session-parts.ts";
import type { Visible } from "./visible.ts";

export type PageForm = "html" | "markdown";

/** A session as a page for people, made as it is taken: all of it never lies in memory. */
export interface SessionPage {
  text: Iterable<string>;
  /** The secrets that were replaced so far, as a script export replaces them. */
  replaced(): { name: string; count: number }[];
}

const writers = { html: htmlPage, markdown: markdownPage } as const;

/** @param env whose secrets are taken out */
export function pageOf({
  store,
  row,
  form,
  env,
  words,
}: {
  store: Pick<Store, "sessions" | "readJournal">;
  row: SessionRow;
  form: PageForm;
  env: Readonly<Record<string, string | undefined>>;
  words: PageWords & Visible;
}): SessionPage {
  const secrets = secretsIn(env, []);
  const redactor = createRedactor(secrets);
  const cleaner = { clean: redactor.clean, look: createRedactor(secrets).clean };
  function* cleaned(): Generator<PagePart> {
    for (const part of sessionParts(store, row, words)) yield cleanPart(part, cleaner);
  }
  return { text: writers[form](cleaned(), words), replaced: redactor.replaced };
}
