import { expect, it } from 'vitest';
import { isLocated, placeOf, placeText } from './place.ts';

it('writes a place and reads it back, to a metre', () => {
  const place = { latitude: 45.7, longitude: -121.512345678, precision: 'zip' } as const;
  expect(placeText(place)).toBe('45.70000,-121.51235 zip');
  expect(placeOf(placeText(place))).toEqual({ ...place, longitude: -121.51235 });
});

it('takes nothing else for a place', () => {
  for (const text of [
    '',
    '45,-121',
    '91,0 pin',
    '0,181 pin',
    '45.7,-121.5 guess',
    'NaN,NaN pin',
    '1e1,0 pin',
  ])
    expect(isLocated(text), text).toBe(false);
});
