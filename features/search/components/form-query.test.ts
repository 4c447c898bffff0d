import { expect, it } from 'vitest';
import { queryOfFields } from './form-query.ts';

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
