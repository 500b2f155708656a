/**
 * esbuild plugin: the points at which tests provoke faults are empty functions in what is shipped, and esbuild drops calls of
 * those. A build that did not meet the module is a failed one: then it was moved, and its points would be shipped.
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
      build.onEnd(() =>
        met ? {} : { errors: [{ text: "src/core/fault-point.ts is nowhere: its points would ship" }] },
      );
    },
  };
  return plugin;
}
