import { afterEach, expect, it, vi } from 'vitest';
import { searchParameters } from './parameters.ts';
import { parseCriteria } from './rules.ts';

afterEach(() => vi.restoreAllMocks());

it('are those that a search in a URL is read from, and no others', () => {
  const read = [
    vi.spyOn(URLSearchParams.prototype, 'get'),
    vi.spyOn(URLSearchParams.prototype, 'getAll'),
  ] as const;
  parseCriteria(new URLSearchParams(), []);
  const names = new Set(read.flatMap(({ mock }) => mock.calls.map(([name]) => name)));
  expect([...names].toSorted()).toEqual(Object.keys(searchParameters).toSorted());
});
