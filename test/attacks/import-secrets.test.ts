import { describe, expect, it } from "vitest";
import { withoutSecrets } from "../../src/cli/import/masked.ts";

const held = "s3cret1";

describe("a secret in another program's settings", () => {
  it.each([
    `API=${held} npm publish`,
    `docker run -e${"NAME"}=${held} x`,
    `docker run -ite${"NAME"}=${held} x`,
    `docker run --env=NAME=${held} x`,
    `docker run -e "NAME=${held} more" x`,
    `deploy --token ${held}`,
    `deploy --pass=${held}`,
    `deploy --pass ${held}`,
    `deploy --dbPass=${held}`,
    `deploy --passphrase='a b' --passphrase 'a ${held}'`,
    `deploy --password='a'"${held}"`,
    `deploy --password="a ${held}`,
    `deploy --${"x".repeat(100)}-token=${held}`,
    `deploy -key ${held}`,
    `curl -H "Authorization: Bearer ${held}" x`,
    `curl -H Authorization:Bearer\\ ${held} x`,
    `curl -H 'Authorization:Bearer ${held}' x`,
    `curl -H "Authorization: Basic a'${held}" x`,
    `curl -H "X-Api-Key:${held}" x`,
    `curl -H 'Cookie: a=b; c=${held}' x`,
    `{"authorization":"${held}"}`,
    `{"token": "${held}"}`,
    `Bearer ${held}`,
    `curl -u me:${held} x`,
    `curl -u "me:${held}" x`,
    `curl --user=me:${held} x`,
    `mysql -h db -p${held} x`,
    `curl https://u:${held}@x.example`,
    `curl https://${held}@x.example`,
    `curl https://u:a'${held}@x.example`,
    `curl https://u:a"${held}@x.example`,
    `curl https://u:a/${held}@x.example`,
    `curl https://u:a@${held}@x.example`,
    `curl https://us/er:${held}@x.example`,
    `curl https://ab/${held}@x.example`,
    `curl u:${held}@x.example`,
    `curl https://x.example/?${held}`,
    `curl https://x.example/a?b='${held}'`,
    `curl https://x.example#${held}`,
    `curl x/a?${held}`,
    "WebFetch(domain:a8f3k2x9q7w1.example.com)",
    "curl https://a8f3k2x9q7w1.example.com/",
    "curl https://x.example/mcp/aB3dE6gH/sse",
    "curl https://x.example/3f1d2c4b-9a8e-4f00-8b1c-0123456789ab",
    "curl https://hooks.example/services/T1/B1/abcdefghijklmnopqrstuvwx",
    "curl x.example.com/hook/Zk3vB9qLw2Xy",
    "npm_abcdefghijklmnop",
    "x ghp_abcdefghijklmnop",
  ])("is not shown: %s", (text) => {
    const shown = withoutSecrets(text);
    expect(shown).not.toBe(text);
    expect(shown).not.toMatch(/s3cret1|a8f3k2|aB3dE6|9a8e-4f00|abcdefghij|Zk3vB9/u);
    expect(withoutSecrets(shown)).toBe(shown);
  });

  it.each([
    "Bash(git commit --author 'A B')",
    "Bash(git log --author=me:*)",
    "Bash(npm run auth:login:*)",
    "Bash(npm run test:*)",
    "Bash(go test -run=TestIt ./...)",
    "Bash(mkdir -p src/monitors)",
    "Bash(docker compose up -d)",
    "Bash(deploy --token *)",
    "WebFetch(domain:auth.example.com)",
    "curl https://auth.example.com:8443/v1/users",
    "curl http://localhost:8080/@scope/name",
    "curl https://pages.example/name@1.2.3/x.js",
    "curl https://registry.example/@scope/package-name/1.2.3",
    "npx -y @scope/server@1.2.3 src",
    "Edit(src/components/authority/**)",
    "Read(src/?.ts)",
    "~/bin/format --write docs/a-long-name-of-a-page-that-people-wrote.md",
  ])("is not seen where there is none: %s", (text) => expect(withoutSecrets(text)).toBe(text));

  it("is not looked for without an end, and what is too long is cut", () => {
    for (const piece of [
      "a",
      "a-",
      "://",
      "x://",
      "key",
      "a=",
      "a:",
      '"',
      "'",
      "?a",
      "-e",
      "--a ",
      "a+",
      "@",
      "a.",
      "mysql ",
    ]) {
      const shown = withoutSecrets(piece.repeat(500_000));
      expect(shown.length).toBeLessThan(20_000);
      expect(shown).toContain("…");
    }
    expect(withoutSecrets(`${"x ".repeat(5_000)}${held}`)).not.toContain(held);
  });
});
