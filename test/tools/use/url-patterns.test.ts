import { describe, expect, test } from "vitest";
import { isOfferedAt, pageOf, patternProblem } from "../../../src/tools/use/url-patterns.ts";

describe("a pattern of pages", () => {
  test.each([
    ["*.github.com", "https://github.com/"],
    ["*.github.com", "https://gist.github.com/a"],
    ["*.github.com", "https://a.b.github.com./x"],
    ["*.GitHub.com", "http://GITHUB.com:8080/"],
    ["www.google.*", "https://www.google.com/search?q=a"],
    ["www.google.*", "https://www.google.co.uk/"],
    ["github.com", "https://github.com/a/b?c#d"],
    ["*", "http://127.0.0.1:3000/"],
    ["http://127.0.0.1:3000/a", "http://127.0.0.1:3000/a"],
    ["*.7.example.org", "https://x.7.example.org/"],
    ["*.müller.de", "https://www.xn--mller-kva.de/"],
    ["ci-*.example.org", "https://ci-7.example.org/"],
    ["https://github.com/**/issues", "https://github.com/ada/lovelace/issues"],
    ["https://github.com/**/issues", "https://github.com/issues"],
    ["https://github.com/**/issues", "https://github.com/a/issues/?q=is%3Aopen#top"],
    ["github.com/*/*/pull/*", "https://github.com/a/b/pull/3"],
    ["https://docs.example.com/**", "https://docs.example.com"],
    ["https://docs.example.com/für/**", "https://docs.example.com/f%C3%BCr/x/y"],
    ["localhost:3000", "http://localhost:3000/"],
    ["example.com:443", "https://example.com/"],
    ["[::1]:8080", "http://[::1]:8080/"],
    ["file:///srv/**", "file:///srv/a/b.html"],
    ["*://example.com/x", "ftp://example.com/x"],
    ["https://a.example//b/x", "https://a.example//b/x"],
    ["a.example//:80", "https://a.example//:80"],
    ["a.example//[", "https://a.example//["],
  ])("%s is for %s", (pattern, url) => {
    expect([patternProblem([pattern]), isOfferedAt([pattern], url)]).toEqual([undefined, true]);
    expect(isOfferedAt(["never.example", pattern], url)).toBe(true);
  });

  test.each([
    ["*.github.com", "https://evilgithub.com/"],
    ["*.github.com", "https://github.com.evil.com/"],
    ["*.github.com", "https://github.com@evil.com/"],
    ["*.github.com", "https://github.com:443@evil.com/x"],
    ["*.github.com", "https://evil.com\\@github.com/"],
    ["*.github.com", "https://evil.com/https://github.com/"],
    ["*.github.com", "https://evil.com/?u=github.com#github.com"],
    ["*.github.com", "data:text/html,github.com"],
    ["*.github.com", "file://github.com/x"],
    ["*.github.com", "javascript://github.com/%0aalert(1)"],
    ["*.github.com", "about:blank"],
    ["*.github.com", "not a url"],
    ["*.github.com", undefined],
    ["www.google.*", "https://www.google/"],
    ["www.google.*", "https://www.google.evil.com/"],
    ["www.google.*", "https://www.google.com.evil.com/"],
    ["www.google.*", "https://www.google.co.evil/"],
    ["www.google.*", "https://mail.google.com/"],
    ["www.google.*", "https://www.google.com.evil.com@x.org/"],
    ["github.com", "https://gist.github.com/"],
    ["https://github.com", "http://github.com/"],
    ["https://github.com/**/issues", "https://github.com/a/issues/1"],
    ["https://github.com/**/issues", "https://github.com/a/b?/issues"],
    ["https://github.com/*/issues", "https://github.com/a/b/issues"],
    ["https://github.com/a", "https://github.com/A"],
    ["https://a.example//b/x", "https://a.example/x"],
    ["https://github.com/a/*", "https://github.com/a/../b/c"],
    ["localhost:3000", "http://localhost:3001/"],
    ["ci-*.example.org", "https://ci-7.evil.example.org/"],
  ])("%s is not for %s", (pattern, url) => {
    expect([patternProblem([pattern]), isOfferedAt([pattern], url)]).toEqual([undefined, false]);
  });

  test.each([
    "",
    " ",
    "/x",
    "https://",
    "user@github.com",
    "github.com?x",
    "github.com/#x",
    "a b.com",
    "a\\b",
    "http:/x",
  ])("cannot be %j", (pattern) => {
    expect(patternProblem(["a.com", pattern])).toContain(`"${pattern}" is no pattern of pages`);
    expect(isOfferedAt([pattern], "https://github.com/x")).toBe(false);
  });

  test("of many stars comes to an end on a long page", () => {
    const page = `https://a.com/${"a/".repeat(20_000)}b`;
    expect(isOfferedAt([`a.com/${"**/a/".repeat(30)}**/c`, `a.com/${"*a".repeat(90)}`], page)).toBe(false);
    expect(isOfferedAt([`a.com/${"**/a/".repeat(30)}**/b`], page)).toBe(true);
  });
});

test("a page is named by its place, without what may be somebody's secret", () => {
  expect(pageOf("https://ada:pw@example.com:8443/login?token=x#y")).toBe("https://example.com:8443/login");
  expect(pageOf("data:text/html,secret")).toBe("data:");
  expect(pageOf("nothing")).toBe("none that has an address");
});
