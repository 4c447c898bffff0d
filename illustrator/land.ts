import { mix } from './color.ts';
import type { Light } from './light.ts';
import { pick, type Random, randomBetween } from './random.ts';
import {
  clip,
  defs,
  group,
  HEIGHT,
  line,
  linearGradient,
  path,
  polygon,
  repeat,
  unit,
  WIDTH,
} from './svg.ts';
import { tree } from './trees.ts';

/** Hills with hedged fields, then the lawn the building stands on. `id` prefixes the ids of clip path and gradient. */
export function land(random: Random, light: Light, id: string): string {
  const far = ridge(random, 400, 60);
  const middle = ridge(random, 455, 42);
  const near = ridge(random, 515, 26);
  const hedgedFields = repeat(5, (index) => field(random, light, index));
  const lawn = linearGradient(`${id}l`, 0, 1, [
    { at: 0, color: light.grass.far },
    { at: 1, color: light.grass.near },
  ]);
  const forest = (hill: Ridge, count: number, low: number, high: number, haze: number) =>
    repeat(count, () => {
      const x = randomBetween(random, -10, WIDTH + 10);
      const height = randomBetween(random, low, high);
      return tree(random, light, x, hill.heightAt(x) + 6, height, pick(random, FOREST), haze);
    });
  return (
    defs(clip(`${id}m`, `<path d="${middle.outline}"/>`) + lawn) +
    path(ridge(random, 345, 80).outline, light.hills[0], { opacity: 0.7 }) +
    path(far.outline, light.hills[1]) +
    forest(far, 9, 20, 40, 0.62) +
    path(middle.outline, light.hills[2]) +
    group(hedgedFields, { 'clip-path': `url(#${id}m)` }) +
    forest(middle, 11, 36, 72, 0.38) +
    path(near.outline, light.hills[3]) +
    forest(near, 7, 60, 110, 0.16) +
    path(
      `M0 612Q${unit(randomBetween(random, 250, 420))} 582 640 600T${WIDTH} 592V${HEIGHT}H0Z`,
      `url(#${id}l)`,
    )
  );
}

const FOREST = ['oak', 'fir', 'oak', 'poplar'] as const;

interface Ridge {
  outline: string;
  heightAt: (x: number) => number;
}

/** A rolling ridge from edge to edge, closed at the bottom of the picture. */
function ridge(random: Random, y: number, swell: number): Ridge {
  const [broad, middle, fine] = [random() * 6.3, random() * 6.3, random() * 6.3];
  const stretch = randomBetween(random, 0.8, 1.3);
  const heightAt = (x: number) =>
    y -
    swell *
      (0.6 * Math.sin((x / 260) * stretch + broad) +
        0.3 * Math.sin(x / 118 + middle) +
        0.1 * Math.sin(x / 47 + fine));
  let crest = '';
  for (let x = 0; x <= WIDTH + 20; x += 20) crest += `L${x} ${unit(heightAt(x))}`;
  return {
    outline: `M-20 ${HEIGHT + 10}L-20 ${unit(heightAt(-20))}${crest}L${WIDTH + 20} ${HEIGHT + 10}Z`,
    heightAt,
  };
}

/** A strip of field with a hedge on its right. */
function field(random: Random, light: Light, index: number): string {
  const x = -60 + index * 270 + random() * 60;
  const width = randomBetween(random, 150, 230);
  const crop = mix(
    light.hills[2],
    index % 2 ? light.sky.horizon : light.leaf.shade,
    randomBetween(random, 0.08, 0.2),
  );
  const hedge = mix(light.hills[2], light.leaf.shade, 0.5);
  return (
    polygon([x, 720, x + width, 720, x + width - 90, 400, x + 60, 400], crop, { opacity: 0.7 }) +
    line(x + width, 720, x + width - 90, 400, hedge, 3, { opacity: 0.5 })
  );
}
