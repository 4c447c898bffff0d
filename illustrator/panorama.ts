import { rowhouses } from './blocks.ts';
import { DARK } from './color.ts';
import { planting } from './garden.ts';
import { farmhouse } from './homes.ts';
import { type Builder, buildingKit } from './kit.ts';
import { land } from './land.ts';
import { DUSK, type Light, MORNING } from './light.ts';
import { type Random, seededRandom } from './random.ts';
import { tradingPost } from './shops.ts';
import { sky } from './sky.ts';
import { each, group, path, picture, rect, repeat } from './svg.ts';
import { type TreeKind, tree } from './trees.ts';

const HOURS = { morning: MORNING, dusk: DUSK } as const;
/** Hand-picked: gives a yellow farmhouse, a brick-red trading post and five shades of town houses. */
const SEED = 3;
const CHANCE_OFFSET = 99;

interface PlacedBuilding {
  builder: Builder;
  x: number;
  y: number;
  scale: number;
  seed: number;
}
const STREET: readonly PlacedBuilding[] = [
  { builder: farmhouse, x: 420, y: 872, scale: 0.86, seed: 4 },
  { builder: tradingPost, x: 1010, y: 872, scale: 0.8, seed: 9 },
  { builder: rowhouses, x: 1560, y: 866, scale: 0.74, seed: 3 },
];

const TREES: readonly (readonly [x: number, y: number, height: number, kind: TreeKind])[] = [
  [60, 880, 330, 'oak'],
  [704, 862, 300, 'poplar'],
  [748, 866, 240, 'poplar'],
  [1262, 876, 250, 'oak'],
  [1868, 884, 330, 'oak'],
];

/**
 * The 1920 × 1080 homepage picture, used until an administrator uploads a hero image: morning for the light theme, dusk
 * for the dark one.
 */
export function panorama(hour: keyof typeof HOURS): string {
  const named = HOURS[hour];
  // A higher sun would be outside this wide crop.
  const light: Light = { ...named, sun: { ...named.sun, y: Math.max(named.sun.y, 292) } };
  const id = `p${SEED}${hour.charAt(0)}`;
  const random = seededRandom(SEED + CHANCE_OFFSET);
  const street = each(STREET, (neighbour, index) => placeBuilding(random, light, `${id}${index}`, neighbour));
  const trees = each(TREES, ([x, y, height, kind]) => tree(random, light, x, y, height, kind));
  const backdrop = group(sky(random, light, id) + land(random, light, id), {
    transform: 'translate(0 -120) scale(1.6)',
  });
  return picture(
    1920,
    1080,
    'A lane with a farmhouse, a trading post and a row of town houses',
    backdrop + trees + street + lane(light) + picketFence(),
  );
}

function placeBuilding(
  random: Random,
  light: Light,
  id: string,
  { builder, x, y, scale, seed }: PlacedBuilding,
): string {
  const kit = buildingKit(seededRandom(SEED * 7 + seed), light, id);
  const { svg, left, right } = builder(kit);
  const shrubs = planting(random, light, [left + 30, left + 80, right - 60, right - 16]);
  return (
    kit.definitions +
    group(svg + shrubs, { transform: `translate(${x} ${y}) scale(${scale}) translate(-600 -640)` })
  );
}

function lane(light: Light): string {
  const surface =
    'M0 950C420 900 760 944 1100 918S1700 930 1920 904V968C1700 990 1400 980 1100 984S420 972 0 1016Z';
  const nearEdge =
    'M0 1008C420 966 760 976 1100 976S1700 984 1920 960V968C1700 990 1400 980 1100 984S420 972 0 1016Z';
  return path(surface, light.soil) + path(nearEdge, DARK, { opacity: 0.1 });
}

/** The picket fence along the lower edge. */
const picketFence = () =>
  repeat(26, (index) => rect(index * 78 - 6, 1012, 9, 58, '#8b6f50')) +
  each([1024, 1044], (y) => rect(-10, y, 1940, 7, '#8b6f50'));
