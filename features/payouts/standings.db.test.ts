import { afterAll, beforeAll, expect, it } from 'vitest';
import { statementOverview } from '#features/statements/reads.ts';
import { decideAccount } from '#gateways/payouts/sandbox/accounts.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY, HOUR } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { connectStripe } from './commands/connect-stripe.ts';
import { startPayout } from './commands/start-payout.ts';
import { syncOwnAccount } from './commands/sync-seller-account.ts';
import { payoutStandings } from './reads.ts';

await describeOnDatabase('where a payout stands, as its seller sees it', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  let saleId: string;
  beforeAll(async () => {
    db = await open();
    scenario = await createSaleScenario(db);
    saleId = await scenario.createPaidSale();
  });
  afterAll(() => db.close());

  const ctx = () => scenario.contextFor(scenario.seller);
  const standing = async () => (await payoutStandings(ctx(), [saleId]))[saleId];
  const month = () => statementOverview(ctx(), {});

  it('nothing in escrow, then held until the payment is final and a method is set, then paid, as the statement says', async () => {
    expect(await standing()).toBeUndefined();
    await scenario.act(scenario.buyer, saleId, 'confirm_closing');
    expect(await standing()).toMatchObject({
      state: 'held',
      inSettings: true,
      text: 'Choose how you want to be paid.',
    });
    await connectStripe(ctx());
    expect(await standing()).toMatchObject({
      inSettings: true,
      text: expect.stringContaining('Stripe needs something'),
    });
    const { stripe_account_id: ref } = await db
      .q()
      .selectFrom('agents')
      .select('stripe_account_id')
      .where('id', '=', scenario.seller.agentId)
      .executeTakeFirstOrThrow();
    await decideAccount(db, ref ?? '', { active: true }, scenario.clock.now());
    await syncOwnAccount(ctx());
    expect(await standing()).toMatchObject({
      state: 'held',
      atLabel: 'Until',
      at: new Date(scenario.clock.now().getTime() + 7 * DAY).toISOString(),
    });
    scenario.clock.advance(7 * DAY + HOUR);
    expect(await standing()).toMatchObject({ state: 'ready', atLabel: null });
    expect(
      await payoutStandings(scenario.contextFor({ ...scenario.seller, agentId: null }), [saleId]),
    ).toEqual({});

    const started = await startPayout(
      scenario.contextFor({ ...scenario.admin, provedAt: scenario.clock.now() }),
      {
        saleId,
        runId: null,
        expectedCents: null,
      },
    );
    if (!started.ok) throw new Error(started.refusal);
    expect(await standing()).toMatchObject({ state: 'processing', amountCents: started.amountCents });
    expect((await month()).statement.lines.at(-1)).toMatchObject({
      kind: 'payout',
      balanceCents: 0,
      paidAt: null,
    });
    await db
      .q()
      .updateTable('payouts')
      .set({
        status: 'completed',
        paid_cents: started.amountCents,
        provider_ref: 'tr_1',
        settled_at: scenario.clock.now(),
      })
      .where('id', '=', started.payoutId)
      .execute();
    await db
      .q()
      .updateTable('property_sales')
      .set({ payout_status: 'completed' })
      .where('id', '=', saleId)
      .execute();
    const paid = await standing();
    expect(paid).toMatchObject({ state: 'paid', atLabel: 'Paid', reference: 'tr_1' });
    expect((await month()).statement.lines.at(-1)).toMatchObject({
      kind: 'payout',
      cents: -started.amountCents,
      reference: paid?.reference,
      paidAt: paid?.at,
      expectedAt: null,
    });
  });
});
