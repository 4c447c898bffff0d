import { expect, it } from 'vitest';
import { readCursor, writeCursor } from './cursor.ts';

const at = new Date('2026-11-20T15:04:05.678Z');

it.each([
  { seen: '100:100:', part: null, at },
  { seen: '100:105:100,103', part: { reading: '103:106:103', upTo: 42 }, at },
])('a cursor survives the round trip: %j', (cursor) => {
  expect(readCursor(writeCursor(cursor))).toEqual(cursor);
});

it.each([
  undefined,
  '',
  'x',
  '1~2',
  '1~5:3:',
  '1~3:5:5',
  '1~3:5:4,3',
  '1~3:5:2',
  '1~0:5:',
  '1~3:99999999999999999999:',
  '1~3:5:~3:6:',
  '1~3:5:~6:3:~7',
  "1~3:5:'; drop table users; --",
])('rejects anything else: %j', (text) => {
  expect(readCursor(text)).toBeNull();
});

it('rejects an overlong cursor without parsing it', () => {
  expect(readCursor(`1~3:5:4${',4'.repeat(3_000)}`)).toBeNull();
});
