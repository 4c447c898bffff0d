import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type CheckoutState,
  PaymentError,
  type PaymentsPort,
  type ProviderTransaction,
  type RefundState,
} from '#gateways/payments/port.ts';
import { createStripe } from '#gateways/payments/stripe/provider.ts';
import type { Database } from '#platform/db/database.ts';
import { HOUR } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { createOrphanBreak } from '#tests/support/fixtures/breaks.ts';
import { createSaleScenario, paymentsOf, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { startFakeStripe } from '#tests/support/providers/stripe/fake-stripe.ts';
import { followBreakRefunds } from './commands/follow-break-refunds.ts';
import { refundBreak } from './commands/refund-break.ts';
import { sendBreakRefund } from './commands/send-break-refund.ts';
import { breakRefundJob } from './refund-job.ts';
import { requeueBreakRefunds } from './requeue-refunds.ts';

/** A paid checkout of no sale. */
const closed: Omit<CheckoutState, 'ref' | 'refunds'> = {
  url: null,
  status: 'paid',
  saleId: null,
  amountCents: 5_000,
  currency: 'usd',
  livemode: false,
  feeCents: 0,
  paymentRef: null,
  paidWith: null,
  receiptUrl: null,
  txHash: null,
  network: null,
  expiresAt: new Date(0),
  tranches: [],
  disputes: [],
};

await describeOnDatabase('sending a payment of no sale back', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  beforeAll(async () => {
    db = await open();
    scenario = await createSaleScenario(db);
  });
  afterAll(() => db.close());

  const refund = (breakId: string, reason = 'Not ours') =>
    refundBreak(scenario.contextFor(scenario.admin), { breakId, reason });
  const refunds = (breakId: string) =>
    db.q().selectFrom('break_refunds').selectAll().where('break_id', '=', breakId).execute();

  it('is asked for once, with its audit row', async () => {
    const { breakId, accountId } = await createOrphanBreak(db);
    await expect(refund(breakId)).resolves.toEqual({ ok: true });
    await expect(refund(breakId)).resolves.toEqual({ ok: false, reason: 'refund_running' });
    expect(await refunds(breakId)).toMatchObject([
      {
        provider_account_id: accountId,
        amount_cents: 5_000,
        reason: 'Not ours',
        requested_by: scenario.admin.id,
      },
    ]);
    const audited = db
      .q()
      .selectFrom('audit_log')
      .select(['action', 'actor_id', 'after'])
      .where('entity', '=', 'break')
      .where('entity_id', '=', breakId)
      .where('action', '=', 'break.refund');
    expect(await audited.execute()).toEqual([
      {
        action: 'break.refund',
        actor_id: scenario.admin.id,
        after: { amountCents: 5_000, reason: 'Not ours' },
      },
    ]);
  });

  it('needs a reason', async () => {
    const { breakId } = await createOrphanBreak(db);
    await expect(refund(breakId, ' ')).resolves.toEqual({ ok: false, reason: 'no_reason' });
    expect(await refunds(breakId)).toEqual([]);
  });

  it.each([
    ['in another currency', 'payment', { currency: 'eur' }],
    ['that is named by nothing', 'payment', { checkoutRef: null }],
    ['that is another kind of transaction', 'adjustment', {}],
  ] as const)('is refused for money %s', async (_, kind, options) => {
    const { breakId } = await createOrphanBreak(db, kind, options);
    await expect(refund(breakId)).resolves.toEqual({ ok: false, reason: 'not_refundable' });
    expect(await refunds(breakId)).toEqual([]);
  });

  it('is refused for the checkout of a sale, and for one that another payment names', async () => {
    const { saleId, ref } = await scenario.checkout(scenario.buyer, await scenario.createListing());
    const { provider_account_id: accountId } = await scenario.sale(saleId);
    const ofSale = await createOrphanBreak(db, 'payment', { checkoutRef: ref, accountId });
    const shared = await createOrphanBreak(db, 'payment', { checkoutRef: 'cs_shared' });
    await db
      .q()
      .insertInto('provider_transactions')
      .values({
        provider_account_id: shared.accountId,
        ref: 'txn_other',
        kind: 'payment',
        amount_cents: 700,
        fee_cents: 0,
        currency: 'usd',
        checkout_ref: 'cs_shared',
        booked_at: new Date(),
      })
      .execute();
    await db
      .q()
      .updateTable('property_sales')
      .set({ provider_payment_id: 'pi_of_sale' })
      .where('id', '=', saleId)
      .execute();
    const payment = { checkoutRef: null, paymentRef: 'pi_of_sale', accountId };
    const named = await createOrphanBreak(db, 'payment', payment);
    for (const { breakId } of [ofSale, named, shared]) {
      await expect(refund(breakId)).resolves.toEqual({ ok: false, reason: 'not_refundable' });
      expect(await refunds(breakId)).toEqual([]);
    }
  });

  it('is refused for what names a sale that does not know its payment yet', async () => {
    const { saleId } = await scenario.checkout(scenario.buyer, await scenario.createListing());
    const { provider_account_id: accountId } = await scenario.sale(saleId);
    const payment = { checkoutRef: null, paymentRef: 'pi_unheard', accountId };
    const { breakId, transactionId } = await createOrphanBreak(db, 'payment', payment);
    await db
      .q()
      .updateTable('provider_transactions')
      .set({ sale_id: saleId })
      .where('id', '=', transactionId)
      .execute();
    await expect(refund(breakId)).resolves.toEqual({ ok: false, reason: 'not_refundable' });
    await db
      .q()
      .updateTable('property_sales')
      .set({ provider_payment_id: 'pi_known' })
      .where('id', '=', saleId)
      .execute();
    await expect(refund(breakId)).resolves.toEqual({ ok: true });
  });

  it('is sent by its own reference where the provider lists no checkout', async () => {
    const stripe = await startFakeStripe({ now: () => scenario.clock.now() });
    try {
      const { test: mode, webhookSecret, url: apiBase } = stripe;
      mode.actors.pay(mode.openSession());
      const now = () => scenario.clock.now();
      const port = createStripe({ webhookSecret, apiBase, now, secretKey: mode.secretKey });
      const { transactions } = await port.listTransactions({ since: new Date(0) });
      const { paymentRef, amountCents } = transactions[0] as ProviderTransaction;
      const { breakId } = await createOrphanBreak(db, 'payment', {
        amountCents,
        checkoutRef: null,
        paymentRef,
        provider: 'stripe',
        accountRef: await port.account(),
      });
      await expect(refund(breakId)).resolves.toEqual({ ok: true });
      const [{ id: refundId = '' } = {}] = await refunds(breakId);
      const ctx = { ...scenario.system, payments: paymentsOf(port) };
      await sendBreakRefund(ctx, { refundId });
      await sendBreakRefund(ctx, { refundId });
      expect(mode.account.refundsOf(paymentRef ?? '')).toMatchObject([{ amount: amountCents }]);
      const [sent] = mode.account.refundsOf(paymentRef ?? '');
      expect(await refunds(breakId)).toMatchObject([{ status: 'sent', provider_ref: sent?.id }]);
      expect(await port.payments?.refundsOf(paymentRef ?? '')).toMatchObject([
        { ref: sent?.id, key: `break-refund:${breakId}:0`, amountCents },
      ]);
    } finally {
      await stripe.stop();
    }
  });

  describe('when the provider was not heard', () => {
    /** A provider that carries refunds out, forgets their keys after a day, and answers as it is told. */
    function deafProvider() {
      const card = scenario.payments.forMethod('card');
      const carriedOut: RefundState[] = [];
      let answer: 'lost' | 'limit' | null = 'lost';
      const port: PaymentsPort = {
        ...card,
        getCheckout: async (ref): Promise<CheckoutState> => ({ ...closed, ref, refunds: carriedOut }),
        refund: async ({ amountCents }, key) => {
          if (answer === 'limit') throw new PaymentError('limit', 'Nothing of it is left');
          const state: RefundState = { ref: `re_${carriedOut.length}`, status: 'pending', amountCents, key };
          carriedOut.push(state);
          if (answer === 'lost') throw new PaymentError('unavailable', 'The answer was lost');
          return state;
        },
      };
      const says = (next: typeof answer) => {
        answer = next;
      };
      return { ctx: { ...scenario.system, payments: paymentsOf(port) }, carriedOut, says };
    }
    const asked = async () => {
      const { breakId } = await createOrphanBreak(db);
      await refund(breakId);
      const [row] = await refunds(breakId);
      return { breakId, refundId: row?.id ?? '' };
    };

    it.each([
      ['is not sent once more when its key has expired', null],
      ['stays under way when its expired key is refused', 'limit'],
    ] as const)('one that was carried out %s', async (_, answer) => {
      const { breakId, refundId } = await asked();
      const { ctx, carriedOut, says } = deafProvider();
      await expect(sendBreakRefund(ctx, { refundId })).rejects.toThrow('The answer was lost');
      says(answer);
      if (answer === null) scenario.clock.advance(25 * HOUR);
      await sendBreakRefund(ctx, { refundId });
      expect(carriedOut).toHaveLength(1);
      expect(await refunds(breakId)).toMatchObject([{ status: 'sent', provider_ref: 're_0' }]);
    });

    it('those under way are asked about once, and the next account does not wait for all of them', async () => {
      const [first, second] = [await asked(), await asked()];
      const [{ provider_account_id: accountId = '' } = {}] = await refunds(first.breakId);
      await db
        .q()
        .updateTable('break_refunds')
        .set({ status: 'sent', provider_ref: 're_sent', provider_account_id: accountId })
        .where('id', 'in', [first.refundId, second.refundId])
        .execute();
      let calls = 0;
      const port: PaymentsPort = {
        ...scenario.payments.forMethod('card'),
        getCheckout: () => {
          calls++;
          return Promise.reject(new PaymentError('unavailable', 'No answer'));
        },
      };
      await followBreakRefunds({ ...scenario.system, payments: paymentsOf(port) }, { accountId });
      expect(calls).toBe(1);
    });

    it('one whose job was dropped is sent by the next reconciliation after a day', async () => {
      const { breakId, refundId } = await asked();
      const jobs = async () => {
        const { rows } = await sql`
          select from pgboss.job where name = ${breakRefundJob.name} and data ->> 'refundId' = ${refundId}`.execute(
          db.q(),
        );
        return rows.length;
      };
      await sql`delete from pgboss.job where name = ${breakRefundJob.name}`.execute(db.q());
      await requeueBreakRefunds(scenario.system);
      expect(await jobs()).toBe(0);
      scenario.clock.advance(26 * HOUR);
      await requeueBreakRefunds(scenario.system);
      expect(await jobs()).toBe(1);
      expect(await refunds(breakId)).toMatchObject([{ status: 'pending' }]);
    });

    it('one is sent, too, while two hundred earlier ones stay unsent', async () => {
      const { breakId } = await asked();
      await sql`
        with earlier as (
          insert into breaks (kind, subject, provider_account_id)
          select kind, subject || ' ' || n, provider_account_id from breaks, generate_series(1, 200) n where id = ${breakId}
          returning id
        )
        insert into break_refunds (break_id, provider_account_id, checkout_ref, amount_cents, reason, idempotency_key, created_at)
        select e.id, r.provider_account_id, r.checkout_ref, 1, '', e.id, r.created_at - interval '1 hour'
        from earlier e, break_refunds r where r.break_id = ${breakId}`.execute(db.q());
      await sql`delete from pgboss.job where name = ${breakRefundJob.name}`.execute(db.q());
      scenario.clock.advance(26 * HOUR);
      await requeueBreakRefunds(scenario.system);
      const [{ id = '' } = {}] = await refunds(breakId);
      const { rows } = await sql`
        select from pgboss.job where name = ${breakRefundJob.name} and data ->> 'refundId' = ${id}`.execute(
        db.q(),
      );
      expect(rows).toHaveLength(1);
    });
  });
});
