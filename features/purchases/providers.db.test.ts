import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCoinbase } from '#gateways/payments/coinbase.ts';
import { createStripe } from '#gateways/payments/stripe.ts';
import type { Database } from '#platform/db/database.ts';
import { type CoinbaseDouble, startCoinbaseDouble } from '#tests/support/coinbase-double.ts';
import { testClock } from '#tests/support/context.ts';
import { freshDatabase } from '#tests/support/database.ts';
import { paymentsOf, type SaleBench, saleBench, target } from '#tests/support/sale-bench.ts';
import { type StripeDouble, startStripeDouble } from '#tests/support/stripe-double.ts';
import { cancelCheckout } from './commands/cancel-checkout.ts';
import { openCheckout } from './commands/open-checkout.ts';
import { processMessages } from './commands/process-messages.ts';
import { receiveMessage } from './commands/receive-message.ts';

// The whole way with the real adapters, against doubles that keep the providers' rules and sign with their algorithms.
describe('a purchase at the real providers', () => {
  let db: Database;
  let bench: SaleBench;
  let stripe: StripeDouble;
  let coinbase: CoinbaseDouble;
  // A database for each: the doubles count their references anew.
  beforeEach(async () => {
    const clock = testClock();
    db = await freshDatabase('embedded');
    stripe = await startStripeDouble({ now: clock.now, refunds: 'pending' });
    coinbase = await startCoinbaseDouble({ now: clock.now });
    const providers = paymentsOf(
      createStripe({
        secretKey: stripe.test.secretKey,
        webhookSecret: stripe.webhookSecret,
        apiBase: stripe.url,
        now: clock.now,
      }),
      createCoinbase({
        ...coinbase.keys.ed25519,
        webhookSecret: coinbase.webhookSecret,
        apiBase: coinbase.sandbox.base,
        now: clock.now,
      }),
    );
    // Coinbase leads people back to https alone.
    bench = await saleBench(db, { clock, providers, publicUrl: 'https://market.example' });
  });
  afterEach(async () => {
    await Promise.all([stripe.stop(), coinbase.stop()]);
    await db.close();
  });

  const begun = async (method: 'card' | 'crypto', price_cents = 400_000_00) => {
    const house = await bench.house({ price_cents });
    const sale = await bench.begin(bench.buyer, house, method);
    const saleId = sale.ok ? sale.saleId : '';
    const opened = await openCheckout(bench.as(bench.buyer), target(saleId), bench.payments);
    expect(opened).toMatchObject({ ok: true });
    return { house, saleId, ref: (await bench.sale(saleId)).provider_session_id ?? '' };
  };
  /** The newest message about a payment, `times` over, and everything that waits. */
  const deliver = async (rail: 'card' | 'crypto', ref: string, times = 1) => {
    const { rawBody, headers } =
      rail === 'card'
        ? stripe.signed(stripe.newest(stripe.test, ref))
        : coinbase.signed(coinbase.newest(coinbase.sandbox.account, ref));
    for (let time = 0; time < times; time++)
      await receiveMessage(bench.system, { rail, rawBody, headers }, bench.payments);
    await processMessages(bench.system, bench.payments);
  };

  it('by card at Stripe: one message, three times, is one payment with its cost', async () => {
    const { house, saleId, ref } = await begun('card');
    stripe.test.people.pay(ref);
    await deliver('card', ref, 3);
    expect(await bench.state(saleId)).toBe('completed/in_escrow/');
    expect(await bench.property(house)).toBe('escrow');
    const sale = await bench.sale(saleId);
    expect(sale).toMatchObject({ provider: 'stripe', livemode: false });
    expect(sale.stripe_payment_intent_id).toMatch(/^pi_/);
    expect(sale.provider_fee_cents).toBeGreaterThan(0);
    expect(await bench.events(saleId)).toEqual(['begin', 'confirm_payment']);
    const stored = await db
      .q()
      .selectFrom('provider_events')
      .select(['status', 'attempts'])
      .where('ref', '=', ref)
      .execute();
    expect(stored).toEqual([{ status: 'processed', attempts: 1 }]);
  });

  it('by bank transfer at Stripe: submitted, then paid, then disputed by the bank', async () => {
    const { saleId, ref } = await begun('card');
    stripe.test.people.submitTransfer(ref);
    await deliver('card', ref);
    expect(await bench.state(saleId)).toBe('processing/pending/');
    stripe.test.people.settleTransfer(ref);
    await deliver('card', ref);
    expect(await bench.state(saleId)).toBe('completed/in_escrow/');
    stripe.test.people.dispute(ref);
    await deliver('card', ref);
    expect((await bench.events(saleId)).slice(0, 4)).toEqual([
      'begin',
      'submit_payment',
      'confirm_payment',
      'open_dispute',
    ]);
  });

  it('in USDC at Coinbase, and back again when both sides agree', async () => {
    const { house, saleId, ref } = await begun('crypto', 1_500_000_00);
    coinbase.sandbox.account.pay(ref);
    await deliver('crypto', ref);
    expect(await bench.state(saleId)).toBe('completed/in_escrow/');
    expect((await bench.sale(saleId)).tx_hash).toMatch(/^0x/);
    await bench.act(bench.buyer, saleId, 'request_cancellation');
    await bench.act(bench.seller, saleId, 'agree_cancellation');
    await bench.settle();
    const [refund] = await bench.refunds(saleId);
    expect(refund).toMatchObject({ status: 'pending', amount_cents: 1_500_000_00 });
    coinbase.sandbox.account.settleRefund(refund?.provider_ref ?? '');
    await deliver('crypto', ref);
    expect(await bench.state(saleId)).toBe('refunded/cancelled/');
    expect(await bench.property(house)).toBe('Active');
  });

  it('given up by the buyer: closed at the provider first; paid a moment before, it stands', async () => {
    const left = await begun('card');
    expect(await cancelCheckout(bench.as(bench.buyer), left.saleId, bench.payments)).toEqual({ ok: true });
    expect(() => stripe.test.people.pay(left.ref)).toThrow();
    const paid = await begun('card');
    stripe.test.people.pay(paid.ref);
    const answer = await cancelCheckout(bench.as(bench.buyer), paid.saleId, bench.payments);
    expect(answer).toEqual({ ok: false, reason: 'not_now' });
    expect(await bench.state(paid.saleId)).toBe('completed/in_escrow/');
  });

  it('the answer to opening a checkout is lost: nothing can be paid, and the next purchase works', async () => {
    const house = await bench.house();
    const sale = await bench.begin(bench.buyer, house, 'card');
    stripe.weather.fault = 'reset';
    const opened = await openCheckout(
      bench.as(bench.buyer),
      target(sale.ok ? sale.saleId : ''),
      bench.payments,
    );
    expect(opened).toEqual({ ok: false, reason: 'provider_down' });
    stripe.weather.fault = null;
    const again = await bench.checkout(bench.other, house);
    expect(await bench.state(again.saleId)).toBe('pending/pending/');
  });
});
