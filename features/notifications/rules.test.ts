import { expect, it } from 'vitest';
import { isDigestHour, isTimeZone, priceLabel } from './rules.ts';

it.each([0, 8, 23])('%d is an hour for the digest', (hour) => {
  expect(isDigestHour(hour)).toBe(true);
});

it.each([-1, 24, 7.5, Number.NaN])('%d is no hour for the digest', (hour) => {
  expect(isDigestHour(hour)).toBe(false);
});

it.each(['America/New_York', 'UTC', 'Asia/Kolkata', 'Etc/GMT+5'])('%s is a time zone', (name) => {
  expect(isTimeZone(name)).toBe(true);
});

it.each(['', 'Mars/Olympus', "UTC'; select 1", '+02:00', 'America/New_York '.repeat(9), 'A'.repeat(61)])(
  '%s is no time zone',
  (name) => {
    expect(isTimeZone(name)).toBe(false);
  },
);

it('a price is told with its kind, a status without', () => {
  expect(priceLabel('price_change', true)).toBe('Total price');
  expect(priceLabel('price_change', false)).toBe('Base price');
  expect(priceLabel('status_change', false)).toBeNull();
});
