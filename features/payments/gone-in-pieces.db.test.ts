import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { checkLedger } from '#features/ledger/reads.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { type SaleAtProvider, saleAtProvider } from '#tests/support/fixtures/sale-at-provider.ts';
import { chargeFees, createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { acceptMismatch } from './commands/decide-mismatch.ts';
import { recognizeRefund } from './commands/recognize-refund.ts';
import { refundSale } from './commands/refund-sale.ts';
import { sweepSales } from './commands/sweep-sales.ts';

const [PRICE, FEES] = [300_000_00, 4_995_00] as const;

await describeOnDatabase('a payment in escrow of which the last part goes back', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  let sale: SaleAtProvider;
  beforeAll(async () => {
    db = await open();
    await chargeFees(db);
  });
  afterAll(() => db.close());
  beforeEach(async () => {
    scenario = await createSaleScenario(db);
    sale = await saleAtProvider(scenario, PRICE);
    await sale.providerSays();
  });

  const admin = () => scenario.contextFor(scenario.admin);

  /** The sale is over, and not released to the seller with nothing in it. */
  async function expectEnded() {
    const { saleId, propertyId } = sale;
    expect(await sale.balances()).toEqual({});
    scenario.clock.advance(30 * DAY);
    await sweepSales(scenario.system);
    expect(await scenario.state(saleId)).toBe('refunded/cancelled/');
    expect(await scenario.propertyStatus(propertyId)).toBe('Active');
    expect((await scenario.events(saleId)).at(-1)).toBe('settle_refund');
    expect(await scenario.mailsTo(scenario.buyer.email)).toContain(
      'Your payment for 48 Larkspur Lane was refunded',
    );
    expect(await checkLedger(scenario.system)).toEqual([]);
    const { rows: mails } = await db.pool.query<{ text_body: string }>(
      `select text_body from mail_outbox where subject = any($1) and idempotency_key like $2`,
      [
        [
          'Your payment for 48 Larkspur Lane was refunded',
          'The payment for 48 Larkspur Lane was refunded',
          'Your refund for 48 Larkspur Lane was sent',
          'The refund for 48 Larkspur Lane was sent',
        ],
        `sale:${saleId}:%`,
      ],
    );
    expect(mails).toHaveLength(2);
    for (const { text_body } of mails)
      expect(text_body.replace(/\s+/g, ' ')).toContain(
        'The sale has ended, and the property is for sale again.',
      );
  }

  it('by a refund made at the provider that was recognized before it had arrived', async () => {
    const { saleId } = sale;
    await scenario.act(scenario.seller, saleId, 'deliver_documents');
    await sale.providerSays({ refunds: [sale.refund('pending')] });
    expect(await recognizeRefund(admin(), { saleId, note: 'Agreed by phone.' })).toEqual({ ok: true });
    expect(await scenario.state(saleId)).toBe('completed/in_escrow/');
    await sale.providerSays({ refunds: [sale.refund('succeeded')] });
    await expectEnded();
  });

  it('by a refund that was under way when a dispute took the rest', async () => {
    const { saleId } = sale;
    await scenario.act(scenario.seller, saleId, 'deliver_documents');
    const part = { baseCents: 100_000_00, feesCents: FEES };
    const order = { saleId, ...part, reason: 'The roof leaks.', idempotencyKey: 'one click' };
    expect(await refundSale(admin(), order)).toMatchObject({ ok: true });
    const sent = { key: `refund:${saleId}:0`, amountCents: 100_000_00 + FEES };
    const disputes = [sale.dispute('lost', { amountCents: 200_000_00 })];
    await sale.providerSays({ refunds: [sale.refund('pending', sent)] });
    await sale.providerSays({ disputes });
    expect(await scenario.state(saleId)).toBe('completed/in_escrow/');
    await sale.providerSays({ refunds: [sale.refund('succeeded', sent)] });
    await expectEnded();
  });

  it('by a refund of all that had been paid of the price beside a dispute, when the payment had been accepted too small', async () => {
    sale = await saleAtProvider(scenario, PRICE);
    const { saleId } = sale;
    await sale.providerSays({ amountCents: PRICE + FEES - 25_00 });
    expect(await acceptMismatch(admin(), { saleId, note: 'A fee of the bank.' })).toEqual({ ok: true });
    await scenario.act(scenario.seller, saleId, 'deliver_documents');
    const part = { baseCents: 100_000_00, feesCents: FEES };
    const order = { saleId, ...part, reason: 'The roof leaks.', idempotencyKey: 'another click' };
    expect(await refundSale(admin(), order)).toMatchObject({ ok: true });
    const sent = { key: `refund:${saleId}:0`, amountCents: 100_000_00 + FEES };
    await sale.providerSays({ refunds: [sale.refund('pending', sent)] });
    await sale.providerSays({ disputes: [sale.dispute('lost', { amountCents: 200_000_00 - 25_00 })] });
    expect(await scenario.state(saleId)).toBe('completed/in_escrow/');
    await sale.providerSays({ refunds: [sale.refund('succeeded', sent)] });
    await expectEnded();
  });
});
