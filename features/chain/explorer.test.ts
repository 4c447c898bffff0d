import { expect, it } from 'vitest';
import { addressLink, transactionLink } from './explorer.ts';

const hash = `0x${'ab'.repeat(32)}`;

it.each([
  ['base', hash, `https://basescan.org/tx/${hash}`],
  ['base-sepolia', hash, `https://sepolia.basescan.org/tx/${hash}`],
  ['base', '', null],
  ['base', null, null],
  ['base', '0x1', null],
  ['local', hash, null],
  ['sandbox', hash, null],
  [null, hash, null],
])('links a transaction on %s', (network, of, link) => {
  expect(transactionLink(network, of)).toBe(link);
});

it('links a contract', () => {
  expect(addressLink('base', '0x01')).toBe('https://basescan.org/address/0x01');
  expect(addressLink('local', '0x01')).toBeNull();
});
