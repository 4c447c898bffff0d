import { mix, SHADE, WHITE } from './color.ts';
import type { Light } from './light.ts';
import { pick, type Random, randomBetween } from './random.ts';
import { CLOTH, plant, type Room, room } from './room.ts';
import { each, ellipse, line, path, rect, repeat } from './svg.ts';

type Hue = Room['hue'];

/** A living room; with `business` a waiting room, wider windows and no curtains. */
export function living(random: Random, light: Light, id: string, business: boolean): string {
  const space = room(random, light, id, 560);
  const { hue } = space;
  const cloth = hue(pick(random, CLOTH));
  const accent = hue(pick(random, CLOTH));
  const wide = business || random() > 0.5;
  const [windowX, windowWidth] = wide ? [330, 540] : [470, 380];
  const books = bookcase(random, hue);
  const outside = space.view(windowX, 110, windowWidth, 380, wide ? 4 : 2, 2);
  const curtains = business ? '' : each([windowX - 90, windowX + windowWidth + 28], (x) => curtain(hue, x));
  const rail = rect(windowX - 110, 84, windowWidth + 220, 8, hue('#7a5638'), { rx: 4 });
  const leftWall = random() > 0.5 ? books : fireplace(hue);
  const rug =
    ellipse(610, 700, 420, 74, mix(accent, '#f4ecdc', 0.62)) +
    ellipse(610, 700, 384, 62, mix(accent, '#f4ecdc', 0.78)) +
    ellipse(610, 636, 250, 16, SHADE, { opacity: 0.16 });
  return (
    space.shell +
    outside +
    curtains +
    rail +
    leftWall +
    rug +
    sofa(hue, cloth, accent) +
    floorLamp(space, light) +
    coffeeTable(hue) +
    plant(light, 1080, 640, 150, hue('#c9bda6'))
  );
}

function curtain(hue: Hue, x: number): string {
  const folds = repeat(4, (index) =>
    line(x + 8 + index * 16, 100, x + 6 + index * 17, 530, SHADE, 3, { opacity: 0.08 }),
  );
  return path(`M${x} 96h64q-8 230 6 436h-76q14-206 6-436Z`, hue('#f4ecdc')) + folds;
}

function bookcase(random: Random, hue: Hue): string {
  const shelf = (index: number) => {
    const top = 182 + index * 90;
    const book = (place: number) => {
      const height = randomBetween(random, 40, 68);
      if (random() <= 0.22) return '';
      const width = randomBetween(random, 13, 20);
      return rect(86 + place * 22, top + 78 - height, width, height, hue(pick(random, CLOTH)), { rx: 1 });
    };
    return rect(80, top, 170, 78, hue('#5f432c')) + repeat(7, book);
  };
  return rect(70, 170, 190, 366, hue('#8a6443')) + repeat(4, shelf);
}

/** A fireplace under a framed picture of hills. */
function fireplace(hue: Hue): string {
  const surround =
    rect(60, 300, 230, 236, hue('#e9e2d4')) +
    rect(40, 284, 270, 20, hue('#7a5638')) +
    rect(104, 372, 142, 164, hue('#2b2622'));
  const fire =
    path('M140 536q-6-60 30-92 34 34 34 92Z', '#e9893c', { opacity: 0.9 }) +
    path('M156 536q0-34 18-54 18 22 18 54Z', '#ffd27a');
  const painting =
    rect(92, 120, 166, 130, hue('#c4963a')) +
    rect(102, 130, 146, 110, hue('#efe7d5')) +
    path('M102 240V206l46-30 34 22 26-16 40 30v28Z', hue('#5e9173'));
  return surround + fire + painting;
}

function sofa(hue: Hue, cloth: string, accent: string): string {
  const dark = mix(cloth, '#14100a', 0.25);
  const body =
    rect(392, 470, 420, 118, cloth, { rx: 22 }) +
    rect(372, 500, 66, 118, dark, { rx: 24 }) +
    rect(766, 500, 66, 118, dark, { rx: 24 }) +
    rect(430, 536, 172, 62, mix(cloth, WHITE, 0.1), { rx: 12 }) +
    rect(602, 536, 172, 62, mix(cloth, WHITE, 0.07), { rx: 12 }) +
    rect(394, 594, 418, 28, dark, { rx: 8 });
  const feet = each([412, 778], (x) => rect(x, 620, 14, 22, hue('#4a3320')));
  const cushions =
    rect(446, 486, 78, 70, accent, { rx: 10, transform: 'rotate(-8 485 520)' }) +
    rect(690, 488, 72, 66, hue('#efe6d3'), { rx: 10, transform: 'rotate(9 726 520)' });
  return body + feet + cushions;
}

function floorLamp({ hue, glow }: Room, light: Light): string {
  return (
    glow(910, 300, 210) +
    rect(906, 300, 7, 336, hue('#3b352c')) +
    ellipse(910, 640, 44, 8, hue('#3b352c')) +
    path('M866 318l20-84h48l20 84Z', light.lit ? '#ffe7b0' : hue('#f3e8d0'))
  );
}

function coffeeTable(hue: Hue): string {
  const top = ellipse(610, 676, 170, 34, hue('#7a5638')) + ellipse(610, 670, 170, 33, hue('#96704a'));
  const legs = repeat(3, (index) => rect(490 + index * 114, 690, 10, 40, hue('#5f432c')));
  const books =
    rect(548, 648, 84, 14, hue('#3d5868'), { rx: 2 }) + rect(556, 637, 70, 12, hue('#d9b461'), { rx: 2 });
  const bowl = ellipse(676, 660, 22, 8, hue('#f4efe3')) + ellipse(676, 652, 24, 9, hue('#b3603f'));
  return ellipse(610, 722, 190, 26, SHADE, { opacity: 0.18 }) + top + legs + books + bowl;
}
