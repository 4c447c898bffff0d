import { mix, WHITE } from './color.ts';
import type { Light } from './light.ts';
import { type Random, randomBetween, randomInt } from './random.ts';
import {
  defs,
  dot,
  ellipse,
  group,
  HEIGHT,
  linearGradient,
  radialGlow,
  rect,
  repeat,
  unit,
  WIDTH,
} from './svg.ts';

/** Sky with sun or moon, stars at night, and one to three clouds. `id` prefixes the ids of the gradients. */
export function sky(random: Random, light: Light, id: string): string {
  const { sun } = light;
  const sunX = randomBetween(random, 170, 1030);
  const air = linearGradient(`${id}s`, 0, 1, [
    { at: 0, color: light.sky.top },
    { at: 0.42, color: light.sky.middle },
    { at: 0.72, color: light.sky.horizon },
  ]);
  const backdrop =
    defs(air + radialGlow(`${id}g`, sun.fill, sun.glow)) + rect(0, 0, WIDTH, HEIGHT, `url(#${id}s)`);
  const stars = repeat(light.stars ? 46 : 0, () => star(random));
  const disc =
    dot(sunX, sun.y, sun.radius * 5.5, `url(#${id}g)`) +
    dot(sunX, sun.y, sun.radius, sun.fill, { opacity: 0.92 });
  const clouds = repeat(light.stars ? 1 : 2 + randomInt(random, 2), (index) =>
    cloud(
      light,
      randomBetween(random, 120, 1080),
      96 + index * 74 + random() * 30,
      randomBetween(random, 150, 300),
    ),
  );
  return backdrop + stars + disc + clouds;
}

function star(random: Random): string {
  const [x, y] = [random() * WIDTH, random() * 330];
  const [rx, ry] = [randomBetween(random, 0.8, 2), randomBetween(random, 0.8, 2)];
  return ellipse(x, y, rx, ry, '#fff', { opacity: unit(randomBetween(random, 0.3, 0.9)) });
}

function cloud(light: Light, x: number, y: number, width: number): string {
  const fill = light.stars ? '#9fb6bd' : mix(light.sky.horizon, WHITE, 0.55);
  const bank = (dx: number, dy: number, share: number, height: number) =>
    rect(x + dx * width, y + dy, share * width, height, fill, { rx: height / 2 });
  return group(bank(-0.5, 0, 1, 20) + bank(-0.28, -15, 0.5, 32) + bank(-0.02, 11, 0.4, 15), {
    opacity: light.lit ? 0.28 : 0.6,
  });
}
