import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { acceptMismatch } from '#features/payments/commands/decide-mismatch.ts';
import { refundSale } from '#features/payments/commands/refund-sale.ts';
import { disputeSandbox } from '#gateways/payments/sandbox/disputes.ts';
import { payoutsOf } from '#gateways/payouts/open.ts';
import type { Ctx } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { saleAtProvider } from '#tests/support/fixtures/sale-at-provider.ts';
import { chargeFees, createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { saleDetails } from './reads.ts';
import { ledgersOf } from './sale-ledger.ts';

await describeOnDatabase('what administrators see of a sale', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  beforeAll(async () => {
    db = await open();
    scenario = await createSaleScenario(db);
    await chargeFees(db);
  });
  afterAll(() => db.close());

  const asAdmin = () => scenario.contextFor(scenario.admin);
  const paying = (ctx: Ctx) => ({ ...ctx, payouts: payoutsOf([]) });
  const details = (saleId: string) => saleDetails(paying(asAdmin()), { saleId });
  const actions = async (saleId: string) =>
    (await details(saleId)).actions.map(({ action, refusal }) =>
      refusal ? `${action}: ${refusal}` : action,
    );

  it('is everything on record, with a ledger that adds up', async () => {
    const saleId = await scenario.createPaidSale();
    const sale = await details(saleId);
    expect(sale).toMatchObject({
      buyer: { name: scenario.buyer.name },
      state: { payment: 'completed', escrow: 'in_escrow', payout: null },
      paidBy: 'card',
      refunds: [],
      payouts: [],
      payable: null,
      disputes: [],
      breaks: [],
      own: false,
      refundable: { baseCents: 742_000_00, feesCents: 11_625_00 },
      books: { escrowCents: 742_000_00, feesCents: 11_625_00 },
    });
    expect(sale.timeline.map(({ event }) => event)).toEqual(await scenario.events(saleId));
    for (const { rows, total } of Object.values(ledgersOf(sale)))
      expect(rows.reduce((sum, { cents }) => sum + cents, 0)).toBe(total.cents);
  });

  it('counts what was paid and refunded of a payment that was accepted although it was too small', async () => {
    const sale = await saleAtProvider(scenario, 300_000_00);
    const { total_cents: asked } = await scenario.sale(sale.saleId);
    const paid = asked - 25_00;
    await sale.providerSays({ amountCents: paid });
    await acceptMismatch(asAdmin(), { saleId: sale.saleId, note: 'A fee of the bank.' });
    const ledgers = async () => {
      const both = ledgersOf(await details(sale.saleId));
      for (const { rows, total } of Object.values(both))
        expect(rows.reduce((sum, { cents }) => sum + cents, 0)).toBe(total.cents);
      return both;
    };
    const accepted = await ledgers();
    expect(accepted.buyer.rows).toContainEqual({ label: 'Shortfall written off', cents: -25_00 });
    expect(accepted.buyer.total).toEqual({ label: 'Paid by buyer', cents: paid });
    expect(accepted.parties.total).toEqual({ label: 'Held in escrow', cents: asked });
    await scenario.act(scenario.admin, sale.saleId, 'cancel_sale', 'Not possible.');
    const [whole] = await scenario.refunds(sale.saleId);
    const refund = { key: whole?.idempotency_key ?? '', amountCents: paid };
    await sale.providerSays({ refunds: [sale.refund('succeeded', refund)] });
    expect(await details(sale.saleId)).toMatchObject({ paidCents: paid, refundedCents: paid });
    const ended = await ledgers();
    expect(ended.buyer.total.cents).toBe(paid);
    expect(ended.parties.rows).toContainEqual({ label: 'Refunded', cents: -paid });
    expect(ended.parties.rows).toContainEqual({ label: 'Write-off reversed', cents: -25_00 });
    expect(ended.parties.total).toEqual({ label: 'Left', cents: 0 });
  });

  it('offers what the machine allows, and says what stands in the way', async () => {
    const { saleId, ref } = await scenario.checkout(scenario.buyer, await scenario.createListing());
    expect(await actions(saleId)).toEqual([]);
    await scenario.actOnCheckoutPage(ref, 'pay');
    await scenario.sync(saleId);
    expect(await actions(saleId)).toEqual(['release', 'deliver_documents', 'refund', 'cancel_sale']);
    await scenario.act(scenario.buyer, saleId, 'request_cancellation');
    expect(await actions(saleId)).toEqual([
      'release',
      'decline_cancellation',
      'deliver_documents: cancellation_asked',
      'refund',
      'cancel_sale',
    ]);
    await scenario.act(scenario.admin, saleId, 'decline_cancellation');
    await scenario.act(scenario.buyer, saleId, 'report_problem', 'The roof leaks.');
    expect(await actions(saleId)).toEqual([
      'release: problem_open',
      'resolve_problem',
      'deliver_documents: problem_open',
      'refund',
      'cancel_sale',
    ]);
    expect((await details(saleId)).problem).toMatchObject({ by: 'buyer', text: 'The roof leaks.' });
    await scenario.act(scenario.admin, saleId, 'resolve_problem');
    await disputeSandbox(db, ref, scenario.clock.now());
    await scenario.sync(saleId);
    const disputed = await details(saleId);
    expect(disputed).toMatchObject({
      frozen: true,
      disputes: [{ status: 'open', open: true, answer: null }],
    });
    expect(await actions(saleId)).toEqual([
      'release: frozen',
      'deliver_documents: frozen',
      'refund: disputed',
      'cancel_sale: frozen',
    ]);
  });

  it('offers only refunds after the release, and nothing when the sale has ended', async () => {
    const saleId = await scenario.createPaidSale();
    expect(await scenario.act(scenario.admin, saleId, 'release', 'All done.')).toEqual({ ok: true });
    expect(await actions(saleId)).toEqual(['refund']);
    expect((await details(saleId)).payable).toMatchObject({ ok: false, refusal: 'no_method' });
    const cancelled = await scenario.createPaidSale();
    await scenario.act(scenario.admin, cancelled, 'cancel_sale', 'Not possible.');
    expect(await actions(cancelled)).toEqual([]);
  });

  it('is refunded once, however often it is pressed, and by one of two administrators', async () => {
    const saleId = await scenario.createPaidSale();
    const { refundKey } = await details(saleId);
    const order = (actor = scenario.admin, baseCents = 5_00, key = refundKey) =>
      refundSale(scenario.contextFor(actor), {
        saleId,
        baseCents,
        feesCents: 0,
        reason: 'Agreed.',
        idempotencyKey: key,
      });
    const first = await order();
    expect(first).toMatchObject({ ok: true, amountCents: 5_00 });
    expect(await order()).toEqual(first);
    const other = await createUser(db, 'admin');
    expect(await order(other)).toEqual({ ok: false, reason: 'key_used' });
    expect(await order(scenario.admin, 6_00)).toEqual({ ok: false, reason: 'key_used' });
    const after = await details(saleId);
    expect(after.refunds).toMatchObject([{ amountCents: 5_00, status: 'pending', by: scenario.admin.name }]);
    expect(after.refundKey).not.toBe(refundKey);
    expect(after.actions).toContainEqual({ action: 'release', refusal: 'refund_running' });
  });

  it('leaves one’s own purchase to another administrator', async () => {
    const saleId = await scenario.createPaidSale();
    // Somebody who has bought before becoming an administrator.
    const buyer = { ...scenario.buyer, role: 'admin' as const };
    expect(await saleDetails(paying(scenario.contextFor(buyer)), { saleId })).toMatchObject({
      own: true,
      actions: [],
    });
    expect(
      await refundSale(scenario.contextFor(buyer), {
        saleId,
        baseCents: 1_00,
        feesCents: 0,
        reason: 'For me.',
        idempotencyKey: randomUUID(),
      }),
    ).toEqual({ ok: false, reason: 'not_yours' });
    expect(await actions(saleId)).toContain('release');
  });

  it('shows what payouts are called at the bank, why the latest failed, and the messages about them', async () => {
    const saleId = await scenario.createPaidSale();
    await scenario.act(scenario.admin, saleId, 'release', 'All done.');
    const attempt = (n: number, values: Partial<Insertable<DB['payouts']>>) =>
      db
        .q()
        .insertInto('payouts')
        .values({
          sale_id: saleId,
          agent_id: scenario.seller.agentId ?? '',
          attempt: n,
          method: 'manual',
          amount_cents: 1_00,
          status: 'failed',
          idempotency_key: `payout:${saleId}:${n}`,
          livemode: false,
          destination: '{}',
          sources: '[]',
          ...values,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
    await attempt(1, { bank_reference: 'WIRE 1', failure_reason: 'The account was closed.' });
    const { id: payout_id } = await attempt(2, { method: 'stripe', failure_reason: 'It came back.' });
    for (const provider_ref of ['tr_1', 'tr_2'])
      await db
        .q()
        .insertInto('payout_items')
        .values({ payout_id, provider_ref, amount_cents: 50, status: 'returned' })
        .execute();
    await db
      .q()
      .insertInto('provider_events')
      .values({
        provider: 'stripe',
        event_id: randomUUID(),
        event_type: 'transfer.reversed',
        payload: '{}',
        payout_key: `payout:${saleId}:2`,
      })
      .execute();
    await db
      .q()
      .updateTable('property_sales')
      .set({ payout_status: 'failed' })
      .where('id', '=', saleId)
      .execute();
    const sale = await details(saleId);
    expect(sale.payouts.map(({ reference }) => reference)).toEqual(['tr_1, tr_2', 'WIRE 1']);
    expect(sale.failureReason).toBe('It came back.');
    expect(sale.messages.messages).toContainEqual(
      expect.objectContaining({
        type: 'transfer.reversed',
        reference: `payout:${saleId}:2`,
        sale: expect.objectContaining({ id: saleId }),
      }),
    );
  });
});
