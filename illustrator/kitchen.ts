import { mix, SHADE, WHITE } from './color.ts';
import type { Light } from './light.ts';
import { cycle, pick, type Random, randomBetween } from './random.ts';
import { CLOTH, plant, type Room, room } from './room.ts';
import { dot, each, ellipse, line, path, polygon, rect, repeat, WIDTH } from './svg.ts';

type Hue = Room['hue'];
interface Fittings {
  cabinet: string;
  cabinetLine: string;
  worktop: string;
  brass: string;
}

/** A kitchen with an island; with `business` a staff kitchen under dark lamps. */
export function kitchen(random: Random, light: Light, id: string, business: boolean): string {
  const space = room(random, light, id, 620);
  const { hue } = space;
  const cabinet = hue(pick(random, ['#1e4a34', '#3d5868', '#efe7d8', '#7c8f75', '#2f3431', '#b98b5d']));
  const worktop = hue(pick(random, ['#f4efe6', '#b08455', '#4a4c49', '#e2dccf']));
  const fittings = { cabinet, cabinetLine: mix(cabinet, '#0c0a06', 0.28), worktop, brass: hue('#cfa24a') };
  const crockery = shelves(random, hue);
  const tap = path('M600 450v-46a22 22 0 0 1 44 0v8', 'none', {
    stroke: fittings.brass,
    'stroke-width': 9,
    'stroke-linecap': 'round',
  });
  const board = rect(1060, 372, 90, 78, hue('#d9cdb8'), { rx: 4 });
  const lampShade = business ? hue('#3b352c') : fittings.brass;
  return (
    space.shell +
    tiles(space.wallColor) +
    space.view(450, 96, 320, 300, business ? 4 : 2, 2) +
    crockery +
    lowerCabinets(fittings) +
    stove(space, fittings) +
    tap +
    board +
    plant(light, 1150, 452, 56, hue('#b3603f')) +
    island(hue, fittings) +
    plant(light, 760, 614, 62, hue('#f4efe3')) +
    each([400, 600, 800], (x) => pendant(space, light, x, lampShade))
  );
}

function tiles(wallColor: string): string {
  const joint = { opacity: 0.08 };
  const course = (row: number) => {
    const y = 250 + row * 40;
    const shift = (row % 2) * 40;
    return (
      line(0, y, WIDTH, y, SHADE, 1.5, joint) +
      repeat(16, (column) => line(column * 80 + shift, y, column * 80 + shift, y + 40, SHADE, 1.5, joint))
    );
  };
  return rect(0, 250, WIDTH, 200, mix(wallColor, WHITE, 0.5)) + repeat(5, course);
}

function lowerCabinets({ cabinet, cabinetLine, worktop, brass }: Fittings): string {
  const doorWithHandle = (index: number) =>
    rect(12 + index * 120, 484, 100, 124, 'none', { stroke: cabinetLine, 'stroke-width': 3 }) +
    rect(96 + index * 120, 500, 5, 34, brass);
  return (
    rect(0, 466, WIDTH, 160, cabinet) +
    repeat(10, doorWithHandle) +
    rect(0, 450, WIDTH, 20, worktop) +
    rect(0, 470, WIDTH, 8, '#000', { opacity: 0.2 }) +
    rect(0, 612, WIDTH, 14, '#0c0a06', { opacity: 0.45 })
  );
}

/** The stove with a pot, under its hood. */
function stove({ hue, wallColor }: Room, { brass }: Fittings): string {
  const body =
    rect(822, 452, 200, 170, hue('#d9d6cf')) +
    rect(842, 506, 160, 84, hue('#2b2622')) +
    rect(842, 494, 160, 6, brass) +
    repeat(5, (index) => dot(850 + index * 36, 480, 8, hue('#3b352c'))) +
    rect(816, 442, 212, 12, hue('#3b352c'));
  const hood =
    polygon([842, 250, 872, 90, 972, 90, 1002, 250], mix(wallColor, WHITE, 0.65)) +
    rect(834, 246, 176, 26, hue('#7a5638'));
  const pot =
    rect(884, 404, 74, 38, hue('#b3603f'), { rx: 6 }) + rect(876, 400, 90, 9, hue('#8a452c'), { rx: 4 });
  return body + hood + pot;
}

/** Two shelves of jars and bowls. */
function shelves(random: Random, hue: Hue): string {
  const shelf = (row: number) => {
    const y = 210 + row * 104;
    const vessel = (index: number) => {
      const height = randomBetween(random, 26, 56);
      if (random() > 0.4) {
        return rect(76 + index * 46, y - height, 32, height, hue(pick(random, CLOTH)), { rx: 5 });
      }
      return (
        ellipse(92 + index * 46, y - 4, 20, 8, hue('#f4efe3')) +
        ellipse(92 + index * 46, y - 11, 20, 8, hue('#e6dccb'))
      );
    };
    return rect(60, y, 250, 12, hue('#7a5638')) + repeat(5, vessel);
  };
  return repeat(2, shelf);
}

/** The island with a bowl of fruit. */
function island(hue: Hue, { cabinet, cabinetLine, worktop }: Fittings): string {
  const panels = repeat(6, (index) =>
    rect(226 + index * 128, 664, 108, 136, 'none', { stroke: cabinetLine, 'stroke-width': 3, opacity: 0.7 }),
  );
  const fruit = repeat(5, (index) =>
    ellipse(
      376 + index * 27,
      592 - (index % 2) * 9,
      19,
      18,
      hue(cycle(['#c25a3c', '#d9a441', '#7c8f4f'], index)),
    ),
  );
  return (
    rect(210, 640, 780, 160, mix(cabinet, WHITE, 0.08)) +
    panels +
    rect(180, 612, 840, 30, worktop) +
    rect(180, 642, 840, 9, '#000', { opacity: 0.22 }) +
    ellipse(430, 604, 92, 14, hue('#efe6d3')) +
    fruit
  );
}

function pendant({ hue, glow }: Room, light: Light, x: number, shade: string): string {
  return (
    glow(x, 200, 150) +
    line(x, 26, x, 150, hue('#3b352c'), 4) +
    path(`M${x - 46} 206q4-58 46-60 42 2 46 60Z`, shade) +
    ellipse(x, 206, 46, 9, light.lit ? '#fff0c4' : hue('#f4e6c2'))
  );
}
