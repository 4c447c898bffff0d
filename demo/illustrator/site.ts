import type { Chance } from './chance.ts';
import type { Light } from './light.ts';
import type { Paint } from './paint.ts';

/** What every part of one building shares. */
export interface Site {
  chance: Chance;
  light: Light;
  paint: Paint;
  /** prefixes the ids of this building's gradients */
  id: string;
  /** a colour as it looks at this hour */
  hue: (colour: string) => string;
}
