import { expect, it } from 'vitest';
import { cleanTypeName, propertyTypeMessages, slugFor, typeNameProblem } from './rules.ts';

it('stores a name as one line', () => {
  expect(cleanTypeName('  Tiny \n  House ')).toBe('Tiny House');
});

it('refuses a name that is empty or too long', () => {
  expect(typeNameProblem('')).toBe(propertyTypeMessages.empty);
  expect(typeNameProblem('n'.repeat(61))).toBe('Property type name must be at most 60 characters');
  expect(typeNameProblem('n'.repeat(60))).toBeNull();
});

it.each([
  ['Multi-Family', [], 'multi-family'],
  ['Multi Family', ['multi-family'], 'multi-family-2'],
  ['Multi  Family!', ['multi-family', 'multi-family-2'], 'multi-family-3'],
  ['Château & Café', [], 'chateau-cafe'],
  ['—', [], 'type'],
])('names %s in URLs', (name, taken, slug) => {
  expect(slugFor(name, new Set(taken))).toBe(slug);
});
