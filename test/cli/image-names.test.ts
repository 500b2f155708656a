import { expect, it } from "vitest";
import { mentionOf, namedImages, pastedImage } from "../../src/cli/image-names.ts";

it("finds the pictures that a message names, and nothing else that begins with @", () => {
  const text = `@a.png, @sub/B.JPEG; (see @"two words.webp") mail me@host.png @notes.txt @a.png\n@~/c.gif?`;
  expect(namedImages(text)).toEqual(["a.png", "sub/B.JPEG", "two words.webp", "~/c.gif"]);
  expect(namedImages('@"two words.webp"')).toEqual(["two words.webp"]);
  expect(namedImages("a.png and an @ alone")).toEqual([]);
});

it("takes what terminals paste where a file is dropped: escaped, quoted or as a URL", () => {
  const pasted = [
    "/home/me/shot.png",
    "/home/me/two\\ words.png ",
    "'/home/me/two words.png'",
    '"/home/me/two words.png"',
    "file:///home/me/two%20words.png",
    "~/shot.GIF\n",
  ];
  expect(pasted.map(pastedImage)).toEqual([
    "/home/me/shot.png",
    ...Array.from({ length: 4 }, () => "/home/me/two words.png"),
    "~/shot.GIF",
  ]);
  const others = [
    "shot.png",
    "/home/me/notes.txt",
    "/a.png /b.png",
    "see /a.png",
    "/a.png\n/b.png",
    "file:///%zz.png",
    "",
  ];
  expect(others.map(pastedImage)).toEqual(others.map(() => undefined));
});

it("names one so that it is found again", () => {
  for (const path of ["/a.png", "/two words.png", "/it's.png"]) expect(namedImages(mentionOf(path))).toEqual([path]);
});
