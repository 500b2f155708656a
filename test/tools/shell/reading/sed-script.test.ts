import { expect, test } from "vitest";
import { onlyShows } from "../../../../src/tools/shell/reading/sed-script.ts";

test.each([
  "/[er]/p",
  "s/[^/]*e$//",
  "/[]er/]/p",
  "s/[\\/]e/x/",
  "/[[:lower:]/]re/p",
  "s/[[.].]/]e/X/",
  "s/[er]/w/",
  "y/er/we/",
])("%s only shows, however its brackets are read", (text) => {
  expect(onlyShows([text])).toBe(true);
});

test.each([
  // GNU's ends the bracket behind y; one that knows no classes, behind the first colon's.
  "s/[[:alpha:]x/y]/p;s/e;/x/p",
  "s/[[.a.]x/y]/p;s/e;/x/p",
  "s/[[=a=]x/y]/p;s/e;/x/p",
  "s/[\\]/]/e;s/a/b/",
  "s/[/]/w/;w x",
  "s/[/]x/y/;1e id",
  "s/[^/]*re/w/",
  "y/[/]/er/",
])("%s does more in one reading of its brackets", (text) => {
  expect(onlyShows([text])).toBe(false);
});

// GNU sed: `+` and `+N` may be a first address. BusyBox's: so may nothing before a comma, and a backslash ends each line but the last.
test.each(["+r .env", "+5R .env", "p;+e id", "/x/{p;+w x\n}", "+!e id", ",3w x", ",$s/a/b/w x", "s/a/b/gp\\\nw x"])(
  "%s is no text that every sed refuses",
  (text) => {
    expect(onlyShows([text])).toBe(false);
  },
);

test("each text that the line can give a word is judged, and with it no file is read", () => {
  const shows = (texts: string[]) => onlyShows(["-n", null, "f"], [{ at: 1, head: "", texts }]);
  expect([["", "3p"], ["3p", "1e id"], ["-i"], ["3p", "r f"], ["--expr=1e id"]].map(shows)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
  expect(onlyShows(["-n", null, "f"], [{ at: 1, head: "" }])).toBe(false);
  expect(onlyShows(["-n", "3p", null])).toBe(true);
});
