import { DARK, mix } from './color.ts';
import type { Site } from './site.ts';
import { dot, ellipse, polygon, rect, repeat } from './svg.ts';

interface Panes {
  columns?: number;
  rows?: number;
  frame?: string;
}

/** Windows and doors; at night most windows are lit. */
export function openings({ random, light, paint, id, hue }: Site) {
  const glassFill = (lit: boolean) => {
    if (lit && light.snow) return '#f6cf86';
    return light.lit && !lit ? hue('#2c3f49') : `url(#${id}w)`;
  };

  /** A window with frame, bars, sill and reflection. (x, y) is the top left corner of the glass. */
  const glazing = (x: number, y: number, width: number, height: number, panes: Panes = {}) => {
    const { columns = 2, rows = 2, frame = paint.trim } = panes;
    const lit = light.lit && random() > 0.2;
    const halo = lit
      ? ellipse(x + width / 2, y + height / 2, width * 1.15, height * 0.95, `url(#${id}h)`)
      : '';
    const glass =
      rect(x - 5, y - 5, width + 10, height + 10, frame) + rect(x, y, width, height, glassFill(lit));
    const sheen = lit
      ? rect(x, y + height * 0.62, width, height * 0.38, '#8a4b1c', { opacity: 0.14 })
      : polygon(
          [
            x + width * 0.1,
            y + height,
            x + width * 0.52,
            y,
            x + width * 0.82,
            y,
            x + width * 0.4,
            y + height,
          ],
          '#fff',
          { opacity: 0.17 },
        );
    const lintelShadow = rect(x, y, width, Math.min(7, height * 0.08), DARK, { opacity: 0.22 });
    const bars =
      repeat(columns - 1, (index) => rect(x + (width * (index + 1)) / columns - 1.7, y, 3.4, height, frame)) +
      repeat(rows - 1, (index) => rect(x, y + (height * (index + 1)) / rows - 1.7, width, 3.4, frame));
    const sill =
      rect(x - 9, y + height + 5, width + 18, 6, frame) +
      rect(x - 7, y + height + 11, width + 14, 5, DARK, { opacity: 0.14 });
    return halo + glass + sheen + lintelShadow + bars + sill;
  };

  /** A panelled door with a light in its upper half, a knob and a step. */
  const frontDoor = (x: number, y: number, width: number, height: number, fill = paint.door) =>
    rect(x - 7, y - 8, width + 14, height + 8, paint.trim) +
    rect(x, y, width, height, fill) +
    rect(
      x + width * 0.2,
      y + height * 0.1,
      width * 0.6,
      height * 0.34,
      light.lit ? '#ffd890' : mix(fill, '#dfeef0', 0.55),
    ) +
    rect(x + width * 0.2, y + height * 0.54, width * 0.6, height * 0.36, DARK, { opacity: 0.14 }) +
    dot(x + width * 0.86, y + height * 0.54, 3.2, '#e9c873') +
    rect(x - 14, y + height - 4, width + 28, 9, paint.base);

  /** The color of a pane: `warm` when lamps are on, otherwise `glass` in this light. */
  const pane = (glass: string, warm: string) => (light.lit ? warm : hue(glass));

  return { glazing, frontDoor, pane };
}
