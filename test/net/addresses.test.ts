import { expect, test } from "vitest";
import { allowsAddress, hostFactOf, type Lookup, rangeOf } from "../../src/net/addresses.ts";

const nobody: Lookup = async (host) => {
  throw new Error(`${host} must not be looked up`);
};

const ranges = {
  public: "8.8.8.8 1.1.1.1 2606:4700::1111 64:ff9b::808:808 2002:808:808::1 ::ffff:8.8.8.8 [2606:4700::1111]",
  loopback: "127.0.0.1 127.9.9.9 0.0.0.0 0.1.2.3 ::1 :: ::ffff:127.0.0.1 ::7f00:1 64:ff9b::7f00:1 2002:7f00:1::",
  private:
    "10.0.0.1 172.16.0.1 192.168.1.1 100.64.1.1 198.18.0.1 192.0.2.1 240.0.0.1 fc00::1 fec0::1 2001::1 2001:db8::1 64:ff9b:1::1 64:ff9b:1::808:808 64:ff9b:1::a00:1 ::ffff:0:a00:1 ::ffff:10.0.0.1",
  forbidden:
    "169.254.169.254 169.254.1.1 fe80::1 fe80::1%eth0 ::ffff:169.254.169.254 64:ff9b::a9fe:a9fe 64:ff9b:1::a9fe:a9fe 64:ff9b:1:a9fe:a9:fe00:: 64:ff9b:1:a9:fe:a9fe:: 64:ff9b:1:0:a9:fea9:fe00:0 64:ff9b:1::6464:64c8 2002:a9fe:a9fe:: ::a9fe:a9fe fd00:ec2::254 fd20:ce::254 100.100.100.200 192.0.0.192 168.63.129.16 224.0.0.1 ff02::1 255.255.255.255 junk 1.2.3",
};

test.each(Object.entries(ranges))("addresses that are %s", (range, addresses) => {
  expect(addresses.split(" ").filter((address) => rangeOf(address) !== range)).toEqual([]);
});

const spellings = [
  "http://127.0.0.1:80/",
  "http://127.1/",
  "http://2130706433/",
  "http://0x7f.1/",
  "http://017700000001/",
  "http://①②⑦.0.0.1/",
  "http://127.0.0.1./",
  "http://[::ffff:127.0.0.1]/",
  "http://[0:0:0:0:0:ffff:7f00:1]/",
];

test.each(spellings)("%s is 127.0.0.1, in whatever spelling", async (url) => {
  const fact = await hostFactOf(new URL(url), nobody);
  expect(fact).toMatchObject({ port: 80, range: "loopback", addresses: ["127.0.0.1"] });
});

test.each([
  ["http://[::]/", { host: "::", port: 80, range: "loopback", addresses: ["::"] }],
  ["https://localhost.:8443/", { host: "localhost", port: 8443, range: "loopback", addresses: ["127.0.0.1", "::1"] }],
  ["http://a.LOCALHOST/", { host: "a.localhost", port: 80, range: "loopback", addresses: ["127.0.0.1", "::1"] }],
  ["http://metadata.google.internal/", { host: "metadata.google.internal", port: 80, range: "forbidden" }],
  ["http://metadata/", { host: "metadata", port: 80, range: "forbidden" }],
  ["https://8.8.8.8/", { host: "8.8.8.8", port: 443 }],
  // A stranger's name is said to nobody before it is allowed.
  ["https://secret.evil.example.com/", { host: "secret.evil.example.com", port: 443 }],
  ["https://аpple.com/", { host: "xn--pple-43d.com", port: 443 }],
])("%s is judged without asking anybody", async (url, fact) => {
  expect(await hostFactOf(new URL(url), nobody)).toEqual(fact);
});

test("a name of the own network is looked up, and the strictest of its addresses counts", async () => {
  const asked: string[] = [];
  const lookup: Lookup = async (host) => {
    asked.push(host);
    return host === "db" ? ["8.8.8.8", "10.0.0.7"] : ["169.254.169.254", "10.0.0.8"];
  };
  expect(await hostFactOf(new URL("http://db:9000/"), lookup)).toEqual({
    host: "db",
    port: 9000,
    range: "private",
    addresses: ["10.0.0.7", "8.8.8.8"],
  });
  expect(await hostFactOf(new URL("http://x.internal/"), lookup)).toMatchObject({ range: "forbidden" });
  expect(await hostFactOf(new URL("http://gone.lan/"), nobody)).toEqual({ host: "gone.lan", port: 80 });
  expect(asked).toEqual(["db", "x.internal"]);
});

test("what a connection found of a stranger's name counts from then on", async () => {
  const fact = await hostFactOf(new URL("https://wiki.example.com/"), nobody, ["::ffff:10.0.0.9"]);
  expect(fact).toEqual({ host: "wiki.example.com", port: 443, range: "private", addresses: ["10.0.0.9"] });
});

test("only addresses that were judged are spoken to", () => {
  const name = { host: "example.com" };
  expect(["8.8.8.8", "127.0.0.1", "::ffff:10.0.0.1", "junk"].map((one) => allowsAddress(name, one))).toEqual([
    true,
    false,
    false,
    false,
  ]);
  const inner = { host: "db", range: "private" as const, addresses: ["10.0.0.7"] };
  expect(["10.0.0.7", "::ffff:10.0.0.7", "10.0.0.8", "8.8.8.8"].map((one) => allowsAddress(inner, one))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(allowsAddress({ host: "m", range: "forbidden", addresses: ["169.254.169.254"] }, "169.254.169.254")).toBe(
    false,
  );
});
