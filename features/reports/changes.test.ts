import { expect, test } from 'vitest';
import { changeInWords } from './changes.ts';

test.each([
  ['count', 112, 100, '+12% against the week before'],
  ['count', 95.5, 100, '−4.5% against the week before'],
  ['count', 1_000, 3, '+33,233% against the week before'],
  ['money', -50, -100, '+50% against the week before'],
  ['money', -100, 100, '−200% against the week before'],
  ['money', 100_001, 100_000, 'About the same as in the week before'],
  ['count', 7, 7, 'The same as in the week before'],
  ['count', 0, 7, '−100% against the week before'],
  ['count', 7, 0, 'None in the week before'],
  ['count', 7, null, 'None in the week before'],
  ['count', 0, 0, 'None in the week before either'],
  ['money', 7_00, 0, 'Up from $0.00 in the week before'],
  ['money', -7_00, 0, 'Down from $0.00 in the week before'],
  ['money', 0, 0, 'The same as in the week before'],
  ['money', 7_00, null, 'None in the week before'],
  ['seconds', 90, 0, 'Up from less than a minute in the week before'],
  ['seconds', 90, null, 'None in the week before'],
] as const)('%s: %j after %j: %s', (kind, value, before, words) => {
  expect(changeInWords({ kind, value, before }, 'the week before')).toBe(words);
});

test('an amount of 0 where nothing was counted is none', () => {
  const none = { kind: 'money', before: 0, noneBefore: true } as const;
  expect(changeInWords({ ...none, value: 7_00 }, 'the week before')).toBe('None in the week before');
  expect(changeInWords({ ...none, value: 0 }, 'the week before')).toBe('None in the week before either');
});
