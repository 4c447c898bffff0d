import { DARK, WOOD } from './color.ts';
import type { Builder } from './kit.ts';
import { cycle } from './random.ts';
import { dot, each, ellipse, GROUND, group, line, path, polygon, rect, repeat } from './svg.ts';
import { shade, siding } from './walls.ts';

/** A steep gabled front and a long wing with a porch. */
export const farmhouse: Builder = ({
  paint,
  gable,
  slope,
  wall,
  glazing,
  frontDoor,
  chimney,
  foundation,
  castShadow,
}) => {
  const wing = wall(600, 452, 290, 188) + slope(600, 452, 290, 96, 18);
  const wingOpenings = glazing(640, 508, 52, 86) + glazing(812, 508, 52, 86) + frontDoor(718, 520, 48, 116);
  const porchRoof =
    shade([600, 520, 900, 520, 900, 542, 600, 542], 0.2) +
    polygon([592, 506, 604, 486, 888, 486, 916, 506], paint.roof) +
    rect(592, 506, 324, 9, paint.trim);
  const posts = repeat(4, (index) => rect(610 + index * 94, 515, 11, 121, paint.trim));
  const railing = (x: number) =>
    rect(x, 590, 83, 5, paint.trim) + repeat(6, (index) => rect(x + 7 + index * 13, 595, 4, 38, paint.trim));
  const porch = porchRoof + posts + each([621, 809], railing) + rect(596, 630, 314, 12, paint.base);
  const front = gable(340, 402, 260, 238, 138) + foundation(340, 260);
  const frontWindows =
    glazing(384, 444, 58, 84) +
    glazing(498, 444, 58, 84) +
    glazing(384, 558, 58, 62, { rows: 1 }) +
    glazing(498, 558, 58, 62, { rows: 1 }) +
    glazing(448, 336, 44, 56);
  const svg =
    castShadow(340, 550, 130) + chimney(770, 318, 120) + wing + wingOpenings + porch + front + frontWindows;
  return { left: 330, right: 900, door: 741, svg };
};

/** A low plastered house with an arched door, two dormers and a flower box. */
const cottage: Builder = ({ paint, gable, slope, wall, glazing, chimney, foundation, castShadow, hue }) => {
  const body = wall(370, 480, 470, 160, paint.wall, 'plain') + slope(370, 480, 470, 150, 70);
  const dormer = (x: number) =>
    gable(x, 418, 66, 52, 44, { kind: 'plain', overhang: 12 }) + glazing(x + 18, 424, 30, 40);
  const dormers = each([612, 716], dormer);
  const porch = gable(408, 470, 156, 170, 128, { kind: 'plain', overhang: 22 }) + foundation(370, 470, 22);
  const archedDoor =
    path(`M460 ${GROUND}V566a26 26 0 0 1 52 0V${GROUND}Z`, paint.trim) +
    path(`M466 ${GROUND}V567a20 20 0 0 1 40 0V${GROUND}Z`, paint.door) +
    dot(500, 604, 3, '#e9c873');
  const windows =
    glazing(466, 432, 40, 62) + glazing(606, 520, 92, 78, { columns: 3 }) + glazing(750, 520, 52, 78);
  const petals = ['#d4745a', '#e8c66a', '#f3e7d4'];
  const flowerBox =
    rect(600, 612, 104, 16, hue(WOOD)) +
    ellipse(655, 609, 50, 9, hue('#4d7a4a')) +
    repeat(13, (index) => dot(608 + index * 8, 606 - (index % 3) * 4, 4.5, hue(cycle(petals, index))));
  const svg =
    castShadow(370, 470, 110) +
    chimney(760, 296, 140) +
    body +
    dormers +
    porch +
    archedDoor +
    windows +
    flowerBox;
  return { left: 360, right: 850, door: 486, svg };
};

/** One storey under a long, slightly tilted roof, with a carport at the right. */
const ranch: Builder = ({ paint, wall, glazing, frontDoor, foundation, castShadow, hue }) => {
  const stack = rect(700, 430, 60, 90, hue('#8d8577')) + rect(748, 430, 12, 90, DARK, { opacity: 0.2 });
  const front =
    wall(290, 506, 250, 134, hue('#a89c86'), 'brick') +
    wall(540, 506, 240, 134, hue(WOOD), 'batten') +
    rect(780, 506, 160, 134, hue('#4b4f4a')) +
    wall(800, 530, 122, 110, paint.wall, 'board');
  const roof =
    polygon([232, 506, 300, 452, 700, 478, 980, 498, 980, 512, 232, 518], paint.roof) +
    polygon([232, 506, 300, 452, 700, 478, 980, 498, 980, 502, 700, 484, 302, 459, 236, 509], '#fff', {
      opacity: 0.18,
    }) +
    rect(290, 516, 650, 16, DARK, { opacity: 0.16 });
  const frontOpenings =
    glazing(318, 538, 196, 84, { columns: 3, rows: 1 }) +
    frontDoor(548, 536, 46, 100) +
    glazing(622, 534, 140, 92, { rows: 1 });
  const carport =
    rect(772, 512, 9, 128, paint.trim) +
    rect(936, 510, 9, 130, paint.trim) +
    foundation(290, 490, 10) +
    rect(820, 548, 84, 90, hue('#d8d2c4')) +
    repeat(4, (index) => rect(820, 566 + index * 20, 84, 2, DARK, { opacity: 0.2 }));
  return {
    left: 260,
    right: 950,
    door: 566,
    svg: castShadow(280, 660, 150) + stack + front + roof + frontOpenings + carport,
  };
};

