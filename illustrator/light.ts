import { mix } from './color.ts';

/** The colors of a time of day and season, shared by a whole picture. */
export interface Light {
  name: string;
  sky: { top: string; middle: string; horizon: string };
  sun: { fill: string; y: number; radius: number; glow: number };
  /** from far to near */
  hills: readonly [string, string, string, string];
  grass: { far: string; near: string };
  /** paths */
  soil: string;
  leaf: { shade: string; body: string; light: string };
  ambient: string;
  /** how strongly building colors are blended with `ambient`, 0 … 1 */
  tint: number;
  /** lamps are on */
  lit: boolean;
  stars: boolean;
  snow: boolean;
}

type Triple = readonly [string, string, string];
interface Hour {
  sky: Triple;
  sun: readonly [fill: string, y: number, radius: number, glow: number];
  hills: Light['hills'];
  grass: readonly [far: string, near: string];
  soil: string;
  leaf: Triple;
  ambient: readonly [color: string, tint: number];
  flags?: Partial<Pick<Light, 'lit' | 'stars' | 'snow'>>;
}

const light = (name: string, hour: Hour): Light => ({
  name,
  sky: { top: hour.sky[0], middle: hour.sky[1], horizon: hour.sky[2] },
  sun: { fill: hour.sun[0], y: hour.sun[1], radius: hour.sun[2], glow: hour.sun[3] },
  hills: hour.hills,
  grass: { far: hour.grass[0], near: hour.grass[1] },
  soil: hour.soil,
  leaf: { shade: hour.leaf[0], body: hour.leaf[1], light: hour.leaf[2] },
  ambient: hour.ambient[0],
  tint: hour.ambient[1],
  lit: false,
  stars: false,
  snow: false,
  ...hour.flags,
});

export const MORNING = light('morning', {
  sky: ['#9fc6d3', '#cfe2dd', '#f6ecd8'],
  sun: ['#fff6df', 236, 44, 0.55],
  hills: ['#b9cfc6', '#98b9a4', '#7ba283', '#5f8c66'],
  grass: ['#8fb06c', '#5f8a4c'],
  soil: '#e3d3ae',
  leaf: ['#2f5a3d', '#467a4d', '#7ba562'],
  ambient: ['#fff2d6', 0.06],
});

const DAWN = light('dawn', {
  sky: ['#a9bccb', '#e7cfc4', '#fbe3c2'],
  sun: ['#fff1d0', 372, 54, 0.8],
  hills: ['#c3b9bb', '#a3a9a0', '#7f957f', '#5f7d62'],
  grass: ['#a9ad74', '#6b8453'],
  soil: '#e9d2ac',
  leaf: ['#36543f', '#55754f', '#a2a568'],
  ambient: ['#fbd3a8', 0.16],
});

const NOON = light('noon', {
  sky: ['#7fb6cf', '#b5d9e0', '#eaf3e6'],
  sun: ['#ffffff', 206, 40, 0.4],
  hills: ['#a7c7c4', '#86b19a', '#68996f', '#4f8455'],
  grass: ['#86b05f', '#4d8243'],
  soil: '#dccba4',
  leaf: ['#24543a', '#3a744a', '#6d9f58'],
  ambient: ['#ffffff', 0.03],
});

const GOLDEN = light('golden', {
  sky: ['#d9b98a', '#f0d3a0', '#fdebc6'],
  sun: ['#fff4d2', 330, 62, 0.9],
  hills: ['#d0b98f', '#b1a877', '#8b9262', '#6b7c4f'],
  grass: ['#c0aa62', '#7d8446'],
  soil: '#f0d9a6',
  leaf: ['#4b5633', '#747a41', '#c29a48'],
  ambient: ['#f7bd69', 0.2],
});

const AUTUMN = light('autumn', {
  sky: ['#b3c7ce', '#dcdcd0', '#f4e8d0'],
  sun: ['#fff8e6', 250, 44, 0.5],
  hills: ['#bfc2b4', '#b0a783', '#a68a58', '#7e7a48'],
  grass: ['#b3a765', '#7c8048'],
  soil: '#e2cfa6',
  leaf: ['#7d4a25', '#b56a2c', '#dda544'],
  ambient: ['#f3d3a0', 0.1],
});

const MIST = light('mist', {
  sky: ['#c5d0cd', '#dde2da', '#f1eee3'],
  sun: ['#fffdf4', 260, 50, 0.5],
  hills: ['#d3dad2', '#b8c6ba', '#96ab98', '#718d76'],
  grass: ['#a3b58a', '#6f8f66'],
  soil: '#e0d8c2',
  leaf: ['#3c5c4b', '#56775d', '#8aa381'],
  ambient: ['#e6ece4', 0.12],
});

export const DUSK = light('dusk', {
  sky: ['#3c4d6b', '#a8788a', '#f0ad7c'],
  sun: ['#ffd9a0', 420, 58, 0.8],
  hills: ['#90788c', '#6a657a', '#4a5665', '#354a4d'],
  grass: ['#5b6a55', '#324a3d'],
  soil: '#a58b78',
  leaf: ['#1e3234', '#2c473f', '#4c6150'],
  ambient: ['#4a4763', 0.34],
  flags: { lit: true },
});

const NIGHT = light('night', {
  sky: ['#0f2036', '#1f3d54', '#4f7480'],
  sun: ['#f6efd6', 212, 32, 0.35],
  hills: ['#3a5d6a', '#2b4c57', '#1f3d44', '#172f33'],
  grass: ['#2b4c41', '#16312b'],
  soil: '#5d706a',
  leaf: ['#0c2220', '#16342d', '#27493c'],
  ambient: ['#16304a', 0.52],
  flags: { lit: true, stars: true },
});

const WINTER = light('winter', {
  sky: ['#a7bccb', '#d3dde2', '#f7eee4'],
  sun: ['#fffaf0', 300, 48, 0.6],
  hills: ['#cbd6dc', '#dbe3e6', '#c5d3d6', '#e6ebea'],
  grass: ['#f0f2f0', '#d8e2e4'],
  soil: '#c9cdc8',
  leaf: ['#2d4a43', '#41635a', '#dfe8e8'],
  ambient: ['#dbe6ee', 0.1],
  flags: { lit: true, snow: true },
});

export const LIGHTS: readonly Light[] = [MORNING, DAWN, NOON, GOLDEN, AUTUMN, MIST, DUSK, NIGHT, WINTER];

/** A building color in this light. */
export const underLight = (light: Light, color: string): string => mix(color, light.ambient, light.tint);

/** Lamps are on and there is no snow: windows glow and rooms look warm. */
export const isNight = (light: Light): boolean => light.lit && !light.snow;
