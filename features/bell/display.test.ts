import { expect, it } from 'vitest';
import { unreadText } from './display.ts';
import { NOTHING_UNREAD } from './rules.ts';

it.each([
  [{}, '0 unread messages'],
  [{ messages: 1 }, '1 unread messages'],
  [{ messages: 3, updates: 2 }, '5 new: 3 unread messages, 2 property updates'],
  [{ updates: 1 }, '1 property update'],
  [{ inquiries: 1 }, '1 inquiry needs a response'],
  [
    { inquiries: 2, messages: 1, matches: 1 },
    '4 new: 2 inquiries need a response, 1 unread messages, 1 new match',
  ],
  [{ matches: 4 }, '4 new matches'],
])('%o is told as "%s"', (counts, text) => {
  expect(unreadText({ ...NOTHING_UNREAD, ...counts })).toBe(text);
});