/** Two flat-roofed volumes, the upper one clad in timber with a balcony. */
const modern: Builder = ({ wall, glazing, frontDoor, foundation, castShadow, hue, ledge }) => {
  const steel = hue('#2a2e2b');
  const groundFloor =
    rect(600, 470, 290, 170, hue('#ece6da')) +
    rect(320, 500, 280, 140, hue('#d9d1c2')) +
    wall(548, 500, 60, 140, hue(WOOD), 'batten');
  const upperFloor =
    rect(360, 330, 360, 176, hue('#3a403c')) +
    wall(372, 342, 336, 152, hue(WOOD), 'batten') +
    glazing(400, 366, 150, 104, { rows: 1, frame: steel }) +
    glazing(600, 366, 84, 104, { columns: 1, rows: 1, frame: steel });
  const flatRoofs =
    rect(352, 322, 376, 14, ledge('#262b28')) +
    rect(360, 494, 360, 14, DARK, { opacity: 0.5 }) +
    rect(716, 460, 190, 14, ledge('#262b28')) +
    rect(720, 474, 170, 14, DARK, { opacity: 0.16 }) +
    rect(320, 508, 280, 16, DARK, { opacity: 0.18 });
  const groundOpenings =
    glazing(344, 532, 170, 92, { columns: 3, rows: 1, frame: steel }) +
    frontDoor(552, 530, 42, 106) +
    glazing(640, 500, 222, 122, { columns: 3, rows: 1, frame: steel }) +
    foundation(320, 570, 8);
  const balcony =
    repeat(7, (index) => line(374 + index * 23, 470, 374 + index * 23, 494, steel, 2)) +
    line(366, 468, 716, 468, steel, 3);
  const svg = castShadow(320, 570, 150) + groundFloor + upperFloor + flatRoofs + groundOpenings + balcony;
  return { left: 310, right: 900, door: 573, svg };
};

/** A roof to the ground with a glazed gable above the door. */
const aframe: Builder = ({ random, paint, glazing, castShadow, hue, pane }) => {
  const front =
    polygon([606, 250, 412, GROUND, 800, GROUND], hue(WOOD)) +
    group(siding(random, 450, 560, 312, 78, 'batten'), { opacity: 0.9 });
  const gableGlass =
    polygon([606, 318, 520, 478, 692, 478], pane('#557074', '#f6c26b')) +
    polygon([606, 318, 564, 478, 596, 478], '#fff', { opacity: 0.16 }) +
    line(606, 310, 606, 478, paint.trim, 6) +
    line(560, 404, 652, 404, paint.trim, 5) +
    line(516, 478, 696, 478, paint.trim, 7);
  const entrance =
    shade([606, 250, 420, GROUND, 470, GROUND, 606, 330], 0.16) +
    glazing(502, 524, 58, 82) +
    glazing(652, 524, 58, 82) +
    rect(576, 520, 60, 120, paint.trim) +
    rect(583, 526, 46, 112, paint.door) +
    dot(621, 588, 3, '#e9c873');
  const roof =
    polygon([606, 214, 386, GROUND, 428, GROUND, 606, 268, 784, GROUND, 826, GROUND], paint.roof) +
    polygon([606, 214, 386, GROUND, 396, GROUND, 606, 230, 816, GROUND, 826, GROUND], '#fff', {
      opacity: 0.16,
    });
  const deck =
    rect(392, GROUND - 8, 428, 14, hue('#8a6a48')) +
    repeat(2, (index) => rect(560 - index * 8, GROUND + 6 + index * 8, 92 + index * 16, 8, hue('#7b5d3f')));
  return {
    left: 410,
    right: 800,
    door: 606,
    svg: castShadow(430, 350, 150) + front + gableGlass + entrance + roof + deck,
  };
};

/** A barn turned into a house: tall glazing in the gable, skylights in the long roof. */
const barnhouse: Builder = ({
  gable,
  slope,
  wall,
  glazing,
  foundation,
  castShadow,
  hue,
  paint,
  pane,
  frontDoor,
}) => {
  const steel = hue('#252a27');
  const wing =
    wall(560, 462, 330, 178, paint.wall, 'batten') +
    slope(560, 462, 330, 106, 8, 20) +
    glazing(600, 520, 110, 100, { rows: 1, frame: steel }) +
    frontDoor(754, 530, 44, 106) +
    glazing(828, 520, 36, 100, { columns: 1, frame: steel });
  const front =
    gable(312, 430, 262, 210, 150, { kind: 'batten', overhang: 18 }) +
    glazing(364, 474, 158, 150, { columns: 3, frame: steel }) +
    polygon([443, 330, 398, 392, 488, 392], pane('#5b7579', '#f6c26b')) +
    line(443, 330, 443, 392, steel, 4) +
    foundation(312, 578, 10);
  const skylight = (x: number) =>
    rect(x, 392, 34, 40, hue('#3c4a50')) + rect(x, 392, 34, 4, '#fff', { opacity: 0.4 });
  const svg = castShadow(310, 580, 140) + wing + front + each([640, 710, 780], skylight);
  return { left: 300, right: 900, door: 775, svg };
};

/** Builders of the Single Family styles. */
export const HOMES: readonly Builder[] = [farmhouse, cottage, ranch, modern, aframe, barnhouse];
