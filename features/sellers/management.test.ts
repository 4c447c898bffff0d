import { describe, expect, it } from 'vitest';
import { INVALID_RATE, parseRate, rateExample, rateText, TOO_MANY_DECIMALS } from './commission.ts';
import { parsePhone, phoneText } from './phone.ts';

describe('a phone number', () => {
  it.each([
    ['(425) 555-0148', '+14255550148'],
    ['425.555.0148', '+14255550148'],
    ['1 425 555 0148', '+14255550148'],
    ['+1 (425) 555-0148', '+14255550148'],
    ['+44 20 7946 0958', '+442079460958'],
    ['', null],
    ['   ', null],
    ['555-0148', undefined],
    ['(025) 555-0148', undefined],
    ['(425) 155-0148', undefined],
    ['+0 44 20 7946 0958', undefined],
    ['442079460958', undefined],
    ['+44 20', undefined],
    ['+1234567890123456', undefined],
    ['call me', undefined],
    ['425 555 0148 ext. 3', undefined],
  ])('%o is stored as %o', (typed, stored) => {
    expect(parsePhone(typed)).toBe(stored);
  });

  it('is shown as people write it', () => {
    expect(phoneText('+14255550148')).toBe('(425) 555-0148');
    expect(phoneText('+442079460958')).toBe('+442079460958');
  });
});

describe('a commission rate', () => {
  it.each([
    ['0', 0],
    ['100', 100],
    ['78.5', 78.5],
    [' 33.33 % ', 33.33],
    ['.5', 0.5],
    ['80.', 80],
    ['', null],
  ])('%o is %o percent', (typed, rate) => {
    expect(parseRate(typed)).toEqual({ ok: true, rate });
  });

  it.each([
    ['100.01', INVALID_RATE],
    ['-1', INVALID_RATE],
    ['6e1', INVALID_RATE],
    ['NaN', INVALID_RATE],
    ['eighty', INVALID_RATE],
    ['33.333', TOO_MANY_DECIMALS],
  ])('%o is refused: %s', (typed, error) => {
    expect(parseRate(typed)).toEqual({ ok: false, error });
  });

  it('is explained by a sale of $100,000, with a warning below 50', () => {
    expect(rateExample(78.5, 80)).toEqual({
      share: 78.5,
      seller: '$78,500.00',
      platform: '$21,500.00',
      warning: null,
    });
    expect(rateExample(null, 80)).toMatchObject({ seller: '$80,000.00', platform: '$20,000.00' });
    expect(rateExample(6, 80)).toMatchObject({
      seller: '$6,000.00',
      platform: '$94,000.00',
      warning: expect.stringContaining('Below 50 percent'),
    });
    expect(rateExample(50, 80).warning).toBeNull();
    expect(rateExample(33.33, 80)).toMatchObject({ seller: '$33,330.00', platform: '$66,670.00' });
  });

  it('says when it is the default', () => {
    expect(rateText(null, 80)).toBe('80% (default)');
    expect(rateText(80, 80)).toBe('80%');
    expect(rateText(82.5, 80)).toBe('82.5%');
  });
});
