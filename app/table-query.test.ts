import { expect, it } from 'vitest';
import { parseTableQuery, toTableQuery } from './table-query.ts';

const parse = (search: string) => parseTableQuery(new URLSearchParams(search), ['price']);

it.each([
  ['size=25', 25],
  ['size=50', 50],
  ['size=100', 100],
  ['size=1000', null],
  ['size=0', null],
  ['size=-25', null],
  ['size=50.0', null],
  ['', null],
])('rows on a page, of %s', (search, size) => expect(parse(search).size).toBe(size));

it('what was chosen stays in the URL, what was not is left out', () => {
  expect(toTableQuery(parse('q=oak&sort=-price&size=50&page=3'))).toEqual({
    q: 'oak',
    sort: '-price',
    size: 50,
  });
  expect(Object.values(toTableQuery(parse('size=7'))).filter((value) => value !== undefined)).toEqual([]);
});
