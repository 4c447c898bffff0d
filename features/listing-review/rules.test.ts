import { expect, it } from 'vitest';
import { selectAllLabel } from './rules.ts';

it.each([
  [{ count: 40, more: false }, 'Select all 40'],
  [{ count: 100, more: false }, 'Select all 100'],
  [{ count: 101, more: false }, 'Select the first 100 of 101'],
  [{ count: 10_000, more: true }, 'Select the first 100 of 10,000+'],
])('of %o it offers to %s', (waiting, label) => {
  expect(selectAllLabel(waiting)).toBe(label);
});
