/** The size of a picture and the y that buildings stand on, in user units. */
export const WIDTH = 1200;
export const HEIGHT = 800;
export const GROUND = 640;

type Attributes = Readonly<Record<string, string | number>>;
export type Point = readonly [x: number, y: number];

/** A coordinate with at most one decimal, to keep the documents small. */
export const unit = (value: number): string => String(Math.round(value * 10) / 10);

const extra = (attributes: Attributes): string =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${value}"`)
    .join('');

export const rect = (
  x: number,
  y: number,
  width: number,
  height: number,
  fill: string,
  more: Attributes = {},
) =>
  `<rect x="${unit(x)}" y="${unit(y)}" width="${unit(width)}" height="${unit(height)}" fill="${fill}"${extra(more)}/>`;

/** `points` is x, y, x, y … */
export const polygon = (points: readonly number[], fill: string, more: Attributes = {}) =>
  `<polygon points="${points.map(unit).join(' ')}" fill="${fill}"${extra(more)}/>`;

/** `data` is path data; callers round computed coordinates with `unit`. */
export const path = (data: string, fill: string, more: Attributes = {}) =>
  `<path d="${data}" fill="${fill}"${extra(more)}/>`;

export const ellipse = (x: number, y: number, rx: number, ry: number, fill: string, more: Attributes = {}) =>
  `<ellipse cx="${unit(x)}" cy="${unit(y)}" rx="${unit(rx)}" ry="${unit(ry)}" fill="${fill}"${extra(more)}/>`;

export const dot = (x: number, y: number, radius: number, fill: string, more: Attributes = {}) =>
  ellipse(x, y, radius, radius, fill, more);

export const line = (
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  stroke: string,
  width: number,
  more: Attributes = {},
) =>
  `<line x1="${unit(x1)}" y1="${unit(y1)}" x2="${unit(x2)}" y2="${unit(y2)}" stroke="${stroke}" stroke-width="${width}"${extra(more)}/>`;

export const group = (content: string, attributes: Attributes = {}) =>
  `<g${extra(attributes)}>${content}</g>`;

export const clip = (id: string, shape: string) => `<clipPath id="${id}">${shape}</clipPath>`;

export interface Stop {
  at: number;
  color: string;
  opacity?: number;
}
const stopTag = ({ at, color, opacity }: Stop) =>
  `<stop offset="${at}" stop-color="${color}"${opacity === undefined ? '' : ` stop-opacity="${opacity}"`}/>`;

/** A gradient from the top left corner to (x2, y2), in fractions of the bounding box. */
export const linearGradient = (id: string, x2: number, y2: number, stops: readonly Stop[]) =>
  `<linearGradient id="${id}" x1="0" y1="0" x2="${x2}" y2="${y2}">${each(stops, stopTag)}</linearGradient>`;

/** A radial gradient from `color` in the middle to transparent. */
export const radialGlow = (id: string, color: string, opacity: number) =>
  `<radialGradient id="${id}">${stopTag({ at: 0, color, opacity })}${stopTag({ at: 1, color, opacity: 0 })}</radialGradient>`;

export const defs = (content: string) => `<defs>${content}</defs>`;

/** A complete SVG document; `label` is its accessible name. */
export const picture = (width: number, height: number, label: string, content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${label}">${content}</svg>`;

/** Draws `count` times and joins the pieces. */
export const repeat = (count: number, draw: (index: number) => string): string =>
  Array.from({ length: Math.max(0, count) }, (_, index) => draw(index)).join('');

/** Draws once for each item and joins the pieces. */
export const each = <T>(items: readonly T[], draw: (item: T, index: number) => string): string =>
  items.map(draw).join('');
