/** undici is a sixth of the program, and only the web tools and who goes through a proxy need it: it is not read at each start. */
const module = "src/net/undici.ts";

/**
 * esbuild plugin: `import()` of the module loads the file that is built of it beside the program.
 * @returns the plugin, and `unmet()`: the module, where nobody imported it. Then it was moved, and would be read at each start.
 */
export function apart() {
  let met = false;
  const plugin = {
    name: "apart",
    setup(build) {
      build.onResolve({ filter: /^\.\/undici\.ts$/ }, ({ kind }) => {
        if (kind !== "dynamic-import") return undefined;
        met = true;
        return { path: "./undici.js", external: true };
      });
    },
  };
  return { plugin, unmet: () => (met ? [] : [module]) };
}
