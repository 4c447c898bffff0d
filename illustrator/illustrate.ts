import { BLOCKS } from './blocks.ts';
import { buildingStyleIndex, SALT } from './building-styles.ts';
import { mix } from './color.ts';
import { flankingTrees, foreground, planting } from './garden.ts';
import { HOMES } from './homes.ts';
import type { PropertyKind, Variant } from './illustration-key.ts';
import { type Builder, buildingKit } from './kit.ts';
import { kitchen } from './kitchen.ts';
import { land } from './land.ts';
import { LIGHTS, type Light } from './light.ts';
import { living } from './living.ts';
import { lot } from './lot.ts';
import { parcelPlan } from './parcel-plan.ts';
import { floorPlan } from './plan.ts';
import { cycle, type Random, seededRandom } from './random.ts';
import { SHOPS } from './shops.ts';
import { sky } from './sky.ts';
import { GROUND, group, HEIGHT, picture, WIDTH } from './svg.ts';

interface KindRendering {
  builders: readonly Builder[];
  /** scale of the building in the picture */
  zoom: number;
}
const STYLES: Record<PropertyKind, KindRendering> = {
  'Single Family': { builders: HOMES, zoom: 1.3 },
  'Multi-Family': { builders: BLOCKS, zoom: 1.16 },
  Commercial: { builders: SHOPS, zoom: 1.24 },
  'Vacant Lot': { builders: [], zoom: 1 },
};

interface Subject {
  kind: PropertyKind;
  hash: number;
  style: KindRendering;
  light: Light;
  /** the same for all pictures of a listing, so that their colors match */
  seed: number;
  /** prefixes every id of this picture */
  id: string;
}

/**
 * Draws one 1200 × 800 picture of a listing as an SVG document. The same input always gives the same text, and all
 * variants of one kind and hash share time of day, season and colors. A Vacant Lot has no rooms: 'living' and 'kitchen'
 * are two more views.
 */
export function illustrate(kind: PropertyKind, hash: number, variant: Variant): string {
  const style = STYLES[kind];
  const salt = SALT[kind];
  const seed = (Math.imul(hash + 1, 2654435761) ^ salt) >>> 8;
  const light = cycle(LIGHTS, hash * 5 + salt);
  const id = `a${salt}${hash.toString(36)}${variant.charAt(0)}`;
  return picture(WIDTH, HEIGHT, `${kind}, ${variant}`, draw({ kind, hash, style, light, seed, id }, variant));
}

function draw(subject: Subject, variant: Variant): string {
  const { kind, light, seed, id } = subject;
  const random = seededRandom(seed);
  const open = kind === 'Vacant Lot';
  const business = kind === 'Commercial';
  if (variant === 'plan') {
    const ink = mix(light.hills[3], '#1e4a34', 0.55);
    return open ? parcelPlan(random, ink) : floorPlan(random, ink, business ? 2 : 3);
  }
  if (open) return lotView(subject, VIEWS[variant]);
  if (variant === 'living') return living(random, light, id, business);
  if (variant === 'kitchen') return kitchen(random, light, id, business);
  return exterior(subject);
}

const VIEWS = { exterior: 0, living: 1, kitchen: 2 } as const;
const surroundings = (seed: number, view: number): Random => seededRandom(seed + view * 7919);

function lotView({ light, seed, id }: Subject, view: number): string {
  const random = surroundings(seed, view);
  const kit = buildingKit(seededRandom(seed), light, id);
  const scene = sky(random, light, id) + land(random, light, id) + kit.definitions;
  return scene + flankingTrees(random, light, 180, 980) + foreground(random, light, null) + lot(kit);
}

function exterior({ kind, hash, style, light, seed, id }: Subject): string {
  const random = surroundings(seed, 0);
  const kit = buildingKit(seededRandom(seed), light, id);
  const scene = sky(random, light, id) + land(random, light, id) + kit.definitions;
  const build = cycle(style.builders, buildingStyleIndex({ kind, hash }));
  const { svg, left, right, door } = build(kit);
  const shrubs = planting(random, light, [left + 26, left + 78, right - 66, right - 22]);
  const mirrored = random() > 0.5;
  const site = group(
    flankingTrees(random, light, left, right) + foreground(random, light, door) + svg + shrubs,
    mirrored ? { transform: `translate(${WIDTH} 0) scale(-1 1)` } : {},
  );
  const broad = right - left > 600;
  const zoom = (style.zoom - (broad ? 0.1 : 0)).toFixed(2);
  return group(scene + site, {
    transform: `translate(600 ${broad ? 628 : GROUND}) scale(${zoom}) translate(-600 -${GROUND})`,
  });
}
