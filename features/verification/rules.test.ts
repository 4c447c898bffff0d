import { expect, it } from 'vitest';
import { questionOf } from './rules.ts';

const hash = 'ab'.repeat(32);

it.each([
  [hash, { by: 'file', sha256: hash }],
  [` ${hash.toUpperCase()}\n`, { by: 'file', sha256: hash }],
  [`0x${hash}`, { by: 'file', sha256: hash }],
  [`${hash}  receipt ATP-000042.pdf`, { by: 'file', sha256: hash }],
  ['atp-000042', { by: 'number', number: 'ATP-000042' }],
  [' ATP-000042-S ', { by: 'number', number: 'ATP-000042-S' }],
])('reads %j as a question', (text, question) => {
  expect(questionOf(text)).toEqual(question);
});

it.each([
  '',
  ' ',
  '42',
  hash.slice(1),
  `${hash}a`,
  'ATP-',
  '-42',
  'ATP 42',
  "ATP-1' or 1=1",
  'ATP-42\0',
  `A-${'1'.repeat(60)}`,
])('reads %j as none', (text) => {
  expect(questionOf(text)).toBeNull();
});
