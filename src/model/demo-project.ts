export const kettlePath = "src/temperature.js";
export const testPath = "test/boiling.test.js";

/** The line with the defect, and what it should be: `-` binds weaker than `*`. */
export const wrongLine = "  return fahrenheit - 32 * (5 / 9);";
export const rightLine = "  return (fahrenheit - 32) * (5 / 9);";

export const boilingTest = `import assert from "node:assert/strict";
import { test } from "node:test";
import { toCelsius } from "../src/temperature.js";

test("water boils at 100 °C", () => {
  assert.equal(Math.round(toCelsius(212)), 100);
});

test("water freezes at 0 °C", () => {
  assert.equal(Math.round(toCelsius(32)), 0);
});
`;

const readme = `# kettle

Tells when the tea water is ready. It thinks in Celsius; the sensor, an old one, talks in Fahrenheit.

    node src/kettle.js 212

Tea suggestions come with the reading: green tea likes 80 °C, black tea likes it boiling.
`;

const temperature = `/** Fahrenheit, as the sensor sends it, in Celsius. */
export function toCelsius(fahrenheit) {
${wrongLine}
}

/** Celsius in Fahrenheit, for visitors from far away. */
export function toFahrenheit(celsius) {
  return celsius * (9 / 5) + 32;
}
`;

const kettle = `import { suggest } from "./tea.js";
import { toCelsius } from "./temperature.js";

const celsius = Math.round(toCelsius(Number(process.argv[2] ?? 212)));
console.log(\`The water has \${celsius} °C: \${suggest(celsius)}\`);
`;

const tea = `const teas = [
  { from: 95, name: "black tea, boiling hot" },
  { from: 75, name: "green tea" },
  { from: 0, name: "patience" },
];

/** What the water is good for at this temperature (Celsius). */
export function suggest(celsius) {
  return teas.find((tea) => celsius >= tea.from)?.name ?? "ice cubes";
}
`;

const teaTest = `import assert from "node:assert/strict";
import { test } from "node:test";
import { suggest } from "../src/tea.js";

test("green tea is ready at 80 °C", () => {
  assert.equal(suggest(80), "green tea");
});
`;

const packageJson = `{
  "name": "kettle",
  "version": "1.0.0",
  "description": "Tells when the tea water is ready",
  "type": "module",
  "private": true,
  "scripts": {
    "test": "node --test"
  }
}
`;

/** The small project of the tour, by path; it runs (\`node src/kettle.js\`) and its defect is real. A new object each time. */
export function demoProject(): Record<string, string> {
  return {
    "README.md": readme,
    "package.json": packageJson,
    [kettlePath]: temperature,
    "src/kettle.js": kettle,
    "src/tea.js": tea,
    "test/tea.test.js": teaTest,
  };
}
