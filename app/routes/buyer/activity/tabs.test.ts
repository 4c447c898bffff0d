import { expect, test } from 'vitest';
import { activityTabs, tabOf } from './tabs.ts';

test('only buyers have transactions', () => {
  expect(activityTabs('buyer').map(({ id }) => id)).toContain('transactions');
  expect(activityTabs('agent').map(({ id }) => id)).toEqual([
    'recent',
    'watched',
    'inquiries',
    'notifications',
  ]);
  expect(tabOf(new URLSearchParams('tab=transactions'), 'admin')).toBe('notifications');
  expect(tabOf(new URLSearchParams('sale=1'), 'agent')).toBe('notifications');
});

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
