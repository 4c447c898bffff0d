import { describe, expect, it } from 'vitest';
import type { Actor } from '#platform/context.ts';
import { userWith } from '#tests/support/fixtures/actors.ts';
import { mayMoveListing, parseArea, parsePriceCents } from './rules.ts';
import type { ListingEvent } from './transitions.ts';

const notPositive = { wrong: 'Price must be a number greater than 0.' };

describe('prices', () => {
  it.each([
    ['461900', 46_190_000],
    ['1,250,000', 125_000_000],
    ['$950000.50', 95_000_050],
    [' $ 1,250,000.00 ', 125_000_000],
    ['0.01', 1],
    ['12.5', 1_250],
    ['999,999,999.99', 99_999_999_999],
    ['123456.780000', 12_345_678],
    ['0.29', 29],
    ['1.10', 110],
  ])('%s is %i cents', (cell, value) => expect(parsePriceCents(cell)).toEqual({ value }));

  it.each([
    '0',
    '0.00',
    '-5',
    'abc',
    '1e99',
    '12.345',
    '1.250.000',
    '12,50',
    '1,2,3',
    '=1+1',
    'NaN',
    '£5',
    '5.',
  ])('%s is refused', (cell) => expect(parsePriceCents(cell)).toEqual(notPositive));
  it('rejects more than the highest price', () => {
    const wrong = { wrong: 'Price must be at most $999,999,999.99.' };
    expect(parsePriceCents('1000000000')).toEqual(wrong);
    expect(parsePriceCents('999999999999999.99')).toEqual(wrong);
  });
  it.each(['', '  ', '\t'])('"%s" is blank', (cell) =>
    expect(parsePriceCents(cell)).toEqual({ blank: true }),
  );
});

it.each([
  ['2,332', { value: 2332 }],
  ['2332.456', { value: 2332.46 }],
  ['10000001', { wrong: 'not between 0 and 10,000,000' }],
])('square feet %s', (cell, expected) => expect(parseArea(cell, 10_000_000)).toEqual(expected));

describe('an event of the life cycle', () => {
  const actors: Record<string, Actor> = {
    visitor: { kind: 'visitor' },
    buyer: userWith('buyer'),
    seller: userWith('agent'),
    suspended: userWith('agent', { suspended: true }),
    admin: userWith('admin'),
  };
  it.each<[string[], ListingEvent[]]>([
    [['seller'], ['submit', 'resubmit', 'withdraw', 'relist', 'delete']],
    [
      ['admin'],
      [
        'approve',
        'request_changes',
        'reject',
        'add',
        'add_pending',
        'set_active',
        'set_pending',
        'set_escrow',
        'set_sold',
      ],
    ],
    [
      ['buyer', 'seller', 'suspended', 'admin'],
      ['begin_escrow', 'release_escrow', 'sell'],
    ],
    [[], ['import', 'import_sold', 'import_withdraw', 'undo_import']],
  ])('of %j is nobody else’s: %j', (allowed, events) => {
    for (const event of events)
      expect([
        event,
        Object.keys(actors).filter((name) => mayMoveListing(event)(actors[name] as Actor)),
      ]).toEqual([event, allowed]);
  });
});
