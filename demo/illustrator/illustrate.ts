import type { PropertyKind, Variant } from './address.ts';
import { BLOCKS } from './blocks.ts';
import { type Chance, cycle, seededChance } from './chance.ts';
import { mix } from './colour.ts';
import { frontIndex, SALT } from './fronts.ts';
import { flankingTrees, foreground, planting } from './garden.ts';
import { HOMES } from './homes.ts';
import { type Builder, buildingKit } from './kit.ts';
import { kitchen } from './kitchen.ts';
import { land } from './land.ts';
import { LIGHTS, type Light } from './light.ts';
import { living } from './living.ts';
import { lot } from './lot.ts';
import { parcelPlan } from './parcel-plan.ts';
import { floorPlan } from './plan.ts';
import { SHOPS } from './shops.ts';
import { sky } from './sky.ts';
import { GROUND, group, HEIGHT, picture, WIDTH } from './svg.ts';

interface Style {
  builders: readonly Builder[];
  /** how large the building stands in the picture */
  zoom: number;
}
const STYLES: Record<PropertyKind, Style> = {
  'Single Family': { builders: HOMES, zoom: 1.3 },
  'Multi-Family': { builders: BLOCKS, zoom: 1.16 },
  Commercial: { builders: SHOPS, zoom: 1.24 },
  'Vacant Lot': { builders: [], zoom: 1 },
};

interface Subject {
  kind: PropertyKind;
  hash: number;
  style: Style;
  light: Light;
  /** one for all pictures of a listing, so that they agree in paint */
  seed: number;
  /** prefixes every id of this picture */
  id: string;
}

/**
 * One 1200 × 800 picture of a listing as an SVG document. The same input always gives the same text. All variants of
 * one kind and hash share hour, season and paint. A Vacant Lot has no rooms: 'living' and 'kitchen' are two more views.
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
  const chance = seededChance(seed);
  const open = kind === 'Vacant Lot';
  const business = kind === 'Commercial';
  if (variant === 'plan') {
    const ink = mix(light.hills[3], '#1e4a34', 0.55);
    return open ? parcelPlan(chance, ink) : floorPlan(chance, ink, business ? 2 : 3);
  }
  if (open) return lotView(subject, VIEWS[variant]);
  if (variant === 'living') return living(chance, light, id, business);
  if (variant === 'kitchen') return kitchen(chance, light, id, business);
  return exterior(subject);
}

const VIEWS = { exterior: 0, living: 1, kitchen: 2 } as const;
const surroundings = (seed: number, view: number): Chance => seededChance(seed + view * 7919);

function lotView({ light, seed, id }: Subject, view: number): string {
  const chance = surroundings(seed, view);
  const kit = buildingKit(seededChance(seed), light, id);
  const scene = sky(chance, light, id) + land(chance, light, id) + kit.definitions;
  return scene + flankingTrees(chance, light, 180, 980) + foreground(chance, light, null) + lot(kit);
}

function exterior({ kind, hash, style, light, seed, id }: Subject): string {
  const chance = surroundings(seed, 0);
  const kit = buildingKit(seededChance(seed), light, id);
  const scene = sky(chance, light, id) + land(chance, light, id) + kit.definitions;
  const build = cycle(style.builders, frontIndex({ kind, hash }));
  const { svg, left, right, door } = build(kit);
  const shrubs = planting(chance, light, [left + 26, left + 78, right - 66, right - 22]);
  const mirrored = chance() > 0.5;
  const site = group(
    flankingTrees(chance, light, left, right) + foreground(chance, light, door) + svg + shrubs,
    mirrored ? { transform: `translate(${WIDTH} 0) scale(-1 1)` } : {},
  );
  const broad = right - left > 600;
  const zoom = (style.zoom - (broad ? 0.1 : 0)).toFixed(2);
  return group(scene + site, {
    transform: `translate(600 ${broad ? 628 : GROUND}) scale(${zoom}) translate(-600 -${GROUND})`,
  });
}
