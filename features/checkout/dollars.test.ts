import { describe, expect, it } from 'vitest';
import { dollarsToCents } from './dollars.ts';

describe('dollars in a request', () => {
  it.each([
    [1234, 123_400],
    [1234.5, 123_450],
    ['1234.56', 123_456],
    [' 7 ', 700],
    ['0.01', 1],
    ['999999999999', 99_999_999_999_900],
    ['', null],
    ['-1', null],
    ['1.234', null],
    ['1e5', null],
    ['1,000', null],
    ['0x10', null],
    ['1000000000000', null],
    [Number.NaN, null],
    [1.005, null],
    ['.5', null],
    ['5.', null],
  ])('%j dollars are %j cents', (amount, cents) => {
    expect(dollarsToCents(amount)).toBe(cents);
  });
});
