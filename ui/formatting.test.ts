import { expect, test } from 'vitest';
import { initials } from './avatar.tsx';
import { cappedCount } from './pill.tsx';
import { nextSort } from './sortable-header.tsx';

test.each([
  ['Dora Whitfield', 'DW'],
  ['Maren van der Holloway', 'MH'],
  ['theo@lindqvist.example', 'T'],
  ['ruth.adeyemi@acre.test', 'RA'],
  ['Cher', 'C'],
  ['  ', '?'],
])('initials of %j are %j', (name, expected) => {
  expect(initials(name)).toBe(expected);
});

test('counts are capped at 99+', () => {
  expect([0, 1, 99, 100, 4000].map(cappedCount)).toEqual(['0', '1', '99', '99+', '99+']);
});

test('sorting cycles ascending, descending, none', () => {
  const up = nextSort('price', null);
  const down = nextSort('price', up);
  expect([up, down, nextSort('price', down)]).toEqual([
    { column: 'price', direction: 'ascending' },
    { column: 'price', direction: 'descending' },
    null,
  ]);
  expect(nextSort('views', down)).toEqual({ column: 'views', direction: 'ascending' });
});
