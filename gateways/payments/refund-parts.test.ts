import { expect, it } from 'vitest';
import type { RefundState } from './port.ts';
import { combinedRefund, drawRefund } from './refund-parts.ts';

const rooms = (...cents: number[]) => cents.map((each, at) => ({ ref: `pi_${at}`, cents: each }));

it.each([
  [10, [10, 10], [['pi_0', 10]]],
  [
    11,
    [10, 10],
    [
      ['pi_0', 10],
      ['pi_1', 1],
    ],
  ],
  [
    11,
    [10, 0, 10],
    [
      ['pi_0', 10],
      ['pi_2', 1],
    ],
  ],
  [5, [-3, 10], [['pi_1', 5]]],
])('%i cents are drawn on %j as %j', (cents, left, parts) => {
  expect(drawRefund(rooms(...left), cents).map(({ ref, cents: each }) => [ref, each])).toEqual(parts);
});

it('more than is left cannot be drawn', () => {
  expect(() => drawRefund(rooms(10, 10), 21)).toThrow(expect.objectContaining({ code: 'limit' }));
});

it.each<[RefundState['status'][], RefundState['status'], number]>([
  [['pending', 'pending'], 'pending', 3],
  [['pending', 'succeeded'], 'pending', 3],
  [['pending', 'failed'], 'pending', 1],
  [['succeeded', 'succeeded'], 'succeeded', 3],
  [['failed', 'succeeded'], 'succeeded', 2],
  [['succeeded', 'failed'], 'succeeded', 1],
  [['failed', 'failed'], 'failed', 3],
])('parts of 1 and 2 cents that are %j are one refund that is %s, of %i', (states, status, amountCents) => {
  const parts = states.map((each, at) => ({ status: each, amountCents: at + 1 }));
  expect(combinedRefund({ ref: 're', key: 'key' }, parts)).toEqual({
    ref: 're',
    key: 'key',
    status,
    amountCents,
  });
});
