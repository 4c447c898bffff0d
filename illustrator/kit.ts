import { mix, WHITE } from './color.ts';
import { isNight, type Light, underLight } from './light.ts';
import { openings } from './openings.ts';
import { choosePaint } from './paint.ts';
import type { Random } from './random.ts';
import { roofs } from './roofs.ts';
import type { Site } from './site.ts';
import { defs, linearGradient, radialGlow } from './svg.ts';
import { walls } from './walls.ts';

/** A site with all drawing functions bound to it, to keep builders short. */
export type Kit = Site &
  ReturnType<typeof walls> &
  ReturnType<typeof openings> &
  ReturnType<typeof roofs> & {
    /** gradients the parts refer to; include once, before the building */
    definitions: string;
  };

export function buildingKit(random: Random, light: Light, id: string): Kit {
  const site: Site = {
    random,
    light,
    id,
    paint: choosePaint(random, light),
    hue: (color) => underLight(light, color),
  };
  const night = isNight(light);
  const glass = linearGradient(`${id}w`, 0.6, 1, [
    { at: 0, color: night ? '#ffe3a3' : mix(light.sky.top, WHITE, 0.25) },
    { at: 1, color: night ? '#f0a54c' : '#3d5a5c' },
  ]);
  const definitions = defs(glass + radialGlow(`${id}h`, '#ffcf7a', 0.55));
  return { ...site, ...walls(site), ...openings(site), ...roofs(site), definitions };
}

/** A drawn building: its span at the ground and where its front door is. */
export interface Building {
  svg: string;
  left: number;
  right: number;
  door: number;
}
export type Builder = (kit: Kit) => Building;
