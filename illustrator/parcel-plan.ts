import { PAPER, sheet } from './plan.ts';
import { type Random, randomBetween } from './random.ts';
import { dot, each, type Point, path, polygon, rect, repeat, unit } from './svg.ts';

/** A surveyor's drawing of a vacant lot: contour lines, a road, the parcel and its trees. */
export function parcelPlan(random: Random, ink: string): string {
  const shift = () => randomBetween(random, -36, 36);
  const corners: Point[] = [
    [220 + shift(), 150],
    [900 + shift(), 130 + shift()],
    [980 + shift(), 590],
    [180 + shift(), 640],
  ];
  const [hillX, hillY] = [randomBetween(random, 380, 760), randomBetween(random, 300, 460)];
  const contours = repeat(9, (index) => contour(hillX, hillY, index));
  const road = path('M0 690Q500 650 1200 700v46Q500 700 0 738Z', '#e2d7bf');
  const boundary = polygon(corners.flat(), ink, {
    'fill-opacity': 0.09,
    stroke: ink,
    'stroke-width': 5,
    'stroke-dasharray': '26 9 5 9',
  });
  const pegs = each(corners, ([x, y]) =>
    rect(x - 9, y - 9, 18, 18, PAPER, { stroke: ink, 'stroke-width': 4 }),
  );
  const trees = repeat(14, () => {
    const [x, y] = [randomBetween(random, 250, 880), randomBetween(random, 190, 580)];
    return dot(x, y, randomBetween(random, 14, 30), '#7d9c7c', { opacity: 0.5 }) + dot(x, y, 3, ink);
  });
  return sheet(ink, contours + road + boundary + pegs + trees);
}

/** One closed contour around the top of a hill; every fourth is heavier. */
function contour(x: number, y: number, index: number): string {
  const at = (dx: number, dy: number) => `${unit(x + dx)} ${unit(y + dy)}`;
  const west = at(-60 - index * 62, 0);
  const overTop = `${at(-50 - index * 52, -46 - index * 44)} ${at(70 + index * 46, -60 - index * 38)} ${at(80 + index * 66, 10)}`;
  const back = `${at(-30 - index * 70, 90 + index * 60)} ${west}`;
  return path(`M${west}C${overTop}S${back}Z`, 'none', {
    stroke: '#b3873a',
    'stroke-width': index % 4 === 0 ? 3 : 1.6,
    opacity: 0.5,
  });
}
