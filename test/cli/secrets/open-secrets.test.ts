import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { defectText, logDefect, maskDefects } from "../../../src/cli/defects.ts";
import type { Io } from "../../../src/cli/io.ts";
import { reportProblem } from "../../../src/cli/print/report.ts";
import { openSecrets } from "../../../src/cli/secrets/open-secrets.ts";
import { removeSecret, setSecret } from "../../../src/cli/secrets/secret-store.ts";

const [one, other] = ["first-value-of-it", "second-value-of-it"];

function place() {
  const root = mkdtempSync(join(tmpdir(), "holdfast-secrets-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  // No program of a keyring is in it.
  return { io: { env: { PATH: root } }, places: { secrets: join(root, "secrets") }, workspace: root };
}

it("stand in nothing that is kept or said of a defect, once they are known", async () => {
  onTestFinished(() => maskDefects({ text: (text) => text }));
  const around = place();
  await setSecret(around, "ONE", one, []);
  await openSecrets(around)();
  const defect = new Error(`no header ${one}`, { cause: `read of ${Buffer.from(one).toString("base64")}` });
  const log = logDefect(around.workspace, defect) ?? "";
  expect(readFileSync(log, "utf8")).toMatch(
    /no header <secret>ONE<\/secret>[\s\S]*caused by thrown: read of <secret>ONE/u,
  );
  expect(defectText(defect, log)).toContain("no header <secret>ONE</secret>");
  const stderr: string[] = [];
  const io = {
    env: { AGENT_HOME: around.workspace },
    stderr: { write: (text: string) => stderr.push(text) },
  } as unknown as Io;
  expect(reportProblem(defect, io, false)).toBe(70);
  expect(stderr.join("")).toContain("no header <secret>ONE</secret>");
});

describe("the secrets of a program that goes on running", () => {
  it("are those that are set now, read once for each change", async () => {
    const around = place();
    const secrets = openSecrets(around);
    expect(await secrets()).toBeUndefined();
    await setSecret(around, "ONE", one, []);
    const first = await secrets();
    expect(first?.masking.text(`${one} ${other}`)).toBe(`<secret>ONE</secret> ${other}`);
    expect(await secrets()).toBe(first);
    await setSecret(around, "OTHER", other, []);
    expect((await secrets())?.masking.text(`${one} ${other}`)).toBe("<secret>ONE</secret> <secret>OTHER</secret>");
    await setSecret(around, "ONE", "other-value-of-one", []);
    expect((await secrets())?.valueOf("ONE")).toBe("other-value-of-one");
    await removeSecret(around, "ONE");
    expect([...((await secrets())?.names.keys() ?? [])]).toEqual(["OTHER"]);
  });

  it("keep the codes masked that were given out before", async () => {
    const around = place();
    const secrets = openSecrets(around);
    await setSecret(around, "site_totp", "JBSWY3DPEHPK3PXP", []);
    const code = (await secrets())?.valueOf("site_totp") ?? "";
    expect(code).toMatch(/^\d{6}$/u);
    await setSecret(around, "OTHER", other, []);
    expect((await secrets())?.masking.text(`it is ${code}.`)).toBe("it is <secret>site_totp</secret>.");
    await removeSecret(around, "site_totp");
    expect((await secrets())?.masking.text(`it is ${code}.`)).toBe("it is <secret>site_totp</secret>.");
  });
});
