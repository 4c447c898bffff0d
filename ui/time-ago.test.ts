import { expect, test } from 'vitest';
import { timeAgo } from './time-ago.tsx';

const NOW = Date.parse('2026-11-21T12:00:00Z');

test.each([
  ['2026-11-21T12:00:30Z', 'just now'],
  ['2026-11-21T11:59:01Z', 'just now'],
  ['2026-11-21T11:59:00Z', '1 minute ago'],
  ['2026-11-21T11:00:01Z', '59 minutes ago'],
  ['2026-11-21T11:00:00Z', '1 hour ago'],
  ['2026-11-20T12:00:01Z', '23 hours ago'],
  ['2026-11-18T12:00:00Z', '3 days ago'],
  ['2026-09-01T12:00:00Z', '2 months ago'],
  ['2023-11-21T12:00:00Z', '3 years ago'],
])('%s was %s', (of, words) => {
  expect(timeAgo(of, NOW)).toBe(words);
});
