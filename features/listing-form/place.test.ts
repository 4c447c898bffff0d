import { expect, it } from 'vitest';
import { formatPlace, isPlace, parsePlace } from './place.ts';

it('round-trips a place with a precision of about a metre', () => {
  const place = { latitude: 45.7, longitude: -121.512345678, precision: 'zip' } as const;
  expect(formatPlace(place)).toBe('45.70000,-121.51235 zip');
  expect(parsePlace(formatPlace(place))).toEqual({ ...place, longitude: -121.51235 });
});

it('rejects anything else', () => {
  for (const text of [
    '',
    '45,-121',
    '91,0 pin',
    '0,181 pin',
    '45.7,-121.5 guess',
    'NaN,NaN pin',
    '1e1,0 pin',
  ])
    expect(isPlace(text), text).toBe(false);
});
