import { expect, it } from 'vitest';
import { changesInWords } from './changes.ts';

const facts = { isPerson: false, erased: false, names: new Map<string, string>() };

it('shows days as the rest of the product does, and leaves what only looks like one', () => {
  expect(
    changesInWords(
      { effectiveFrom: '2026-11-20', note: '2026-11-20T25:61Z', title: '2026-13-45' },
      { effectiveFrom: '2027-01-01', note: '2026-11-20T12:00Z', title: '2026-02-31' },
      facts,
    ),
  ).toEqual([
    { field: 'Effective from', before: 'Nov 20, 2026', after: 'Jan 1, 2027' },
    { field: 'Note', before: '2026-11-20T25:61Z', after: 'Nov 20, 2026, 12:00 PM UTC' },
    { field: 'Title', before: '2026-13-45', after: '2026-02-31' },
  ]);
});
