import { DARK, mix } from './color.ts';
import type { Light } from './light.ts';
import { pick, type Random, randomBetween } from './random.ts';
import { dot, ellipse, GROUND, group, HEIGHT, path, repeat, unit, WIDTH } from './svg.ts';
import { type TreeKind, tree } from './trees.ts';

const TALL = ['oak', 'fir', 'birch', 'poplar', 'oak'] as const;
const LOW = ['oak', 'fir', 'birch'] as const;

/** Three trees beside the building, kept clear of the span from `left` to `right`. */
export function flankingTrees(random: Random, light: Light, left: number, right: number): string {
  const tall = pick(random, TALL);
  const low = pick(random, LOW);
  const standing = (x: number, y: number, height: number, kind: TreeKind) =>
    ellipse(x + height * 0.12, y + 2, height * 0.3, height * 0.035, DARK, { opacity: 0.18 }) +
    tree(random, light, x, y, height, kind);
  return (
    standing(left - randomBetween(random, 60, 130), GROUND - 8, randomBetween(random, 280, 360), tall) +
    standing(right + randomBetween(random, 50, 110), GROUND - 14, randomBetween(random, 210, 300), low) +
    (random() > 0.4
      ? standing(right + randomBetween(random, 150, 220), GROUND + 12, randomBetween(random, 200, 280), tall)
      : standing(left - randomBetween(random, 180, 260), GROUND + 4, randomBetween(random, 220, 290), low))
  );
}

/** A rounded shrub of radius `size`, sometimes in flower by day. */
function shrub(random: Random, light: Light, x: number, y: number, size: number): string {
  const { shade, body, light: bright } = light.leaf;
  const blossom = () =>
    dot(x + randomBetween(random, -0.7, 0.6) * size, y - randomBetween(random, 0.3, 1) * size, 3, '#f6e7d8');
  return (
    ellipse(x, y - size * 0.5, size, size * 0.7, shade) +
    ellipse(x - size * 0.25, y - size * 0.65, size * 0.7, size * 0.5, body) +
    ellipse(x - size * 0.4, y - size * 0.8, size * 0.3, size * 0.2, bright, { opacity: 0.7 }) +
    (!light.lit && random() > 0.5 ? repeat(4, blossom) : '')
  );
}

/** Shrubs along the foot of a building, at the given x positions. */
export function planting(random: Random, light: Light, places: readonly number[]): string {
  return places.map((x) => shrub(random, light, x, 648, 22 + random() * 12)).join('');
}

/** The path to the door, if there is one, and the grass in the foreground. */
export function foreground(random: Random, light: Light, door: number | null): string {
  const end = randomBetween(random, 420, 780);
  const tufts = () =>
    tuft(
      light,
      randomBetween(random, 0, WIDTH),
      randomBetween(random, 690, 790),
      randomBetween(random, 14, 28),
    );
  const verge = () =>
    `M0 ${HEIGHT}V${unit(randomBetween(random, 752, 770))}Q300 ${unit(randomBetween(random, 730, 765))} 640 782T${WIDTH} ${unit(randomBetween(random, 745, 770))}V${HEIGHT}Z`;
  return (
    (door === null ? '' : walk(light, door, end)) +
    repeat(10, tufts) +
    path(verge(), mix(light.grass.near, light.leaf.shade, 0.4), { opacity: 0.55 })
  );
}

/** A path that widens from the door to the lower edge, with a shaded right border. */
function walk(light: Light, door: number, end: number): string {
  const left = `M${unit(door - 24)} ${GROUND}C${unit(door - 40)} 700 ${unit(end - 150)} 700 ${unit(end - 110)} ${HEIGHT}`;
  const back = `H${unit(end + 130)}C${unit(end + 40)} 705 ${unit(door + 60)} 705 ${unit(door + 24)} ${GROUND}Z`;
  const rightEdge = `M${unit(door + 24)} ${GROUND}C${unit(door + 60)} 705 ${unit(end + 40)} 705 ${unit(end + 130)} ${HEIGHT}`;
  const inset = `h-16C${unit(end + 18)} 710 ${unit(door + 46)} 706 ${unit(door + 14)} ${GROUND}Z`;
  return path(left + back, light.soil) + path(rightEdge + inset, DARK, { opacity: 0.1 });
}

/** Five blades of grass. */
function tuft(light: Light, x: number, y: number, size: number): string {
  const blade = (index: number) => {
    const lean = (index - 2) * size;
    const root = `M${unit(x + index * size * 0.16)} ${unit(y)}`;
    const tip = `${unit(lean * 0.22)} ${unit(-size * (0.7 + (index % 2) * 0.3))}`;
    return `<path d="${root}q${unit(lean * 0.09)} ${unit(-size * 0.5)} ${tip}"/>`;
  };
  return group(repeat(5, blade), {
    stroke: mix(light.grass.near, light.leaf.shade, 0.45),
    'stroke-width': unit(size / 9),
    'stroke-linecap': 'round',
    fill: 'none',
  });
}
