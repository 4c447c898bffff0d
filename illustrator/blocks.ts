import { DARK, WOOD } from './color.ts';
import type { Builder } from './kit.ts';
import { cycle, randomInt } from './random.ts';
import { each, ellipse, GROUND, rect, repeat } from './svg.ts';

const ROW_TONES = ['#b5654a', '#e8dcc4', '#7f9480', '#3f5a66', '#d9b36c', '#a9806a', '#cfd3cb'];
const STEPS = ['#c9c0b0', '#b9b0a0', '#a9a090'];

/** Five joined houses of different heights and colors, each with its own steps and cornice. */
export const rowhouses: Builder = ({ hue, ledge, wall, glazing, frontDoor, castShadow, random, light }) => {
  const first = randomInt(random, ROW_TONES.length);
  const house = (drop: number, index: number) => {
    const x = 250 + index * 140;
    const top = 346 + drop;
    const front = hue(cycle(ROW_TONES, first + index * 2));
    const door = hue(cycle(ROW_TONES, first + index * 2 + 3));
    const facade =
      wall(x, top, 140, GROUND - top, front, index % 2 ? 'plain' : 'brick') +
      rect(x + 136, top, 4, GROUND - top, DARK, { opacity: 0.2 });
    const cornice =
      rect(x - 3, top - 14, 146, 16, ledge('#efe6d4')) +
      repeat(8, (bracket) => rect(x + 6 + bracket * 17, top + 2, 7, 8, hue('#efe6d4'))) +
      rect(x, top + 10, 140, 8, DARK, { opacity: 0.15 });
    const upperWindows =
      glazing(x + 24, top + 34, 34, 58) +
      glazing(x + 82, top + 34, 34, 58) +
      glazing(x + 24, top + 124, 34, 62) +
      glazing(x + 82, top + 124, 34, 62);
    const entrance =
      frontDoor(x + 20, 548, 36, 76, door) +
      glazing(x + 78, 548, 42, 58) +
      each(STEPS, (stone, step) => rect(x + 12 - step * 3, 622 + step * 8, 54 + step * 6, 9, hue(stone))) +
      rect(x + 72, 618, 60, 22, light.leaf.body, { rx: 9 });
    return facade + cornice + upperWindows + entrance;
  };
  return {
    left: 240,
    right: 960,
    door: 600,
    svg: castShadow(250, 700, 150) + each([0, 22, 8, 30, 12], house),
  };
};

/** Four storeys of brick on a pale ground floor, with iron balconies. */
const walkup: Builder = ({ hue, ledge, oneOf, wall, glazing, frontDoor, castShadow, foundation }) => {
  const iron = hue('#2c322e');
  const stone = hue('#e6dac4');
  const body =
    wall(340, 262, 520, 378, oneOf(['#a9614a', '#c7b393', '#7f8d86', '#8a6a55']), 'brick') +
    wall(340, 556, 520, 84, hue('#d8cbb5'), 'plain') +
    rect(328, 248, 544, 20, ledge('#e6dac4')) +
    rect(340, 268, 520, 10, DARK, { opacity: 0.18 }) +
    rect(340, 550, 520, 8, stone);
  const STAIRWELL = 2;
  const storey = (floor: number) =>
    repeat(5, (column) =>
      column === STAIRWELL
        ? glazing(576, 294 + floor * 88, 48, 56, { columns: 3 })
        : glazing(374 + column * 100 + (column > STAIRWELL ? 8 : 0), 294 + floor * 88, 42, 56),
    );
  const storeys = repeat(3, storey);
  const balcony = (x: number, floor: number) =>
    rect(x - 2, 358 + floor * 88, 66, 5, iron) +
    repeat(8, (bar) => rect(x + bar * 8.6, 338 + floor * 88, 2.4, 22, iron)) +
    rect(x - 2, 336 + floor * 88, 66, 3, iron);
  const balconies = repeat(3, (floor) => balcony(364, floor) + balcony(772, floor));
  const entrance =
    frontDoor(578, 574, 44, 62) +
    rect(556, 558, 88, 9, iron) +
    each([388, 718], (x) => glazing(x, 580, 94, 40, { columns: 3, rows: 1 })) +
    foundation(340, 520, 6);
  const svg = castShadow(340, 520, 160) + body + storeys + balconies + entrance;
  return { left: 330, right: 870, door: 600, svg };
};

/** Two wings with planted balconies and a glazed stair between them. */
const courtyard: Builder = ({
  paint,
  hue,
  ledge,
  wall,
  glazing,
  frontDoor,
  castShadow,
  light,
  foundation,
}) => {
  const steel = hue('#2e3531');
  const balcony = (x: number, y: number) =>
    rect(x - 10, y + 66, 106, 6, steel) +
    repeat(11, (bar) => rect(x - 8 + bar * 10, y + 46, 2.2, 21, steel)) +
    rect(x - 10, y + 44, 106, 3, steel) +
    ellipse(x + 78, y + 42, 11, 9, light.leaf.body);
  const flat = (x: number, floor: number) => {
    const y = 346 + floor * 98;
    return glazing(x, y, 84, 62, { rows: 1, frame: steel }) + (floor < 2 ? balcony(x, y) : '');
  };
  const wing = (x: number, index: number) =>
    wall(x, 322, 250, 318, index ? hue(WOOD) : paint.wall, index ? 'batten' : 'plain') +
    rect(x - 10, 308, 270, 16, ledge('#2e3531')) +
    rect(x, 324, 250, 10, DARK, { opacity: 0.16 }) +
    repeat(3, (floor) => flat(x + 24, floor) + flat(x + 140, floor));
  const wings = each([270, 680], wing);
  const stair =
    rect(520, 380, 160, 260, hue('#c8cdc8')) +
    repeat(3, (floor) => glazing(538, 398 + floor * 78, 124, 54, { columns: 3, rows: 1, frame: steel })) +
    rect(512, 366, 176, 16, ledge('#2e3531'));
  const svg =
    castShadow(270, 660, 160) + wings + stair + frontDoor(580, 560, 40, 76) + foundation(270, 660, 8);
  return { left: 260, right: 940, door: 600, svg };
};

/** Builders of the Multi-Family styles. */
export const BLOCKS: readonly Builder[] = [rowhouses, walkup, courtyard];
