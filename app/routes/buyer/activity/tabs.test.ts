import { expect, test } from 'vitest';
import { tabOf } from './tabs.ts';

test.each([
  ['', 'notifications'],
  ['tab=recent', 'recent'],
  ['tab=watched&before=x', 'watched'],
  ['tab=no-such-tab', 'notifications'],
  ['sale=1', 'transactions'],
  ['inquiry=1', 'inquiries'],
  ['tab=notifications&sale=1', 'notifications'],
])('?%s opens %s', (search, tab) => {
  expect(tabOf(new URLSearchParams(search))).toBe(tab);
});
