import { DARK, WHITE } from './color.ts';
import { pick, type Random } from './random.ts';
import type { Site } from './site.ts';
import { GROUND, path, polygon, rect, repeat, unit } from './svg.ts';

export type Siding = 'board' | 'batten' | 'brick' | 'plain';

/** A soft shadow over a polygon. */
export const shade = (points: readonly number[], opacity = 0.14) => polygon(points, DARK, { opacity });

/** The boards or bricks of a wall, without its fill. */
export function siding(
  random: Random,
  x: number,
  y: number,
  width: number,
  height: number,
  kind: Siding,
): string {
  const grooves = (data: string, opacity: number) =>
    `<path d="${data}" stroke="${DARK}" stroke-opacity="${opacity}" stroke-width="1.6" fill="none"/>`;
  const board = (index: number) => `M${unit(x)} ${unit(y + 13 * (index + 1))}h${unit(width)}`;
  const batten = (index: number) => `M${unit(x + 20 * (index + 0.5))} ${unit(y)}v${unit(height)}`;
  const brick = () => {
    const left = x + 6 + random() * (width - 30);
    const top = y + 6 + Math.floor((random() * (height - 14)) / 9) * 9;
    return rect(left, top, 17, 6, random() > 0.5 ? DARK : WHITE, { opacity: random() > 0.5 ? 0.1 : 0.07 });
  };
  if (kind === 'board') return grooves(repeat(Math.floor(height / 13), board), 0.1);
  if (kind === 'batten') return grooves(repeat(Math.floor(width / 20), batten), 0.11);
  if (kind === 'brick') return repeat(Math.floor((width * height) / 1500), brick);
  return '';
}

/** Flat walls, foundations and shadows. */
export function walls({ random, light, paint, hue }: Site) {
  return {
    wall: (x: number, y: number, width: number, height: number, fill = paint.wall, kind: Siding = 'board') =>
      rect(x, y, width, height, fill) + siding(random, x, y, width, height, kind),

    /** The foundation course under a wall. */
    foundation: (x: number, width: number, height = 14) =>
      rect(x - 4, GROUND - height, width + 8, height + 4, paint.base),

    /** The shadow of a building, to its right on the lawn. */
    castShadow: (x: number, width: number, length: number) =>
      path(`M${unit(x)} ${GROUND}H${unit(x + width)}l${unit(length)} 34H${unit(x + length * 0.7)}Z`, DARK, {
        opacity: light.lit ? 0.22 : 0.18,
      }),

    chimney: (x: number, y: number, height: number) =>
      rect(x, y, 34, height, hue('#9a5f48')) +
      rect(x + 22, y, 12, height, DARK, { opacity: 0.18 }) +
      rect(x - 5, y, 44, 10, hue('#7b4a38')) +
      (light.snow ? rect(x - 5, y - 5, 44, 7, '#f7fafb', { rx: 3 }) : ''),

    /** A random color of a list, in this light. */
    oneOf: (colors: readonly string[]) => hue(pick(random, colors)),
  };
}
