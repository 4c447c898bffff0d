import { expect, test } from 'vitest';
import { shortCount, shortMoney } from './axis-text.ts';

test.each([
  [0, '$0'],
  [99_00, '$99'],
  [400_000_00, '$400k'],
  [1_250_000_00, '$1.3M'],
  [1_200_000_00, '$1.2M'],
  [12_000_000_00, '$12M'],
  [-2_500_00, '−$2.5k'],
])('%d cents on an axis are %s', (cents, text) => expect(shortMoney(cents)).toBe(text));

test.each([
  [0, '0'],
  [1_500, '1,500'],
  [12_000, '12k'],
  [3_400_000, '3.4M'],
])('%d on an axis is %s', (count, text) => expect(shortCount(count)).toBe(text));
