import { expect, it } from 'vitest';
import { everyOrderInMemory } from './every-order.ts';
import { outcomeOf } from './memory-sale.ts';
import { memoryWalker } from './walker.ts';
import { walks } from './walks.ts';

// R3: order, repeats and loss of messages do not matter, tried exhaustively.

/** How each walk ends: state, balances, refunds, disputes, breaks. Cents. */
const outcomes: Record<string, string> = {
  paid: 'completed/in_escrow/ | clearing 107000, escrow_held -100000, fees_held -10000, processing_cost 3000 |  |  | ',
  'bank transfer, disputed and won':
    'completed/in_escrow/ | clearing 107000, escrow_held -100000, fees_held -10000, processing_cost 3000 |  | a chargeback won 110000 0 0 | ',
  'bank transfer bounces': 'failed/cancelled/ |  |  |  | ',
  'paid late': 'refunded/cancelled/ |  | refund:sale:0 succeeded 110000 |  | ',
  'paid late, the refund fails twice':
    'refunded/cancelled/ |  | refund:sale:0 failed 110000, refund:sale:1 failed 110000, refund:sale:2 succeeded 110000 |  | ',
  cancelled:
    'refunded/cancelled/ | clearing -3000, processing_cost 3000 | refund:sale:0 succeeded 110000 |  | ',
  'cancelled, the refund comes back and is sent again':
    'refunded/cancelled/ | clearing -3000, processing_cost 3000 | refund:sale:0 failed 110000, refund:sale:1 succeeded 110000 |  | ',
  'cancelled, the bank takes the debit back, then the refund succeeds':
    'refunded/cancelled/ | chargeback_loss 110000, clearing -113000, processing_cost 3000 | refund:sale:0 succeeded 110000 | a chargeback lost 110000 0 0 | ',
  'cancelled, the refund succeeds, then the bank takes the debit back':
    'refunded/cancelled/ | chargeback_loss 110000, clearing -113000, processing_cost 3000 | refund:sale:0 succeeded 110000 | a chargeback lost 110000 0 0 | ',
  'cancelled, refunded, disputed and lost, and then the refund comes back':
    'refunded/cancelled/ | clearing -3000, processing_cost 3000 | refund:sale:0 failed 110000 | a chargeback lost 110000 0 0 | ',
  'a part is disputed and lost, then closed':
    'completed/completed/pending | clearing 75500, dispute_fees 1500, fee_revenue -10000, platform_revenue -19000, processing_cost 3000, seller_payable -51000 |  | a chargeback lost 30000 1500 0 | ',
  'closed, then a part is disputed and lost, of which some comes back':
    'completed/completed/pending | clearing 107000, fee_revenue -10000, platform_revenue -25000, processing_cost 3000, seller_payable -75000 |  | a chargeback won 33333 0 0 | ',
  'two disputes':
    'completed/in_escrow/ | clearing 17000, escrow_held -10000, fees_held -10000, processing_cost 3000 |  | a chargeback won 20000 0 0, b chargeback lost 90000 0 0 | ',
  'two disputes, both lost':
    'refunded/cancelled/ | clearing -3000, processing_cost 3000 |  | a chargeback lost 20000 0 0, b chargeback lost 90000 0 0 | ',
  'an inquiry becomes a chargeback':
    'completed/in_escrow/ | clearing 107000, escrow_held -100000, fees_held -10000, processing_cost 3000 |  | a chargeback won 110000 0 0, b inquiry won 110000 0 0 | ',
  'refunded at the provider':
    'refunded/cancelled/ | clearing -3000, processing_cost 3000 | provider:re_0 succeeded 110000 |  | unexpected_refund resolved',
  'a part is refunded at the provider, recognized, and closed':
    'refunded/completed/pending | chargeback_loss 25000, clearing -28000, processing_cost 3000 | provider:re_0 succeeded 25000 | a chargeback lost 110000 0 0 | unexpected_refund resolved',
  'refunded at the provider while our own refund waits':
    'refunded/cancelled/ | clearing -3000, processing_cost 3000 | provider:re_0 succeeded 110000, refund:sale:0 failed 110000 |  | unexpected_refund resolved',
  'too much is accepted':
    'completed/in_escrow/ | clearing 110000, escrow_held -100000, fees_held -10000 | refund:sale:0 succeeded 500 |  | payment_mismatch resolved',
  'too little is accepted, and disputed':
    'refunded/cancelled/ | clearing -100, processing_cost 100 |  | a chargeback lost 109500 0 0 | payment_mismatch resolved',
  'too little is accepted, closed, disputed and lost, and comes back':
    'completed/completed/pending | clearing 109500, fee_revenue -10000, platform_revenue -25000, seller_payable -75000, write_offs 500 |  | a chargeback won 109500 0 0 | payment_mismatch resolved',
  'a payment of another sale is sent back':
    'refunded/cancelled/ |  | refund:sale:0 failed 110000, refund:sale:1 succeeded 110000 |  | payment_mismatch resolved',
  'test money is dismissed': 'failed/cancelled/ |  |  |  | payment_mismatch resolved',
  'a part is refunded before and after the closing':
    'refunded/completed/pending | chargeback_loss 16690, clearing -19690, processing_cost 3000 | refund:sale:0 succeeded 13345, refund:sale:1 succeeded 13345 | a chargeback lost 100000 0 0 | ',
  'a part is refunded, comes back, and the payment is disputed':
    'refunded/cancelled/ | clearing -3000, processing_cost 3000 | refund:sale:0 failed 13345 | a chargeback lost 110000 0 0 | ',
  'in parts, closed':
    'completed/completed/pending | clearing 109700, fee_revenue -10000, platform_revenue -25000, processing_cost 300, seller_payable -75000 |  |  | ',
  'in parts, never complete, returned twice':
    'refunded/cancelled/ | clearing -200, processing_cost 200 | refund:sale:0 failed 80000, refund:sale:1 succeeded 80000 |  | ',
  'in parts, one arrives after the others were returned':
    'refunded/cancelled/ | clearing -200, processing_cost 200 | refund:sale:0 succeeded 30000, refund:sale:1 succeeded 80000 |  | ',
  'in parts, more than all of it':
    'completed/completed/pending | clearing 109800, fee_revenue -10000, platform_revenue -25000, processing_cost 200, seller_payable -75000 | refund:sale:0 succeeded 20000 |  | ',
  'in one transfer, cancelled, another arrives while the refund is running':
    'refunded/cancelled/ | clearing -200, processing_cost 200 | refund:sale:0 succeeded 110000, refund:sale:1 succeeded 5000 |  | ',
};

/** The number of orders of so many messages, each once, twice or never. */
const ORDERS = [1, 3, 19, 271, 7_365, 326_011];

it.each(walks)('$name: every order comes to the same', async (walk) => {
  const messages = walk.steps.filter(({ at }) => at === 'provider').length;
  for (const answers of ['current', 'old'] as const)
    expect(await everyOrderInMemory(walk, answers)).toEqual({ orders: ORDERS[messages], findings: [] });
});

it.each(walks)('$name: everything happens, and nothing is left open that should not be', async (walk) => {
  const walker = memoryWalker(walk, 'current');
  const messages = await walker.inOrder();
  expect(messages).toBe(walk.steps.filter(({ at }) => at === 'provider').length);
  const outcome = outcomeOf(await walker.finish());
  expect(outcome).not.toMatch(/refused_move|pending\/pending/);
  expect(outcome).toBe(outcomes[walk.name]);
});
