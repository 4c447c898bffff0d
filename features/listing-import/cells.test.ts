import { expect, it } from 'vitest';
import { hiddenCharacter, parseBathrooms, parseDegrees } from './cells.ts';

it.each([
  ['2', { value: { full: 2, half: 0, rounded: false } }],
  ['2.5', { value: { full: 2, half: 1, rounded: false } }],
  ['0.5', { value: { full: 0, half: 1, rounded: false } }],
  ['1.75', { value: { full: 1, half: 1, rounded: true } }],
  ['2.3', { wrong: 'not whole or half bathrooms' }],
  ['', { blank: true }],
  ['100', { wrong: 'not between 0 and 99.75' }],
])('bathrooms %s', (cell, expected) => expect(parseBathrooms(cell)).toEqual(expected));

it.each([
  ['43.689546', { value: 43.689546 }],
  ['-72.301533', { value: -72.301533 }],
  ['90', { value: 90 }],
  ['90.000001', { wrong: 'not between -90 and 90' }],
  ['43°41', { wrong: 'not a number' }],
])('latitude %s', (cell, expected) => expect(parseDegrees(cell, 90)).toEqual(expected));

it.each([
  ['a\0b', 'NUL'],
  ['a\x1b[2Jb', 'U+001B'],
  ['a\u202eb', 'U+202E'],
  ['a\x85b', 'U+0085'],
  ['a\tb\r\nc é 漢', null],
])('finds hidden characters in %j', (cell, expected) => expect(hiddenCharacter(cell)).toBe(expected));
