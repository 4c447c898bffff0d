import { expect, it } from 'vitest';
import { queryOfFields, queryOfParams } from './form-query.ts';

function fieldsOf(values: readonly [string, string][]): FormData {
  const fields = new FormData();
  for (const [name, value] of values) fields.append(name, value);
  return fields;
}

it('keeps that the text is nothing but words, for this text alone', () => {
  const shown = { q: 'commercial', words: '1' };
  const sorted = fieldsOf([
    ['q', 'commercial'],
    ['sort', 'price-up'],
    ['amenity', 'pool'],
    ['amenity', 'garage'],
  ]);
  expect(queryOfFields(sorted, shown)).toEqual({
    q: 'commercial',
    sort: 'price-up',
    amenity: ['pool', 'garage'],
    words: '1',
  });
  expect(queryOfFields(fieldsOf([['q', 'commercial lots']]), shown).words).toBeUndefined();
  expect(queryOfFields(fieldsOf([['q', '']]), {}).words).toBeUndefined();
});

it('reads the query of a URL as its links write it, and nothing else', () => {
  const params = new URLSearchParams('q=pool&type=house&map=1&amenity=pool&amenity=garage&min=&page=3&x=1');
  expect(queryOfParams(params)).toEqual({ q: 'pool', type: 'house', map: '1', amenity: ['pool', 'garage'] });
  expect(queryOfParams(new URLSearchParams())).toEqual({});
});
