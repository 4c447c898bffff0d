import { expect, it } from 'vitest';
import type { OwedBySeller } from '#features/ledger/claw-back.ts';
import type { Debts } from '#features/payouts/debts.ts';
import { planPayouts, type Selected } from './plan.ts';

const ada = { id: 'ada', name: 'Ada Arbor' };
const selected = (saleId: string, change: Partial<Selected> = {}): Selected => ({
  saleId,
  seller: ada,
  address: `${saleId} Elm Street`,
  owedCents: 1_000,
  method: 'stripe',
  status: 'pending',
  livemode: true,
  rightMode: true,
  inRun: false,
  held: null,
  until: null,
  obstacle: null,
  ...change,
});
/** What sellers owe, by seller and mode. */
const owing = (debts: Record<string, readonly OwedBySeller[]> = {}): Debts => ({
  of: ({ agentId, livemode }) => debts[`${agentId} ${livemode}`] ?? [],
});
const plan = (of: readonly Selected[], debts = owing(), byHand = (): boolean => false) =>
  planPayouts(of, debts, byHand);
const paid = ({ payouts }: ReturnType<typeof plan>) =>
  payouts.map(({ saleId, amountCents, withheldCents }) => [saleId, amountCents, withheldCents]);

it('pays what is owed, by the method of the seller, and adds it up', () => {
  expect(plan([selected('a'), selected('b', { owedCents: 250, method: 'paypal' })])).toEqual({
    payouts: [
      {
        saleId: 'a',
        seller: ada,
        address: 'a Elm Street',
        method: 'stripe',
        amountCents: 1_000,
        withheldCents: 0,
      },
      {
        saleId: 'b',
        seller: ada,
        address: 'b Elm Street',
        method: 'paypal',
        amountCents: 250,
        withheldCents: 0,
      },
    ],
    refused: [],
    totalCents: 1_250,
  });
  expect(plan([])).toEqual({ payouts: [], refused: [], totalCents: 0 });
});

it('pays by hand where the method has no provider', () => {
  const asked: unknown[] = [];
  const { payouts } = planPayouts([selected('a'), selected('b', { method: 'paypal' })], owing(), (method) => {
    asked.push(method);
    return method === 'paypal';
  });
  expect(payouts.map(({ method }) => method)).toEqual(['stripe', 'manual']);
  expect(asked).toEqual(['stripe', 'paypal']);
});

it('sets what a seller owes off against the first payouts, each cent once', () => {
  const debts = owing({
    'ada true': [
      { saleId: 'old', cents: 300 },
      { saleId: 'new', cents: 900 },
      { saleId: 'newest', cents: 400 },
    ],
  });
  expect(paid(plan([selected('a'), selected('b'), selected('c')], debts))).toEqual([
    ['a', 0, 1_000],
    ['b', 400, 600],
    ['c', 1_000, 0],
  ]);
});

it('sets nothing off against the payouts of another seller, or in another mode', () => {
  const debts = owing({
    'ada true': [{ saleId: 'old', cents: 300 }],
    'ada false': [{ saleId: 'test', cents: 200 }],
    'bea true': [{ saleId: 'other', cents: 100 }],
  });
  const bea = { id: 'bea', name: 'Bea Birch' };
  const others = [
    selected('b', { seller: bea }),
    selected('c', { livemode: false }),
    selected('d', { seller: { id: 'cyd', name: 'Cyd Cedar' } }),
  ];
  expect(paid(plan([selected('a'), ...others], debts))).toEqual([
    ['a', 700, 300],
    ['b', 900, 100],
    ['c', 800, 200],
    ['d', 1_000, 0],
  ]);
});

it('leaves debts to the next payout where one is refused', () => {
  const debts = owing({ 'ada true': [{ saleId: 'old', cents: 300 }] });
  const planned = plan([selected('a', { held: 'frozen' }), selected('b')], debts);
  expect(paid(planned)).toEqual([['b', 700, 300]]);
  expect(planned.totalCents).toBe(700);
});

const until = new Date('2026-11-27T12:00:00Z');
// The first that applies is said.
const reasons = [
  [{ status: 'processing' }, 'already_processing'],
  [{ status: 'completed' }, 'not_open'],
  [{ status: null }, 'not_open'],
  [{ inRun: true }, 'in_run'],
  [{ held: 'risk_hold', until }, 'risk_hold'],
  [{ obstacle: 'account_inactive' }, 'account_inactive'],
  [{ method: null }, 'no_method'],
  [{ rightMode: false }, 'wrong_mode'],
] as const satisfies readonly (readonly [Partial<Selected>, string])[];

it.each(reasons)('refuses %j: %s', (change, reason) => {
  expect(plan([selected('a', change)])).toEqual({
    payouts: [],
    refused: [
      {
        saleId: 'a',
        seller: ada,
        address: 'a Elm Street',
        amountCents: 1_000,
        reason,
        until: 'until' in change ? until.toISOString() : null,
      },
    ],
    totalCents: 0,
  });
});

it('says the gravest of several reasons', () => {
  for (const [at, [, reason]] of reasons.entries()) {
    const changes = reasons.slice(at).map(([change]) => change);
    const all: Partial<Selected> = Object.assign({}, ...changes.toReversed());
    expect(plan([selected('a', all)]).refused).toMatchObject([{ reason }]);
  }
});

it('asks nothing of the seller where nothing is sent, and still waits for what the sale waits for', () => {
  const debts = owing({ 'ada true': [{ saleId: 'old', cents: 5_000 }] });
  const nothing = { obstacle: 'no_method', method: null, rightMode: false } as const;
  expect(plan([selected('a', nothing)], debts).payouts).toMatchObject([{ method: null, amountCents: 0 }]);
  expect(plan([selected('a', { ...nothing, held: 'disputed' })], debts).refused).toMatchObject([
    { reason: 'disputed' },
  ]);
});
