/** The module whose functions are points at which tests provoke faults, from the repository's root. */
const points = "src/core/fault-point.ts";

/**
 * esbuild plugin: the points at which tests provoke faults are empty functions in what is shipped, and esbuild drops calls of
 * those. @returns the plugin, and `unmet()`: the module, where no build met it. Then it was moved, and its points would ship.
 */
export function noFaults() {
  let met = false;
  const plugin = {
    name: "no-faults",
    setup(build) {
      build.onLoad({ filter: /[\\/]src[\\/]core[\\/]fault-point\.ts$/ }, () => {
        met = true;
        return { contents: "export function faultPoint() {}\nexport function faultAtMoves() {}\n", loader: "js" };
      });
    },
  };
  return { plugin, unmet: () => (met ? [] : [points]) };
}
