import { expect, it } from 'vitest';
import {
  blankPropertyForm,
  changedPropertyFields,
  mergePropertyForms,
  sanitizePropertyForm,
} from './property-form.ts';

const base = { ...blankPropertyForm, title: 'Barn', price: '100000', seller: 'a', status: 'pending' };

it('takes each field from the side that changed it', () => {
  const mine = { ...base, price: '90000', status: 'Active' };
  const theirs = { ...base, title: 'Red barn', featured: '1', seller: 'b' };
  expect(mergePropertyForms(base, mine, theirs)).toEqual({
    form: { ...base, price: '90000', status: 'Active', title: 'Red barn', featured: '1', seller: 'b' },
    conflicting: [],
  });
});

it('keeps ours where both changed a field, and names it', () => {
  const mine = { ...base, price: '90000', status: 'Active', seller: 'b' };
  const theirs = { ...base, price: '80000', status: 'Sold', seller: 'b' };
  const { form, conflicting } = mergePropertyForms(base, mine, theirs);
  expect(form).toEqual(mine);
  expect(conflicting).toEqual(['price', 'status']);
});

it('makes a form of whatever is sent', () => {
  expect(sanitizePropertyForm({ seller: 7, status: null, featured: 'on' })).toEqual({
    ...blankPropertyForm,
    status: '',
  });
  expect(sanitizePropertyForm('x')).toEqual({ ...blankPropertyForm, status: '' });
  expect(changedPropertyFields(base, sanitizePropertyForm(base))).toEqual([]);
});
