import { expect, it } from 'vitest';
import { ether } from './ether.ts';

it.each([
  ['0', '0 ETH'],
  ['1', 'less than 0.000001 ETH'],
  ['999999999999', 'less than 0.000001 ETH'],
  ['1000000000000', '0.000001 ETH'],
  ['1500000000000000000', '1.5 ETH'],
  ['9999998765432100000000', '9,999.998765 ETH'],
  ['1000000000000000000000000', '1,000,000 ETH'],
])('writes %s wei as %s', (wei, text) => {
  expect(ether(wei)).toBe(text);
});
