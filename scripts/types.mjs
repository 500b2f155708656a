/**
 * Writes types/: what TypeScript is told of the package's exports, one file for each. `prepack` runs it, so
 * that a package has them; [folder] writes them elsewhere. The types are checked by `npm run check:types`, not here.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { rollup } from "rollup";
import { dts } from "rollup-plugin-dts";
import { libraryEntries } from "./build/bundle.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const out = resolve(process.argv[2] ?? join(root, "types"));

/** One declaration file for each source that the exports reach. */
function emit(folder) {
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  const args = [tsc, "-p", join(root, "tsconfig.build.json"), "--outDir", folder];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`tsc: ${stdout}${stderr}`);
}

/** Each entry whole by itself, so that the types of tools need no types of LangChain's. */
async function bundleTypes(folder) {
  for (const name of Object.keys(libraryEntries)) {
    const problems = [];
    const bundle = await rollup({
      input: join(folder, `${name}.d.ts`),
      external: (id) => !id.startsWith(".") && !id.startsWith("/"),
      plugins: [dts()],
      treeshake: { moduleSideEffects: false },
      onwarn: (warning) => problems.push(warning.message),
    });
    if (problems.length > 0) throw new Error(problems.join("\n"));
    await bundle.write({ file: join(out, `${name}.d.ts`), format: "es" });
  }
}

const emitted = mkdtempSync(join(root, ".types-"));
try {
  emit(emitted);
  rmSync(out, { recursive: true, force: true });
  await bundleTypes(emitted);
} catch (failure) {
  console.error(`the types could not be written: ${failure.message}`);
  process.exitCode = 1;
} finally {
  rmSync(emitted, { recursive: true, force: true });
}
