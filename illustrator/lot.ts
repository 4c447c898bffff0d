import { DARK, mix } from './color.ts';
import type { Kit } from './kit.ts';
import { isNight, type Light } from './light.ts';
import { pick, type Random, randomInt } from './random.ts';
import { dot, each, ellipse, line, type Point, polygon, rect, repeat } from './svg.ts';

type Hue = Kit['hue'];
type Corners = readonly [backLeft: Point, backRight: Point, frontRight: Point, frontLeft: Point];

/** Returns a point on the lot: `across` it and `towards` the viewer, both 0 … 1. */
type Place = (across: number, towards: number) => Point;

/** A vacant lot: boundary stakes joined by a dashed line, a sign, and vegetation. */
export function lot({ random, light, hue }: Kit): string {
  const stake = (x: number, y: number, dx: number, dy: number): Point => [
    x + (random() - 0.5) * dx,
    y + (random() - 0.5) * dy,
  ];
  const corners: Corners = [
    stake(330, 618, 190, 12),
    stake(860, 612, 160, 12),
    stake(1060, 735, 120, 36),
    stake(150, 748, 130, 30),
  ];
  const [backLeft, backRight, frontRight, frontLeft] = corners;
  const place: Place = (across, towards) => {
    const back = backLeft[0] + (backRight[0] - backLeft[0]) * across;
    const front = frontLeft[0] + (frontRight[0] - frontLeft[0]) * across;
    return [back + (front - back) * towards, 616 + 126 * towards];
  };
  const signX = random() > 0.5 ? backLeft[0] - 60 : backRight[0] + 30;
  const behind = random() > 0.4 ? fence(hue) : '';
  const ground = polygon(corners.flat(), mix(light.grass.far, light.sky.horizon, light.stars ? 0.08 : 0.3), {
    opacity: 0.38,
  });
  const growth = [wildflowers, hayfield, pond, orchard][randomInt(random, 4)] ?? wildflowers;
  return (
    behind +
    ground +
    growth(random, light, hue, place) +
    parcelLine(light, corners) +
    post(hue, backLeft, 36) +
    post(hue, backRight, 36) +
    post(hue, frontRight, 62) +
    post(hue, frontLeft, 62) +
    sign(hue, signX)
  );
}

function parcelLine(light: Light, corners: Corners): string {
  const snowy = light.snow ? '#b5523a' : '#fffdf2';
  return polygon(corners.flat(), 'none', {
    stroke: isNight(light) ? '#f3e2b4' : snowy,
    'stroke-width': 3,
    'stroke-dasharray': '12 12',
    'stroke-linecap': 'round',
    opacity: 0.85,
  });
}

const post = (hue: Hue, [x, y]: Point, height: number) =>
  ellipse(x + height * 0.4, y, height * 0.6, height * 0.09, DARK, { opacity: 0.22 }) +
  rect(x - height * 0.08, y - height, height * 0.16, height, hue('#efe4cd')) +
  rect(x - height * 0.08, y - height, height * 0.16, height * 0.22, hue('#c25a3c'));

const fence = (hue: Hue) =>
  repeat(11, (index) => rect(60 + index * 108, 570 + (index % 2) * 2, 7, 42, hue('#8b6f50'))) +
  each([582, 597], (y) => line(50, y, 1150, y, hue('#8b6f50'), 5));

const sign = (hue: Hue, x: number) =>
  rect(x, 560, 8, 76, hue('#7d5d3d')) +
  rect(x - 34, 552, 78, 40, hue('#f4ecd9'), { rx: 3 }) +
  rect(x - 34, 552, 78, 9, hue('#1e4a34')) +
  rect(x - 22, 570, 54, 4, hue('#b3a88f')) +
  rect(x - 22, 579, 34, 4, hue('#b3a88f'));

type Growth = (random: Random, light: Light, hue: Hue, place: Place) => string;

const wildflowers: Growth = (random, light, _hue, place) =>
  repeat(70, () => {
    const [x, y] = place(random(), random());
    const size = 1.4 + (y - 600) / 60;
    const petal = pick(random, ['#f7efd9', '#e6b94f', '#d9745c', '#e9d7ee']);
    return ellipse(x, y, size, size * 0.8, petal, light.lit ? { opacity: 0.6 } : {});
  });

const hayfield: Growth = (_chance, light, hue, place) => {
  const furrow = (index: number) => {
    const [backX, backY] = place((index + 0.5) / 11, 0);
    const [frontX, frontY] = place((index + 0.5) / 11, 1);
    return line(backX, backY, frontX, frontY, mix(light.soil, light.grass.near, 0.45), 6, { opacity: 0.55 });
  };
  const bale = ([x, y]: Point, size: number) =>
    ellipse(x + size * 0.5, y + 2, size, size * 0.16, DARK, { opacity: 0.2 }) +
    rect(x - size * 0.2, y - size, size * 0.9, size, hue('#c9a14e'), { rx: 6 }) +
    ellipse(x - size * 0.2, y - size * 0.5, size * 0.34, size * 0.5, hue('#e0bd6a')) +
    ellipse(x - size * 0.2, y - size * 0.5, size * 0.17, size * 0.26, hue('#c9a14e'));
  return (
    repeat(11, furrow) + bale(place(0.3, 0.5), 40) + bale(place(0.72, 0.3), 30) + bale(place(0.6, 0.8), 48)
  );
};

const pond: Growth = (random, light, _hue, place) => {
  const [x, y] = place(0.55 + random() * 0.2, 0.5);
  const water =
    ellipse(x, y, 190, 36, mix(light.grass.near, light.leaf.shade, 0.4)) +
    ellipse(x, y - 3, 180, 32, mix(light.sky.middle, light.sky.top, 0.5)) +
    ellipse(x - 30, y - 8, 110, 12, light.sky.horizon, { opacity: 0.55 });
  const reed = (index: number) => {
    const tipX = x - 192 + index * 7 + random() * 8;
    const tipY = y - 34 - random() * 26;
    const green = mix(light.leaf.body, light.leaf.shade, random());
    return line(x - 188 + index * 7, y + 8 + index * 1.6, tipX, tipY, green, 3.4, {
      'stroke-linecap': 'round',
    });
  };
  return water + repeat(14, reed);
};

const orchard: Growth = (random, light, hue, place) => {
  const appleTree = (column: number, row: number) => {
    const [x, y] = place(0.12 + column * 0.19, 0.14 + row * 0.34);
    const size = 26 + row * 13;
    const apple = () =>
      dot(x + (random() - 0.5) * size * 1.3, y - size * (1 + random() * 0.6), 3, hue('#d9583f'));
    return (
      ellipse(x + size * 0.7, y, size, size * 0.16, DARK, { opacity: 0.16 }) +
      rect(x - 3, y - size, 6, size, hue('#6b513a')) +
      ellipse(x, y - size * 1.5, size * 0.9, size * 0.8, light.leaf.shade) +
      ellipse(x - size * 0.2, y - size * 1.65, size * 0.6, size * 0.5, light.leaf.body) +
      repeat(4, apple)
    );
  };
  return repeat(3, (row) => repeat(5, (column) => appleTree(column, row)));
};
