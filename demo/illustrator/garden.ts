import { between, type Chance, pick } from './chance.ts';
import { DARK, mix } from './colour.ts';
import type { Light } from './light.ts';
import { dot, ellipse, GROUND, group, HEIGHT, path, repeat, unit, WIDTH } from './svg.ts';
import { type TreeKind, tree } from './trees.ts';

const TALL = ['oak', 'fir', 'birch', 'poplar', 'oak'] as const;
const LOW = ['oak', 'fir', 'birch'] as const;

/** Three trees beside the building, kept clear of the span from `left` to `right`. */
export function flankingTrees(chance: Chance, light: Light, left: number, right: number): string {
  const tall = pick(chance, TALL);
  const low = pick(chance, LOW);
  const standing = (x: number, y: number, height: number, kind: TreeKind) =>
    ellipse(x + height * 0.12, y + 2, height * 0.3, height * 0.035, DARK, { opacity: 0.18 }) +
    tree(chance, light, x, y, height, kind);
  return (
    standing(left - between(chance, 60, 130), GROUND - 8, between(chance, 280, 360), tall) +
    standing(right + between(chance, 50, 110), GROUND - 14, between(chance, 210, 300), low) +
    (chance() > 0.4
      ? standing(right + between(chance, 150, 220), GROUND + 12, between(chance, 200, 280), tall)
      : standing(left - between(chance, 180, 260), GROUND + 4, between(chance, 220, 290), low))
  );
}

/** A rounded shrub of radius `size`, sometimes in flower by day. */
export function shrub(chance: Chance, light: Light, x: number, y: number, size: number): string {
  const { shade, body, light: bright } = light.leaf;
  const blossom = () =>
    dot(x + between(chance, -0.7, 0.6) * size, y - between(chance, 0.3, 1) * size, 3, '#f6e7d8');
  return (
    ellipse(x, y - size * 0.5, size, size * 0.7, shade) +
    ellipse(x - size * 0.25, y - size * 0.65, size * 0.7, size * 0.5, body) +
    ellipse(x - size * 0.4, y - size * 0.8, size * 0.3, size * 0.2, bright, { opacity: 0.7 }) +
    (!light.lit && chance() > 0.5 ? repeat(4, blossom) : '')
  );
}

/** Shrubs at both ends of a building's foot. */
export function planting(chance: Chance, light: Light, places: readonly number[]): string {
  return places.map((x) => shrub(chance, light, x, 648, 22 + chance() * 12)).join('');
}

/** The walk to the door (none without one) and the grasses close to the viewer. */
export function foreground(chance: Chance, light: Light, door: number | null): string {
  const end = between(chance, 420, 780);
  const tufts = () =>
    tuft(light, between(chance, 0, WIDTH), between(chance, 690, 790), between(chance, 14, 28));
  const verge = () =>
    `M0 ${HEIGHT}V${unit(between(chance, 752, 770))}Q300 ${unit(between(chance, 730, 765))} 640 782T${WIDTH} ${unit(between(chance, 745, 770))}V${HEIGHT}Z`;
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
