import { mix } from './color.ts';
import type { Light } from './light.ts';
import { type Random, randomBetween } from './random.ts';
import { ellipse, path, rect, repeat, unit } from './svg.ts';

export type TreeKind = 'oak' | 'fir' | 'poplar' | 'birch';

interface Tree {
  x: number;
  /** where the trunk meets the ground */
  y: number;
  height: number;
  leaf: Light['leaf'];
  bark: string;
  snow: boolean;
}

/** A tree whose base is at (x, y). `haze` (0 … 1) fades it into the distant hills. */
export function tree(
  random: Random,
  light: Light,
  x: number,
  y: number,
  height: number,
  kind: TreeKind,
  haze = 0,
): string {
  const faded = (color: string) => mix(color, light.hills[1], haze);
  const drawn: Tree = {
    x,
    y,
    height,
    leaf: { shade: faded(light.leaf.shade), body: faded(light.leaf.body), light: faded(light.leaf.light) },
    bark: mix(kind === 'birch' ? '#e9e2d2' : '#5b4632', light.ambient, light.tint + haze * 0.5),
    snow: light.snow,
  };
  if (kind === 'fir') return fir(drawn);
  if (kind === 'poplar') return poplar(drawn);
  return kind === 'birch' ? birch(random, drawn) : oak(random, drawn);
}

/** Four tiers of branches, lit (or snow-covered) on the left edge. */
function fir({ x, y, height, leaf, bark, snow }: Tree): string {
  const skirt = (index: number) => {
    const top = y - height + index * height * 0.19;
    const bottom = y - height * 0.72 + index * height * 0.215;
    const width = height * 0.36 * (0.36 + index * 0.215);
    const left = unit(x - width / 2);
    const branch = `M${unit(x)} ${unit(top)}L${unit(x + width / 2)} ${unit(bottom)}Q${unit(x)} ${unit(bottom + height * 0.035)} ${left} ${unit(bottom)}Z`;
    const edge = `M${unit(x)} ${unit(top)}L${left} ${unit(bottom)}Q${unit(x - width * 0.22)} ${unit(bottom + height * 0.02)} ${unit(x - width * 0.08)} ${unit(bottom)}Z`;
    return (
      path(branch, index % 2 ? leaf.body : leaf.shade) +
      path(edge, leaf.light, { opacity: snow ? 0.95 : 0.42 })
    );
  };
  const trunk = rect(x - height * 0.025, y - height * 0.12, height * 0.05, height * 0.13, bark);
  return trunk + repeat(4, skirt);
}

function poplar({ x, y, height, leaf, bark }: Tree): string {
  const flame = (dx: number, dy: number, rx: number, ry: number, fill: string, opacity = 1) =>
    ellipse(x - dx * height, y - dy * height, rx * height, ry * height, fill, { opacity });
  return (
    rect(x - height * 0.02, y - height * 0.2, height * 0.04, height * 0.2, bark) +
    flame(0, 0.55, 0.13, 0.45, leaf.shade) +
    flame(0.02, 0.57, 0.105, 0.41, leaf.body) +
    flame(0.045, 0.62, 0.05, 0.3, leaf.light, 0.55)
  );
}

function trunk({ x, y, height, bark }: Tree): string {
  const at = (dx: number, dy: number) => `${unit(x + height * dx)} ${unit(y - height * dy)}`;
  return path(
    `M${at(-0.03, 0)}Q${at(-0.012, 0.3)} ${at(-0.02, 0.6)}L${at(0.02, 0.6)}Q${at(0.012, 0.3)} ${at(0.034, 0)}Z`,
    bark,
  );
}

/** Returns a function that draws leaf clusters, with position and size relative to the tree's height. */
const clusters =
  ({ x, y, height }: Tree) =>
  (dx: number, dy: number, size: number, fill: string, opacity = 1) =>
    ellipse(x + dx * height, y - dy * height, size * height, size * height * 0.88, fill, { opacity });

const sway = (random: Random) => randomBetween(random, -0.03, 0.03);

function oak(random: Random, drawn: Tree): string {
  const { shade, body, light } = drawn.leaf;
  const cluster = clusters(drawn);
  const inShade =
    cluster(0.12 + sway(random), 0.5, 0.2, shade) + cluster(-0.15 + sway(random), 0.5, 0.19, shade);
  const crown = cluster(0, 0.62, 0.25, body) + cluster(0.15, 0.64 + sway(random), 0.15, body);
  const inLight =
    cluster(-0.1 + sway(random), 0.7, 0.14, light, 0.85) +
    cluster(0.04, 0.8, 0.1, light, 0.6) +
    cluster(-0.2, 0.55, 0.08, light, 0.55);
  return trunk(drawn) + inShade + crown + inLight;
}

function birch(random: Random, drawn: Tree): string {
  const { x, y, height, leaf } = drawn;
  const cluster = clusters(drawn);
  const marks = repeat(height > 120 ? 5 : 0, (index) =>
    rect(
      x - height * 0.018 + (index % 2) * height * 0.014,
      y - height * (0.06 + index * 0.085),
      height * 0.02,
      height * 0.008,
      '#4a4038',
      { opacity: 0.55 },
    ),
  );
  const inShade =
    cluster(0.09 + sway(random), 0.5, 0.13, leaf.shade) +
    cluster(-0.1 + sway(random), 0.46, 0.12, leaf.shade);
  const crown =
    cluster(0.07, 0.68, 0.16, leaf.body) +
    cluster(-0.09 + sway(random), 0.62, 0.16, leaf.body) +
    cluster(0, 0.82 + sway(random), 0.15, leaf.body);
  const inLight =
    cluster(-0.06, 0.8, 0.09, leaf.light, 0.7) +
    cluster(-0.1, 0.58, 0.07, leaf.light, 0.6) +
    cluster(0.07, 0.6, 0.06, leaf.light, 0.5);
  return trunk(drawn) + marks + inShade + crown + inLight;
}
