import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { saleAtProvider } from '#tests/support/fixtures/sale-at-provider.ts';
import { createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { acceptMismatch } from './commands/decide-mismatch.ts';

await describeOnDatabase('a shortfall that waits for a second administrator', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  beforeAll(async () => {
    db = await open();
    scenario = await createSaleScenario(db);
  });
  afterAll(() => db.close());

  it('still waits after the second one was refused', async () => {
    const { saleId, providerSays } = await saleAtProvider(scenario, 300_000_00);
    await providerSays({ amountCents: 295_000_00 });
    const accept = (who: typeof scenario.admin) =>
      acceptMismatch(scenario.contextFor(who), { saleId, note: 'Agreed with the bank.' });
    const waiting = async () => {
      const rows = await db
        .q()
        .selectFrom('break_approvals as a')
        .innerJoin('breaks as b', 'b.id', 'a.break_id')
        .select('a.decision')
        .where('b.sale_id', '=', saleId)
        .execute();
      return rows.map(({ decision }) => decision);
    };
    expect(await accept(scenario.admin)).toEqual({ ok: true, awaitingApproval: true });
    await db
      .q()
      .insertInto('disputes')
      .values({
        sale_id: saleId,
        kind: 'chargeback',
        reason: '',
        provider_ref: `dp_${saleId}`,
        amount_cents: 1_00,
      })
      .execute();
    const second = await createUser(db, 'admin');
    expect(await accept(second)).toMatchObject({ ok: false });
    expect(await waiting()).toEqual([null]);
    await db.q().deleteFrom('disputes').where('sale_id', '=', saleId).execute();
    expect(await accept(second)).toEqual({ ok: true });
    expect(await waiting()).toEqual(['approved']);
    const decisions = db.q().selectFrom('audit_log').select(['actor_id', 'after']);
    expect(await decisions.where('action', '=', 'break.decide_write_off').execute()).toEqual([
      { actor_id: second.id, after: { decision: 'approved', amountCents: 5_000_00 } },
    ]);
  });
});
