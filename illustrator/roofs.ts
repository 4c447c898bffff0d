import { DARK, SNOW } from './color.ts';
import type { Site } from './site.ts';
import { group, line, polygon, rect, repeat } from './svg.ts';
import { type Siding, shade, siding } from './walls.ts';

interface Gable {
  fill?: string;
  kind?: Siding;
  /** how far the eaves extend beyond the wall */
  overhang?: number;
}

/** Gables, roof slopes and ledges. */
export function roofs({ random, light, paint, hue }: Site) {
  /** A gabled front: a pentagon wall under two raking eaves, its ridge `rise` above the wall. */
  const gable = (x: number, y: number, width: number, height: number, rise: number, options: Gable = {}) => {
    const { fill = paint.wall, kind = 'board', overhang = 26 } = options;
    const right = x + width;
    const foot = y + height;
    const middle = x + width / 2;
    const pitch = rise / (width / 2);
    const peak = y - rise;
    const eaves = y + overhang * pitch;
    const front = polygon([x, foot, x, y, middle, peak, right, y, right, foot], fill);
    const boardsBelow = group(siding(random, x, y, width, height, kind));
    const boardsAbove = repeat(kind === 'board' ? Math.floor(rise / 13) - 1 : 0, (index) => {
      const up = 13 * (index + 1);
      const half = (rise - up) / pitch;
      return line(middle - half, y - up, middle + half, y - up, DARK, 1.6, { 'stroke-opacity': 0.1 });
    });
    const underEaves = shade(
      [x, y, middle, peak, right, y, right, y + 20, middle, peak + 22, x, y + 20],
      0.15,
    );
    const rake = (depth: number, inner: number, fillRake: string, opacity?: number) =>
      polygon(
        [
          ...[middle, peak - 20, x - overhang, eaves, x - overhang, eaves + depth],
          ...[middle, inner, right + overhang, eaves + depth, right + overhang, eaves],
        ],
        fillRake,
        opacity === undefined ? {} : { opacity },
      );
    const rightEdge = shade([middle, peak, right, y, right, foot, right - 12, foot, right - 12, y + 6], 0.05);
    return (
      front +
      boardsBelow +
      boardsAbove +
      underEaves +
      rake(17, peak, paint.roof) +
      rake(5, peak - 14, '#fff', 0.16) +
      rightEdge
    );
  };

  /** A long roof seen from the side, standing on the wall's top edge at `y`. */
  const slope = (x: number, y: number, width: number, height: number, inset = 40, overhang = 24) => {
    const [left, right] = [x - overhang, x + width + overhang];
    const [ridgeLeft, ridgeRight, ridge] = [x + inset - 6, x + width - inset + 6, y - height];
    const courses = repeat(Math.floor(height / 15), (index) => {
      const share = ((index + 1) * 15) / height;
      const inward = share * (inset - 6 + overhang);
      const level = y - height * share;
      return line(left + inward, level, right - inward, level, light.snow ? '#8fa3ab' : DARK, 1.6, {
        'stroke-opacity': 0.16,
      });
    });
    const ridgeLight = polygon(
      [ridgeLeft, ridge, ridgeRight, ridge, ridgeRight + 3, ridge + 5, ridgeLeft - 3, ridge + 5],
      '#fff',
      { opacity: 0.22 },
    );
    return (
      polygon([left, y, ridgeLeft, ridge, ridgeRight, ridge, right, y], paint.roof) +
      courses +
      ridgeLight +
      rect(left, y, width + overhang * 2, 8, paint.trim) +
      rect(x, y + 8, width, 15, DARK, { opacity: 0.15 })
    );
  };

  /** The color of a ledge or flat roof: snow in winter, otherwise `color` in this light. */
  const ledge = (color: string) => (light.snow ? SNOW : hue(color));

  return { gable, slope, ledge };
}
