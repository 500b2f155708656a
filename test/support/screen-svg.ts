import headless from "@xterm/headless";
import { type Cell, type Pty, rowCells } from "./pty.ts";

export interface SvgOptions {
  title: string;
  /** Default: dark. */
  ground?: keyof typeof GROUNDS;
}

/** What is drawn of a terminal. */
export type Screen = Pick<Pty, "term" | "cells" | "cursor">;

/** A screen on which this text was written, as high as the text is; without a cursor. */
export async function drawnScreen(ansi: string, [cols]: readonly [cols: number, rows: number]): Promise<Screen> {
  const term = new headless.Terminal({ cols, rows: ansi.split("\n").length, allowProposedApi: true });
  await new Promise<void>((resolve) => term.write(ansi.replaceAll("\n", "\r\n"), resolve));
  return { term, cells: (row) => rowCells(term, row), cursor: () => ({ row: 0, col: 0, visible: false }) };
}

const CELL_WIDTH = 8.4;
const CELL_HEIGHT = 18;
const FONT_SIZE = 14;
const BASELINE = 13.5;
const PADDING = 14;
const BAR = 34;
const DARK = [
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
const LIGHT = [
  "#24292f",
  "#b3202b",
  "#116329",
  "#7d4e00",
  "#0550ae",
  "#8250df",
  "#1b7c83",
  "#d0d7de",
  "#6e7781",
  "#cf222e",
  "#1a7f37",
  "#9a6700",
  "#0969da",
  "#a475f9",
  "#3192aa",
  "#ffffff",
] as const;
const GROUNDS = {
  dark: { paper: "#16181d", ink: "#d7dae0", base: DARK },
  light: { paper: "#ffffff", ink: "#24292f", base: LIGHT },
} as const;
type Ground = (typeof GROUNDS)[keyof typeof GROUNDS];

interface Placed extends Cell {
  col: number;
  width: number;
}

/** What stands on the screen now, cell by cell with colours and cursor, as an SVG that needs nothing but itself. */
export function screenToSvg(pty: Screen, options: SvgOptions): string {
  return framedSvg(sizeOf(pty), options, [frameSvg(pty, options.ground)]);
}

/** Some screens of one size one after the other, for ever, as an SVG that needs no script. */
export function framesToSvg(frames: readonly Shown[], size: Size, options: SvgOptions): string {
  const whole = frames.reduce((sum, { ms }) => sum + ms, 0);
  let from = 0;
  const rules: string[] = [];
  const groups = frames.map(({ svg, ms }, index) => {
    const [start, end] = [(from / whole) * 100, ((from + ms) / whole) * 100].map(round);
    from += ms;
    const before = index === 0 ? "" : `0%{visibility:hidden}`;
    rules.push(`@keyframes f${index}{${before}${start}%{visibility:visible}${end}%,100%{visibility:hidden}}`);
    rules.push(`#f${index}{animation:f${index} ${whole / 1000}s step-end infinite}`);
    return `<g id="f${index}">${svg}</g>`;
  });
  return framedSvg(size, options, [`<style>${rules.join("")}</style>`, ...groups]);
}

/** One screen of several, and how long it stands. */
interface Shown {
  svg: string;
  ms: number;
}

interface Size {
  cols: number;
  rows: number;
}

export const sizeOf = ({ term: { cols, rows } }: Screen): Size => ({ cols, rows });

/** The cells of a screen, without the window round them. */
export function frameSvg(pty: Screen, theme: SvgOptions["ground"] = "dark"): string {
  const ground = GROUNDS[theme];
  const lines = Array.from({ length: pty.term.rows }, (_, row) => rowSvg(placed(pty, row), row, ground));
  return [...lines.filter((line) => line !== ""), cursorSvg(pty, ground)].join("\n");
}

/** A window with its bar, round what is drawn in it. */
function framedSvg({ cols, rows }: Size, options: SvgOptions, content: readonly string[]): string {
  const ground = GROUNDS[options.ground ?? "dark"];
  const width = round(cols * CELL_WIDTH + 2 * PADDING);
  const height = rows * CELL_HEIGHT + BAR + PADDING;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeXml(options.title)}">`,
    `<rect width="${width}" height="${height}" rx="8" fill="${ground.paper}"/>`,
    ...["#ff5f57", "#febc2e", "#28c840"].map(
      (fill, dot) => `<circle cx="${18 + dot * 18}" cy="17" r="5.5" fill="${fill}"/>`,
    ),
    `<text x="${width / 2}" y="21" fill="#8b92a0" font-family="system-ui, sans-serif" font-size="12" text-anchor="middle">${escapeXml(options.title)}</text>`,
    `<g transform="translate(${PADDING} ${BAR})" font-family="ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${FONT_SIZE}">`,
    ...content,
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

function placed(pty: Screen, row: number): Placed[] {
  const line = pty.term.buffer.active.getLine(pty.term.buffer.active.viewportY + row);
  const columns = Array.from({ length: pty.term.cols }, (_, col) => ({
    col,
    width: line?.getCell(col)?.getWidth() ?? 1,
  }));
  const drawn = columns.filter(({ width }) => width > 0);
  return pty.cells(row).map((cell, index) => ({ ...cell, ...(drawn[index] ?? { col: index, width: 1 }) }));
}

function rowSvg(cells: Placed[], row: number, ground: Ground): string {
  const backOf = (cell: Placed): string => colorsOf(cell, ground).back;
  const styleOf = (cell: Placed): string => attributesOf(cell, colorsOf(cell, ground).fore);
  const y = row * CELL_HEIGHT;
  const backgrounds = runs(
    cells.filter((cell) => backOf(cell) !== ground.paper),
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

function attributesOf(cell: Placed, fill: string): string {
  const attributes = [`fill="${fill}"`];
  if (cell.bold) attributes.push('font-weight="bold"');
  if (cell.italic) attributes.push('font-style="italic"');
  if (cell.underline) attributes.push('text-decoration="underline"');
  if (cell.dim) attributes.push('opacity="0.6"');
  return attributes.join(" ");
}

function colorsOf(cell: Cell, { ink, paper, base }: Ground): { fore: string; back: string } {
  const fore = cell.color === "default" ? ink : hex(cell.color, base);
  const back = cell.background === "default" ? paper : hex(cell.background, base);
  return cell.inverse ? { fore: back, back: fore } : { fore, back };
}

function hex(color: string, base: Ground["base"]): string {
  if (color.startsWith("rgb:")) return `#${color.slice(4)}`;
  const index = Number(color.slice("palette:".length));
  const known = base[index];
  if (known !== undefined) return known;
  if (index >= 232) return rgb([index - 232, index - 232, index - 232].map((level) => 8 + level * 10));
  const cube = index - 16;
  return rgb(
    [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((level) => (level === 0 ? 0 : 55 + level * 40)),
  );
}

function rgb(levels: number[]): string {
  return `#${levels.map((level) => level.toString(16).padStart(2, "0")).join("")}`;
}

function cursorSvg(pty: Screen, { ink }: Ground): string {
  const { row, col, visible } = pty.cursor();
  if (!visible) return "";
  return `<rect x="${at(col)}" y="${row * CELL_HEIGHT}" width="${at(1)}" height="${CELL_HEIGHT}" fill="${ink}" opacity="0.55"/>`;
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
