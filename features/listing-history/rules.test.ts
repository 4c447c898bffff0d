import { describe, expect, it } from 'vitest';
import { changeText, daysText } from './display.ts';
import { publicEvents, type RecordedChange } from './rules.ts';

const day = (number: number) => new Date(Date.UTC(2026, 5, number));
const status = (from: string, to: string, at: number): RecordedChange => ({
  field: 'status',
  from,
  to,
  at: day(at),
});
const price = (from: number, to: number, at: number): RecordedChange => ({
  field: 'price_cents',
  from: String(from),
  to: String(to),
  at: day(at),
});
const facts = {
  status: 'Active' as const,
  priceCents: 300,
  listedAt: day(1),
  pausedAt: null,
  offMarketAt: null,
};
const told = (changes: RecordedChange[], more: Partial<Parameters<typeof publicEvents>[1]> = {}) =>
  publicEvents(changes, { ...facts, ...more })
    .map(
      ({ kind, at, cents, previousCents }) =>
        `${new Date(at).getUTCDate()} ${kind} ${previousCents ?? ''}→${cents}`,
    )
    .reverse();

describe('the public history of a listing', () => {
  it('begins with its first approval, at the price of that day', () => {
    expect(
      told([price(500, 400, 1), status('pending', 'Active', 2), price(400, 300, 3)], { listedAt: day(2) }),
    ).toEqual(['2 listed →400', '3 price 400→300']);
    expect(told([])).toEqual(['1 listed →300']);
  });

  it('is empty before it', () => {
    expect(told([price(500, 300, 1)], { status: 'pending', listedAt: null })).toEqual([]);
  });

  it('does not tell prices tried while no one could see them, but that with which it came back', () => {
    expect(
      told([
        status('Active', 'withdrawn', 3),
        price(500, 450, 4),
        price(450, 300, 5),
        status('withdrawn', 'Active', 6),
      ]),
    ).toEqual(['1 listed →500', '3 removed →500', '6 relisted 500→300']);
  });

  it('tells a review that takes it off the market as such, without its course', () => {
    expect(
      told([
        status('Active', 'changes_requested', 3),
        status('changes_requested', 'pending', 4),
        status('pending', 'rejected', 5),
        status('rejected', 'pending', 6),
        status('pending', 'Active', 7),
      ]),
    ).toEqual(['1 listed →300', '3 removed →300', '7 relisted →300']);
  });

  it('tells escrow, its end and the sale', () => {
    expect(
      told(
        [
          status('Active', 'escrow', 3),
          status('escrow', 'Active', 4),
          status('Active', 'escrow', 5),
          status('escrow', 'Sold', 6),
        ],
        {
          status: 'Sold',
        },
      ),
    ).toEqual(['1 listed →300', '3 escrow →300', '4 back →300', '5 escrow →300', '6 sold →300']);
  });

  it('takes the dates of the listing where no change was recorded', () => {
    expect(told([], { status: 'Sold', offMarketAt: day(9) })).toEqual(['1 listed →300', '9 sold →300']);
    expect(told([], { status: 'escrow', pausedAt: day(8) })).toEqual(['1 listed →300', '8 escrow →300']);
  });

  it('keeps the newest twenty', () => {
    const many = Array.from({ length: 30 }, (_, index) => price(300 + index, 301 + index, index + 1));
    expect(told(many, { priceCents: 330 })).toHaveLength(20);
    expect(told(many, { priceCents: 330 }).at(-1)).toBe('30 price 329→330');
  });
});

it('writes changes and days', () => {
  expect(changeText({ cents: 95, previousCents: 100 })).toBe('−5%');
  expect(changeText({ cents: 1035, previousCents: 1000 })).toBe('+3.5%');
  expect(changeText({ cents: 100, previousCents: null })).toBeNull();
  expect([daysText(0), daysText(1), daysText(1200)]).toEqual([
    'Less than a day on the market',
    '1 day on the market',
    '1,200 days on the market',
  ]);
});
