import { expect, it } from 'vitest';
import { isDigestHour } from './rules.ts';

it.each([0, 8, 23])('%d is an hour for the digest', (hour) => {
  expect(isDigestHour(hour)).toBe(true);
});

it.each([-1, 24, 7.5, Number.NaN])('%d is no hour for the digest', (hour) => {
  expect(isDigestHour(hour)).toBe(false);
});
