import { mix, SHADE, WHITE } from './color.ts';
import { land } from './land.ts';
import { isNight, type Light } from './light.ts';
import { pick, type Random, randomBetween } from './random.ts';
import { sky } from './sky.ts';
import {
  clip,
  defs,
  dot,
  each,
  GROUND,
  group,
  HEIGHT,
  line,
  path,
  polygon,
  radialGlow,
  rect,
  repeat,
  unit,
  WIDTH,
} from './svg.ts';

const WALLS = ['#efe7d8', '#dfe3d6', '#e9dccb', '#d8dedd', '#c8d0c0', '#f0e9de'];
const FLOORS = ['#b98b5d', '#a57a51', '#c9a57b', '#8d6746'];
/** Sofas, cushions, books and crockery. */
export const CLOTH = ['#3c6b54', '#b3603f', '#3d5868', '#c99a3f', '#8a8f6a', '#d9cdb8'];

/** An empty room seen straight on, and the drawing functions that depend on its colors and light. */
export interface Room {
  /** tints a color by the light in this room */
  hue: (color: string) => string;
  wallColor: string;
  /** walls, floor and skirting board */
  shell: string;
  /** a window onto the land outside */
  view: (x: number, y: number, width: number, height: number, columns: number, rows: number) => string;
  /** lamp light, only when lamps are on */
  glow: (x: number, y: number, radius: number) => string;
}

/** Draws an empty room. `edge` is the y where wall meets floor; `id` prefixes the ids of gradients and clip paths. */
export function room(random: Random, light: Light, id: string, edge: number): Room {
  const night = isNight(light);
  const hue = (color: string) =>
    night ? mix(color, '#3a2a22', 0.26) : mix(color, light.ambient, light.tint * 0.7);
  const wallColor = hue(pick(random, WALLS));
  const floorColor = hue(pick(random, FLOORS));
  const lamp = defs(radialGlow(`${id}lamp`, '#ffd98f', 0.75));
  const shell = lamp + emptyShell(random, wallColor, floorColor, edge);
  const frame = mix(wallColor, WHITE, 0.75);

  const view: Room['view'] = (x, y, width, height, columns, rows) => {
    const clipId = `${id}v${Math.round(x)}`;
    const scale = Math.max(width / 760, height / 560);
    const outside = group(sky(random, light, id + Math.round(x)) + land(random, light, id + Math.round(x)), {
      transform: `translate(${unit(x + width / 2 - 600 * scale)} ${unit(y + height - GROUND * scale)}) scale(${scale.toFixed(3)})`,
    });
    const sheen = polygon(
      [x, y + height, x + width * 0.5, y, x + width * 0.72, y, x + width * 0.22, y + height],
      '#fff',
      {
        opacity: 0.12,
      },
    );
    const sunOnFloor = polygon(
      [x + 10, edge + 24, x + width - 30, edge + 24, x + width + 110, HEIGHT, x + 90, HEIGHT],
      '#fff3d0',
      { opacity: 0.2 },
    );
    const clipBox = `<rect x="${unit(x)}" y="${unit(y)}" width="${unit(width)}" height="${unit(height)}"/>`;
    const bars =
      repeat(columns - 1, (index) => rect(x + (width * (index + 1)) / columns - 4, y, 8, height, frame)) +
      repeat(rows - 1, (index) => rect(x, y + (height * (index + 1)) / rows - 3, width, 6, frame));
    const sill =
      rect(x - 26, y + height + 14, width + 52, 14, mix(wallColor, WHITE, 0.85)) +
      rect(x - 22, y + height + 28, width + 44, 7, SHADE, { opacity: 0.12 });
    return (
      rect(x - 16, y - 16, width + 32, height + 32, frame) +
      clip(clipId, clipBox) +
      group(outside + (night ? '' : sheen), { 'clip-path': `url(#${clipId})` }) +
      bars +
      sill +
      (night ? '' : sunOnFloor)
    );
  };
  const glow: Room['glow'] = (x, y, radius) => (light.lit ? dot(x, y, radius, `url(#${id}lamp)`) : '');
  return { hue, wallColor, shell, view, glow };
}

function emptyShell(random: Random, wallColor: string, floorColor: string, edge: number): string {
  const joint = mix(floorColor, '#2a1a10', 0.3);
  const boards = repeat(19, (index) =>
    line(600 + (index - 9) * 62, edge, 600 + (index - 9) * 150, HEIGHT, joint, 2, { opacity: 0.45 }),
  );
  const boardEnds = repeat(16, () => {
    const y = randomBetween(random, edge + 20, HEIGHT);
    return rect(randomBetween(random, 0, WIDTH), y, randomBetween(random, 60, 160), 2, joint, {
      opacity: 0.3,
    });
  });
  return (
    rect(0, 0, WIDTH, edge, wallColor) +
    rect(0, 0, WIDTH, 26, mix(wallColor, WHITE, 0.5)) +
    rect(0, 26, WIDTH, 5, '#000', { opacity: 0.06 }) +
    rect(0, edge, WIDTH, HEIGHT - edge, floorColor) +
    boards +
    boardEnds +
    rect(0, edge - 26, WIDTH, 26, mix(wallColor, WHITE, 0.55)) +
    rect(0, edge - 2, WIDTH, 4, SHADE, { opacity: 0.18 })
  );
}

/** Seven leaves in a pot that stands at (x, y). */
export function plant(light: Light, x: number, y: number, size: number, pot: string): string {
  const leaf = (side: number) => {
    const green = side % 2 ? mix(light.leaf.body, '#3f8257', 0.6) : mix(light.leaf.shade, '#2f6a45', 0.6);
    const stem = `${unit(x)} ${unit(y - size * 0.5)}`;
    const outer = `${unit(x + side * size * 0.2)} ${unit(y - size * 1.2)}`;
    const tip = `${unit(x + side * size * 0.34)} ${unit(y - size * (1.75 - Math.abs(side) * 0.26))}`;
    const inner = `${unit(x + side * size * 0.05)} ${unit(y - size)}`;
    return path(`M${stem}Q${outer} ${tip}Q${inner} ${stem}Z`, green);
  };
  const potShape = `M${unit(x - size * 0.3)} ${unit(y - size * 0.55)}h${unit(size * 0.6)}l${unit(-size * 0.08)} ${unit(size * 0.55)}h${unit(-size * 0.44)}Z`;
  return each([-3, -2, -1, 0, 1, 2, 3], leaf) + path(potShape, pot);
}
