import { expect, it } from 'vitest';
import { longWalks } from './long-walks.ts';
import { outcomeOf } from './memory-sale.ts';
import { randomOrdersInMemory } from './random-orders.ts';
import { paid, type Step, status, walk } from './steps.ts';
import { memoryWalker } from './walker.ts';

// R3: longer histories, in random orders of their messages. The full size is `npm run soak -- long-order`.

/** How each walk ends: state, balances, refunds, disputes, breaks. Cents. */
const outcomes: Record<string, string> = {
  'a dispute is won, then cancelled, and the refund fails 2 times':
    'refunded/cancelled/ | clearing -3000, processing_cost 3000 | refund:sale:0 failed 110000, refund:sale:1 failed 110000, refund:sale:2 succeeded 110000 | a chargeback won 110000 0 0 | ',
  'a dispute is won, then cancelled, and the refund fails 4 times':
    'refunded/cancelled/ | clearing -3000, processing_cost 3000 | refund:sale:0 failed 110000, refund:sale:1 failed 110000, refund:sale:2 failed 110000, refund:sale:3 failed 110000, refund:sale:4 succeeded 110000 | a chargeback won 110000 0 0 | ',
  'a dispute is won, then cancelled, and the refund fails 6 times':
    'refunded/cancelled/ | clearing -3000, processing_cost 3000 | refund:sale:0 failed 110000, refund:sale:1 failed 110000, refund:sale:2 failed 110000, refund:sale:3 failed 110000, refund:sale:4 failed 110000, refund:sale:5 failed 110000, refund:sale:6 succeeded 110000 | a chargeback won 110000 0 0 | ',
  'a dispute is won, then cancelled, and the refund fails 8 times':
    'refunded/cancelled/ | clearing -3000, processing_cost 3000 | refund:sale:0 failed 110000, refund:sale:1 failed 110000, refund:sale:2 failed 110000, refund:sale:3 failed 110000, refund:sale:4 failed 110000, refund:sale:5 failed 110000, refund:sale:6 failed 110000, refund:sale:7 failed 110000, refund:sale:8 succeeded 110000 | a chargeback won 110000 0 0 | ',
  'bank transfer, cancelled, and the refund comes back three times':
    'refunded/cancelled/ | clearing -3000, processing_cost 3000 | refund:sale:0 failed 110000, refund:sale:1 failed 110000, refund:sale:2 failed 110000, refund:sale:3 succeeded 110000 |  | ',
  'paid late, and the refund fails, comes back twice, and is sent':
    'refunded/cancelled/ |  | refund:sale:0 failed 110000, refund:sale:1 failed 110000, refund:sale:2 failed 110000, refund:sale:3 succeeded 110000 |  | ',
  'in eleven parts, closed, then disputed':
    'refunded/completed/pending | clearing -2600, dispute_fees 1500, processing_cost 1100 |  | a chargeback lost 110000 1500 0 | ',
  'in parts, never complete, and what is returned comes back':
    'refunded/cancelled/ | clearing -400, processing_cost 400 | refund:sale:0 failed 80000, refund:sale:1 failed 80000, refund:sale:2 succeeded 80000 |  | ',
  'in parts, more than all of it, and what is returned comes back':
    'completed/completed/pending | clearing 109500, fee_revenue -10000, platform_revenue -25000, processing_cost 500, seller_payable -75000 | refund:sale:0 failed 15000, refund:sale:1 failed 15000, refund:sale:2 succeeded 15000 |  | ',
  'five disputes one after the other, the last one lost':
    'refunded/cancelled/ | clearing -4500, dispute_fees 1500, processing_cost 3000 |  | a chargeback won 10000 0 0, b chargeback won 20000 0 0, c chargeback won 30000 0 0, d chargeback won 40000 0 0, e chargeback lost 110000 1500 0 | ',
  'three disputes at once, lost one by one':
    'completed/completed/pending | clearing 12500, dispute_fees 4500, fee_revenue -10000, platform_revenue -7000, processing_cost 3000, seller_payable -3000 |  | a chargeback lost 30000 1500 0, b chargeback lost 30000 1500 0, c chargeback lost 30000 1500 0 | ',
  'closed, then two disputes, of which one comes back in parts and one is won':
    'completed/completed/pending | clearing 107000, fee_revenue -10000, platform_revenue -25000, processing_cost 3000, seller_payable -75000 |  | a chargeback won 50000 0 0, b chargeback won 60000 0 0 | ',
  'parts are refunded one after the other, one of which comes back, and what is left is disputed':
    'completed/completed/pending | clearing 5465, dispute_fees 1500, fee_revenue -7000, platform_revenue -2965, processing_cost 3000 | refund:sale:0 succeeded 13345, refund:sale:1 failed 13345, refund:sale:2 succeeded 13345, refund:sale:3 failed 13345, refund:sale:4 succeeded 13345 | a chargeback lost 60000 1500 0 | ',
  'parts are refunded at the provider, then the rest is disputed and won, and closed':
    'completed/completed/pending | clearing 87000, fee_revenue -10000, platform_revenue -21000, processing_cost 3000, seller_payable -59000 | provider:re_0 succeeded 5000, provider:re_1 succeeded 5000, provider:re_2 succeeded 5000, provider:re_3 succeeded 5000 | a chargeback won 90000 0 0 | unexpected_refund resolved, unexpected_refund resolved, unexpected_refund resolved, unexpected_refund resolved',
  'too little is accepted, and disputed in parts':
    'completed/completed/pending | clearing 109500, fee_revenue -10000, platform_revenue -25000, seller_payable -75000, write_offs 500 |  | a chargeback won 36500 0 0, b chargeback won 36500 0 0, c chargeback won 36500 0 0 | payment_mismatch resolved',
};

it('random orders of long walks, each message up to five times or never, come to the same', async () => {
  expect(await randomOrdersInMemory({ size: 2_000, seed: 1 })).toEqual({ trials: 2_000, findings: [] });
});

it('finds a walk whose end depends on the order', async () => {
  const paidOnlyIfKnown: Step = {
    at: 'provider',
    name: 'refused unless a message has arrived',
    next: (truth, image) => (image.state.payment === 'completed' ? truth : { ...truth, status: 'failed' }),
  };
  const { findings } = await randomOrdersInMemory({ size: 100, seed: 1 }, [
    walk('by chance', status('processing'), paid, paidOnlyIfKnown),
  ]);
  expect(findings[0]).toMatch(/^by chance .*: completed\/cancelled.*\ninstead of completed\/in_escrow/);
});

it.each(longWalks)('$name: everything happens, and nothing is left open', async (walk) => {
  const walker = memoryWalker(walk, 'current');
  const messages = await walker.inOrder();
  expect(messages).toBe(walk.steps.filter(({ at }) => at === 'provider').length);
  expect(messages).toBeGreaterThan(5);
  expect(messages).toBeLessThanOrEqual(12);
  expect(outcomeOf(await walker.finish())).toBe(outcomes[walk.name]);
});
