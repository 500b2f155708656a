import type { Cell, Pty } from "./pty.ts";

export interface SvgOptions {
  title: string;
}

const CELL_WIDTH = 8.4;
const CELL_HEIGHT = 18;
const FONT_SIZE = 14;
const BASELINE = 13.5;
const PADDING = 14;
const BAR = 34;
const PAPER = "#16181d";
const INK = "#d7dae0";
const BASE = [
  "#2e3440",
  "#e06c75",
  "#98c379",
  "#e5c07b",
  "#61afef",
  "#c678dd",
  "#56b6c2",
  "#d7dae0",
  "#7a8290",
  "#ff7b86",
  "#b5e890",
  "#ffd98a",
  "#82c4ff",
  "#dd9bf0",
  "#7fdbe6",
  "#ffffff",
] as const;

interface Placed extends Cell {
  col: number;
  width: number;
}

/** What stands on the screen now, cell by cell with colours and cursor, as an SVG that needs nothing but itself. */
export function screenToSvg(pty: Pty, options: SvgOptions): string {
  const { cols, rows } = pty.term;
  const width = round(cols * CELL_WIDTH + 2 * PADDING);
  const height = rows * CELL_HEIGHT + BAR + PADDING;
  const lines = Array.from({ length: rows }, (_, row) => rowSvg(placed(pty, row), row));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeXml(options.title)}">`,
    `<rect width="${width}" height="${height}" rx="8" fill="${PAPER}"/>`,
    ...["#ff5f57", "#febc2e", "#28c840"].map(
      (fill, dot) => `<circle cx="${18 + dot * 18}" cy="17" r="5.5" fill="${fill}"/>`,
    ),
    `<text x="${width / 2}" y="21" fill="#8b92a0" font-family="system-ui, sans-serif" font-size="12" text-anchor="middle">${escapeXml(options.title)}</text>`,
    `<g transform="translate(${PADDING} ${BAR})" font-family="ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${FONT_SIZE}">`,
    ...lines.filter((line) => line !== ""),
    cursorSvg(pty),
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

function placed(pty: Pty, row: number): Placed[] {
  const line = pty.term.buffer.active.getLine(pty.term.buffer.active.viewportY + row);
  const columns = Array.from({ length: pty.term.cols }, (_, col) => ({
    col,
    width: line?.getCell(col)?.getWidth() ?? 1,
  }));
  const drawn = columns.filter(({ width }) => width > 0);
  return pty.cells(row).map((cell, index) => ({ ...cell, ...(drawn[index] ?? { col: index, width: 1 }) }));
}

function rowSvg(cells: Placed[], row: number): string {
  const y = row * CELL_HEIGHT;
  const backgrounds = runs(
    cells.filter((cell) => backOf(cell) !== PAPER),
    backOf,
  ).map((run) => {
    const last = run.at(-1) as Placed;
    const x = (run[0] as Placed).col;
    return `<rect x="${at(x)}" y="${y}" width="${at(last.col + last.width - x)}" height="${CELL_HEIGHT}" fill="${backOf(last)}"/>`;
  });
  const inked = cells.filter((cell) => cell.text.trim() !== "" || cell.underline);
  const texts = runs(inked, styleOf).map((run) => {
    const first = run[0] as Placed;
    const text = run.map((cell) => cell.text).join("");
    const length = run.reduce((sum, cell) => sum + cell.width, 0);
    return `<text x="${at(first.col)}" y="${y + BASELINE}" textLength="${at(length)}" lengthAdjust="spacingAndGlyphs" ${styleOf(first)} xml:space="preserve">${escapeXml(text)}</text>`;
  });
  return [...backgrounds, ...texts].join("");
}

/** Neighbouring cells of one style; a wide character stands alone, so that it keeps its place in the grid. */
function runs(cells: Placed[], key: (cell: Placed) => string): Placed[][] {
  const found: Placed[][] = [];
  for (const cell of cells) {
    const run = found.at(-1);
    const last = run?.at(-1);
    const joins = last !== undefined && last.col + last.width === cell.col && key(last) === key(cell);
    if (run !== undefined && joins && cell.width === 1 && last.width === 1) run.push(cell);
    else found.push([cell]);
  }
  return found;
}

function styleOf(cell: Placed): string {
  const attributes = [`fill="${cell.inverse ? backgroundColor(cell) : foregroundColor(cell)}"`];
  if (cell.bold) attributes.push('font-weight="bold"');
  if (cell.italic) attributes.push('font-style="italic"');
  if (cell.underline) attributes.push('text-decoration="underline"');
  if (cell.dim) attributes.push('opacity="0.6"');
  return attributes.join(" ");
}

function backOf(cell: Placed): string {
  return cell.inverse ? foregroundColor(cell) : backgroundColor(cell);
}

function foregroundColor(cell: Cell): string {
  return cell.color === "default" ? INK : hex(cell.color);
}

function backgroundColor(cell: Cell): string {
  return cell.background === "default" ? PAPER : hex(cell.background);
}

function hex(color: string): string {
  if (color.startsWith("rgb:")) return `#${color.slice(4)}`;
  const index = Number(color.slice("palette:".length));
  const base = BASE[index];
  if (base !== undefined) return base;
  if (index >= 232) return rgb([index - 232, index - 232, index - 232].map((level) => 8 + level * 10));
  const cube = index - 16;
  return rgb(
    [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((level) => (level === 0 ? 0 : 55 + level * 40)),
  );
}

function rgb(levels: number[]): string {
  return `#${levels.map((level) => level.toString(16).padStart(2, "0")).join("")}`;
}

function cursorSvg(pty: Pty): string {
  const { row, col, visible } = pty.cursor();
  if (!visible) return "";
  return `<rect x="${at(col)}" y="${row * CELL_HEIGHT}" width="${at(1)}" height="${CELL_HEIGHT}" fill="${INK}" opacity="0.55"/>`;
}

function at(columns: number): number {
  return round(columns * CELL_WIDTH);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
