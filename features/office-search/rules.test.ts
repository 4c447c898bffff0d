import { expect, it } from 'vitest';
import { readOfficeQuery } from './rules.ts';

it('searches for all words in any order and takes nothing for a wildcard', () => {
  expect(readOfficeQuery('  410  Canal_ ').patterns).toEqual(['%410%', '%canal\\_%']);
  expect(readOfficeQuery('50%\\').patterns).toEqual(['%50\\%\\\\%']);
});

it('needs three letters of a word', () => {
  expect(readOfficeQuery('12 a').patterns).toBeNull();
  expect(readOfficeQuery('12 ave').patterns).toEqual(['%12%', '%ave%']);
  expect(readOfficeQuery('')).toEqual({ patterns: null, beginning: null, ids: null, receipt: null });
});

it('looks for shorter words at the beginning of a name only', () => {
  expect(readOfficeQuery(' Bo  Li ').beginning).toBe('bo li%');
  expect(readOfficeQuery('_%').beginning).toBe('\\_\\%%');
  expect(readOfficeQuery('b').beginning).toBeNull();
  expect(readOfficeQuery('bo lindqvist').beginning).toBeNull();
});

it('takes six or more hexadecimal digits for the beginning of an id', () => {
  expect(readOfficeQuery('0A1b2c3d-4').ids).toEqual({
    from: '0a1b2c3d-4000-0000-0000-000000000000',
    to: '0a1b2c3d-4fff-ffff-ffff-ffffffffffff',
  });
  expect(readOfficeQuery('0a1b2').ids).toBeNull();
  expect(readOfficeQuery('0a1b2g').ids).toBeNull();
  expect(readOfficeQuery('0'.repeat(33)).ids).toBeNull();
});

it('takes numbers for receipts', () => {
  expect(readOfficeQuery('ATP-000031').receipt).toBe(31);
  expect(readOfficeQuery('31').receipt).toBe(31);
  expect(readOfficeQuery('31 Main').receipt).toBeNull();
});
