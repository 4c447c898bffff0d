import { expect, it } from 'vitest';
import { nextPin } from './pin-keys.ts';

it('every pin is reached by the arrow keys in both directions, around the ends', () => {
  const walk = (key: string) => {
    const seen = [0];
    for (let at = nextPin(key, 0, 5) ?? -1; at !== 0; at = nextPin(key, at, 5) ?? 0) seen.push(at);
    return seen;
  };
  expect(walk('ArrowRight')).toEqual([0, 1, 2, 3, 4]);
  expect(walk('ArrowDown')).toEqual([0, 1, 2, 3, 4]);
  expect(walk('ArrowLeft')).toEqual([0, 4, 3, 2, 1]);
  expect(walk('ArrowUp')).toEqual([0, 4, 3, 2, 1]);
  expect(nextPin('End', 1, 5)).toBe(4);
  expect(nextPin('Home', 3, 5)).toBe(0);
  expect(nextPin('Tab', 3, 5)).toBeNull();
});
