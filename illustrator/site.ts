import type { Light } from './light.ts';
import type { Paint } from './paint.ts';
import type { Random } from './random.ts';

/** What all parts of one building share. */
export interface Site {
  random: Random;
  light: Light;
  paint: Paint;
  /** prefixes the ids of this building's gradients */
  id: string;
  /** tints a color by the light */
  hue: (color: string) => string;
}
