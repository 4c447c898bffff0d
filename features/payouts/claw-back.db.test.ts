import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkLedger } from '#features/ledger/reads.ts';
import { payoutsOf } from '#gateways/payouts/open.ts';
import { settlePayout, settlePayoutItem } from '#gateways/payouts/sandbox/settlement.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { createPayoutScenario, type PayoutScenario } from '#tests/support/fixtures/payout-scenario.ts';
import { askPayouts, completeEmptyPayouts } from './commands/ask-payouts.ts';
import { failManualPayout } from './commands/manual-payouts.ts';
import { retryPayout } from './commands/retry-payout.ts';
import { sendPayout } from './commands/send-payout.ts';

/** 80 % of $742,000.00 */
const SHARE = 593_600_00;

await describeOnDatabase('money that goes back after the seller was paid', (open) => {
  let db: Database;
  let scenario: PayoutScenario;
  let account: string;
  beforeAll(async () => {
    db = await open();
    scenario = await createPayoutScenario(db);
    account = await scenario.setUpStripe();
  });
  afterAll(() => db.close());

  const stateOf = async (saleId: string) => (await scenario.saleScenario.sale(saleId)).payout_status;
  const booksAreRight = async () => expect(await checkLedger(scenario.saleScenario.system)).toEqual([]);
  const balances = (saleId: string) => scenario.saleScenario.accountBalances(saleId);
  const setBalance = (cents: number) =>
    db.q().updateTable('sandbox_accounts').set({ balance_cents: cents }).where('ref', '=', account).execute();
  const keyOf = async (payoutId: string) =>
    (
      await db
        .q()
        .selectFrom('payouts')
        .select('idempotency_key as key')
        .where('id', '=', payoutId)
        .executeTakeFirstOrThrow()
    ).key;

  it('is taken back from the payout where the provider can, once', async () => {
    const saleId = await scenario.releasedSale();
    await scenario.pay(saleId);
    await setBalance(SHARE);
    await scenario.refund(saleId, 100_000_00);
    expect(await balances(saleId)).toMatchObject({ seller_receivable: 80_000_00 });
    await booksAreRight();
    await Promise.all([scenario.takeBack(saleId), scenario.takeBack(saleId)]);
    await scenario.takeBack(saleId);
    expect((await balances(saleId)).seller_receivable).toBeUndefined();
    expect(await stateOf(saleId)).toBe('completed');
    await booksAreRight();
    const theirs = await db
      .q()
      .selectFrom('sandbox_payout_items as i')
      .innerJoin('sandbox_payouts as p', 'p.id', 'i.payout_id')
      .select(sql<number>`sum(i.amount_cents - i.returned_cents)::bigint`.as('cents'))
      .where('p.sale_id', '=', saleId)
      .executeTakeFirstOrThrow();
    expect(Number(theirs.cents)).toBe(SHARE - 80_000_00);
    // The provider counts it as returned; that is no payout that came back.
    await scenario.saleScenario.clock.advance(DAY);
    await askPayouts(scenario.saleScenario.system);
    expect(await stateOf(saleId)).toBe('completed');
    await booksAreRight();
  });

  it('stays a debt where the balance of the seller does not cover it, and is set off against the next payouts', async () => {
    const first = await scenario.releasedSale();
    await scenario.pay(first);
    await setBalance(0);
    await scenario.refund(first, 700_000_00);
    await scenario.takeBack(first);
    expect(await balances(first)).toMatchObject({ seller_receivable: 560_000_00 });
    const second = await scenario.releasedSale();
    const started = await scenario.start(second);
    expect(started).toMatchObject({ ok: true, amountCents: SHARE - 560_000_00 });
    expect((await balances(first)).seller_receivable).toBeUndefined();
    if (started.ok) await sendPayout(scenario.saleScenario.system, started);
    expect(await stateOf(second)).toBe('completed');
    await booksAreRight();
    const mails = await db
      .q()
      .selectFrom('mail_outbox')
      .select('text_body as text')
      .where('subject', 'like', 'Your payout for % was sent')
      .execute();
    expect(mails.map(({ text }) => text)).toContainEqual(
      expect.stringContaining('$560,000.00 that you owed for an earlier sale was deducted.'),
    );
  });

  it('settles a payout of nothing at once: all of it is set off, or the payment went back whole', async () => {
    const first = await scenario.releasedSale();
    await scenario.pay(first);
    await setBalance(0);
    await scenario.refund(first, 742_000_00);
    await scenario.takeBack(first);
    const second = await scenario.releasedSale();
    const ofNothing = await scenario.start(second);
    expect(ofNothing).toMatchObject({ ok: true, amountCents: 0, status: 'completed' });
    const payoutId = ofNothing.ok ? ofNothing.payoutId : '';
    // Nothing was sent by which it could come back.
    await expect(
      failManualPayout(scenario.admin(), { payoutId, reason: 'Closed.', confirmed: true }),
    ).resolves.toEqual({
      ok: false,
      refusal: 'not_processing',
    });
    expect(await stateOf(second)).toBe('completed');
    const mails = await db
      .q()
      .selectFrom('mail_outbox')
      .select('subject')
      .where('idempotency_key', 'like', `sale:${second}:%:seller`)
      .execute();
    expect(mails.filter(({ subject }) => subject.endsWith('was sent'))).toEqual([]);
    await booksAreRight();
    const third = await scenario.releasedSale();
    await scenario.refund(third, 742_000_00);
    expect(await stateOf(third)).toBe('pending');
    await completeEmptyPayouts(scenario.saleScenario.system);
    expect(await stateOf(third)).toBe('completed');
    await booksAreRight();
  });

  it('settles a payout of nothing by itself where fees have used the share up', async () => {
    const { id: feeId } = await db
      .q()
      .insertInto('service_fees')
      .values({
        name: 'Everything',
        fee_type: 'fixed',
        fixed_cents: 900_000_00,
        applies_to: ['seller'],
        position: 9,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const nothing = await scenario.releasedSale();
    await db.q().deleteFrom('service_fees').where('id', '=', feeId).execute();
    const something = await scenario.releasedSale();
    expect((await scenario.saleScenario.accountBalances(nothing)).seller_payable).toBeUndefined();
    expect(await stateOf(nothing)).toBe('pending');
    await completeEmptyPayouts(scenario.saleScenario.system);
    expect([await stateOf(nothing), await stateOf(something)]).toEqual(['completed', 'pending']);
    await booksAreRight();
  });

  it('fails when the provider takes it back days later, and is sent again', async () => {
    const saleId = await scenario.releasedSale();
    const payoutId = await scenario.pay(saleId);
    scenario.saleScenario.clock.advance(3 * DAY);
    await settlePayout(db, await keyOf(payoutId), 'return', scenario.saleScenario.clock.now());
    await askPayouts(scenario.saleScenario.system);
    expect(await stateOf(saleId)).toBe('failed');
    expect((await scenario.saleScenario.sale(saleId)).payout_date).toBeNull();
    expect(await balances(saleId)).toMatchObject({ seller_payable: -SHARE });
    await booksAreRight();
    expect(await retryPayout(scenario.admin(), { saleId })).toEqual({ ok: true });
    await scenario.pay(saleId);
    expect(await stateOf(saleId)).toBe('completed');
    await booksAreRight();
    const mails = await scenario.saleScenario.mailsTo(scenario.saleScenario.seller.email);
    expect(mails.filter((subject) => subject.includes('came back'))).toHaveLength(1);
  });

  it('is not taken back again where that much of the payout has come back by itself', async () => {
    const saleId = await scenario.releasedSale();
    const payoutId = await scenario.pay(saleId);
    await setBalance(0);
    await scenario.refund(saleId, 250_000_00);
    await scenario.takeBack(saleId);
    expect(await balances(saleId)).toMatchObject({ seller_receivable: 200_000_00 });
    // Somebody reverses that much at the provider.
    await db
      .q()
      .updateTable('sandbox_payout_items')
      .set({ returned_cents: 200_000_00 })
      .where('payout_id', 'in', (of) =>
        of.selectFrom('sandbox_payouts').select('id').where('sale_id', '=', saleId),
      )
      .execute();
    await setBalance(SHARE - 200_000_00);
    await scenario.sync(payoutId);
    expect(await balances(saleId)).toMatchObject({
      seller_receivable: 200_000_00,
      seller_payable: -200_000_00,
    });
    await scenario.takeBack(saleId);
    const asked = await db
      .q()
      .selectFrom('payout_reversals')
      .select('status')
      .where('sale_id', '=', saleId)
      .execute();
    expect(asked.map(({ status }) => status)).toEqual(['failed']);
    // One settles the other when the payout is made again.
    expect(await retryPayout(scenario.admin(), { saleId })).toEqual({ ok: true });
    expect(await scenario.start(saleId)).toMatchObject({ ok: true, amountCents: 0 });
    expect((await balances(saleId)).seller_receivable).toBeUndefined();
    await booksAreRight();
  });

  it('is heard of though another payout cannot be asked about', async () => {
    const { saleScenario } = scenario;
    const sales = [await scenario.releasedSale(), await scenario.releasedSale()];
    const keys: string[] = [];
    for (const saleId of sales) keys.push(await keyOf(await scenario.pay(saleId)));
    for (const key of keys) await settlePayout(db, key, 'return', saleScenario.clock.now());
    saleScenario.clock.advance(DAY);
    const port = saleScenario.payouts.forMethod('stripe');
    if (!port) throw new Error('no provider');
    const find: typeof port.find = (asked) =>
      asked.key === keys[0] ? Promise.reject(new Error('unreadable')) : port.find(asked);
    await askPayouts({ ...saleScenario.system, payouts: payoutsOf([{ ...port, find }]) });
    expect(await Promise.all(sales.map(stateOf))).toEqual(['completed', 'failed']);
    saleScenario.clock.advance(DAY);
    await askPayouts(saleScenario.system);
    expect(await Promise.all(sales.map(stateOf))).toEqual(['failed', 'failed']);
  });

  it('leaves nothing to send, which is settled though it cannot be for another sale', async () => {
    const sales = [await scenario.releasedSale(), await scenario.releasedSale()].sort();
    for (const saleId of sales) await scenario.refund(saleId, 742_000_00);
    expect(await Promise.all(sales.map(stateOf))).toEqual(['pending', 'pending']);
    await sql`alter table payouts add constraint broken check (sale_id <> ${sql.lit(sales[0])}) not valid`.execute(
      db.q(),
    );
    await completeEmptyPayouts(scenario.saleScenario.system);
    await sql`alter table payouts drop constraint broken`.execute(db.q());
    expect(await Promise.all(sales.map(stateOf))).toEqual(['pending', 'completed']);
    await completeEmptyPayouts(scenario.saleScenario.system);
    expect(await stateOf(sales[0] ?? '')).toBe('completed');
    await booksAreRight();
  });

  it('pays a crypto sale out of the balance of cards, when that covers it', async () => {
    const saleId = await scenario.releasedSale('crypto');
    await db.q().deleteFrom('treasury_positions').execute();
    await scenario.fund('stripe', -1_000_000_000_00);
    expect(await scenario.start(saleId)).toEqual({ ok: false, refusal: 'balance_short' });
    expect(await stateOf(saleId)).toBe('pending');
    await scenario.fund('stripe', 1_000_000_000_00 + SHARE);
    scenario.saleScenario.clock.advance(DAY);
    await scenario.pay(saleId);
    expect(await stateOf(saleId)).toBe('completed');
    await booksAreRight();
  });

  it('pays by PayPal in items; what some of them did not carry is sent by another attempt', async () => {
    await scenario.setUpPaypal();
    await scenario.fund('paypal', 2_000_000_00);
    const saleId = await scenario.releasedSale();
    const payoutId = await scenario.pay(saleId);
    expect(await stateOf(saleId)).toBe('processing');
    const items = await db
      .q()
      .selectFrom('sandbox_payout_items as i')
      .innerJoin('sandbox_payouts as p', 'p.id', 'i.payout_id')
      .select(['i.ref', 'i.amount_cents as cents'])
      .where('p.key', '=', await keyOf(payoutId))
      .orderBy('i.id')
      .execute();
    expect(items).toHaveLength(30);
    const [failed, unclaimed] = items;
    const now = scenario.saleScenario.clock.now;
    await settlePayoutItem(db, failed?.ref ?? '', 'fail', now());
    await settlePayoutItem(db, unclaimed?.ref ?? '', 'unclaim', now());
    for (const { ref } of items.slice(2)) await settlePayoutItem(db, ref, 'arrive', now());
    await scenario.sync(payoutId);
    expect(await stateOf(saleId)).toBe('processing');
    await booksAreRight();
    await settlePayoutItem(db, unclaimed?.ref ?? '', 'return', now());
    await scenario.sync(payoutId);
    expect(await stateOf(saleId)).toBe('failed');
    expect(await balances(saleId)).toMatchObject({
      seller_payable: -40_000_00,
      processing_cost: expect.anything(),
    });
    await booksAreRight();
    await retryPayout(scenario.admin(), { saleId });
    const again = await scenario.pay(saleId);
    await settlePayout(db, await keyOf(again), 'arrive', now());
    await scenario.sync(again);
    expect(await stateOf(saleId)).toBe('completed');
    await booksAreRight();
  });
});
