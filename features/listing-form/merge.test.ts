import { expect, it } from 'vitest';
import { blankForm, type ListingForm } from './form.ts';
import { mergeForms } from './merge.ts';

const form = (changes: Partial<ListingForm>): ListingForm => ({ ...blankForm, ...changes });
const base = form({ title: 'House', price: '100', amenities: ['1'] });

it('takes each field from the side that changed it', () => {
  const mine = { ...base, title: 'My house' };
  const theirs = { ...base, price: '200', amenities: ['1', '2'] };
  expect(mergeForms(base, mine, theirs)).toEqual({
    form: { ...base, title: 'My house', price: '200', amenities: ['1', '2'] },
    fromTheirs: ['price', 'amenities'],
    conflicting: [],
  });
});

it('keeps our value and reports a conflict when both sides changed a field', () => {
  const merged = mergeForms(base, { ...base, title: 'Mine' }, { ...base, title: 'Theirs' });
  expect(merged).toEqual({ form: { ...base, title: 'Mine' }, fromTheirs: [], conflicting: ['title'] });
});

it('reports no conflict when both sides made the same change', () => {
  const same = { ...base, title: 'Same' };
  expect(mergeForms(base, same, same)).toEqual({ form: same, fromTheirs: [], conflicting: [] });
});
