import { mix } from './color.ts';
import { type Light, underLight } from './light.ts';
import { pick, type Random } from './random.ts';

/** The colors of one building, already tinted by the light. */
export interface Paint {
  wall: string;
  trim: string;
  roof: string;
  door: string;
  base: string;
}

const BLACK_HOUSE = { wall: '#3a3f3b', trim: '#2a2e2b', roof: '#2b2f2d', door: '#c08a4a', base: '#777a74' };
const PAINTS: readonly Paint[] = [
  { wall: '#f4efe3', trim: '#ffffff', roof: '#2f4a3b', door: '#b98a2f', base: '#a39a89' },
  { wall: '#9db19a', trim: '#f5f1e6', roof: '#4b4a45', door: '#8a3b2a', base: '#8e8a7e' },
  { wall: '#b5654a', trim: '#f2e8d8', roof: '#4a4745', door: '#1e4a34', base: '#8b7f74' },
  { wall: '#34505c', trim: '#f3efe4', roof: '#28333a', door: '#d9a441', base: '#8d8f8a' },
  { wall: '#dcb874', trim: '#fbf4e2', roof: '#6b4a36', door: '#1f4f4a', base: '#a3927a' },
  BLACK_HOUSE,
  { wall: '#e6d3c0', trim: '#fff8ec', roof: '#9a5138', door: '#2d5c62', base: '#b09c88' },
  { wall: '#c9cfca', trim: '#ffffff', roof: '#5c6c70', door: '#7c2f2b', base: '#989b95' },
  { wall: '#7c8f75', trim: '#efe9d8', roof: '#5d3f2e', door: '#e2c06a', base: '#86806f' },
];
/** Black walls would vanish after dark. */
const LAMPLIT_PAINTS = PAINTS.filter((paint) => paint !== BLACK_HOUSE);

export function choosePaint(random: Random, light: Light): Paint {
  const chosen = pick(random, light.lit ? LAMPLIT_PAINTS : PAINTS);
  const roof = light.snow ? mix(chosen.roof, '#eef3f5', 0.82) : chosen.roof;
  return {
    wall: underLight(light, chosen.wall),
    trim: underLight(light, chosen.trim),
    roof: underLight(light, roof),
    door: underLight(light, chosen.door),
    base: underLight(light, chosen.base),
  };
}
