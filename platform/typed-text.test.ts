import { expect, it } from 'vitest';
import { cutText } from './cut-text.ts';
import { oneLine, parseWholeNumber, visibleText } from './typed-text.ts';

it.each([
  ['3', { value: 3 }],
  ['3.0', { value: 3 }],
  ['0', { value: 0 }],
  ['-0', { value: 0 }],
  ['', { blank: true }],
  ['99', { value: 99 }],
  ['100', { wrong: 'not between 0 and 99' }],
  ['-1', { wrong: 'not between 0 and 99' }],
  ['3.5', { wrong: 'not a whole number' }],
  ['three', { wrong: 'not a number' }],
  ['Infinity', { wrong: 'not a number' }],
  ['0x10', { wrong: 'not a number' }],
])('bedrooms %s', (cell, expected) => expect(parseWholeNumber(cell, 0, 99)).toEqual(expected));

it('text is collapsed to one line', () => expect(oneLine(' 17\tFaraway \n Ln ')).toBe('17 Faraway Ln'));

it('what nobody sees is left out, and line ends are of one kind', () =>
  expect(visibleText('Pay\u202e moc.live\u2066 \u0007here\r\nor\there\rnow')).toBe(
    'Pay moc.live here\nor\there\nnow',
  ));

it('cuts a text between two characters', () => {
  expect(cutText('Two 🏠🏠', 8)).toBe('Two 🏠🏠');
  expect(cutText('Two 🏠🏠', 7)).toBe('Two 🏠');
  expect(cutText('Two 🏠🏠', 6)).toBe('Two 🏠');
  expect(cutText('half \ud83c', 20)).toBe('half \ufffd');
});
