import { expect, it } from 'vitest';
import { totalUnread } from './rules.ts';

it('the bell counts every kind', () => {
  expect(totalUnread({ inquiries: 1, messages: 2, updates: 4, matches: 8 })).toBe(15);
});
