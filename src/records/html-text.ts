const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text as a page has it between tags and in quotes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/gu, (sign) => entities[sign] ?? sign);
