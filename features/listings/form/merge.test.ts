import { expect, it } from 'vitest';
import { blankForm, type ListingForm } from '../listing-form.ts';
import { mergeForms } from './merge.ts';

const form = (changes: Partial<ListingForm>): ListingForm => ({ ...blankForm, ...changes });
const base = form({ title: 'House', price: '100', amenities: ['1'] });

it('takes each field from who changed it', () => {
  const mine = { ...base, title: 'My house' };
  const theirs = { ...base, price: '200', amenities: ['1', '2'] };
  expect(mergeForms(base, mine, theirs)).toEqual({
    form: { ...base, title: 'My house', price: '200', amenities: ['1', '2'] },
    taken: ['price', 'amenities'],
    both: [],
  });
});

it('keeps what was typed here where both changed a field, and names it', () => {
  const merged = mergeForms(base, { ...base, title: 'Mine' }, { ...base, title: 'Theirs' });
  expect(merged).toEqual({ form: { ...base, title: 'Mine' }, taken: [], both: ['title'] });
});

it('has nothing to tell where both changed a field to the same', () => {
  const same = { ...base, title: 'Same' };
  expect(mergeForms(base, same, same)).toEqual({ form: same, taken: [], both: [] });
});
