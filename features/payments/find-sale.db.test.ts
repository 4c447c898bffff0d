import { CompiledQuery, sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { databaseWithInterceptor } from '#tests/support/database/query-interception.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { processMessages } from './commands/process-messages.ts';

await describeOnDatabase('the sale that a message is about', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  beforeAll(async () => {
    db = await open();
    scenario = await createSaleScenario(db);
  });
  afterAll(() => db.close());

  it('is found by index, however many sales there are', async () => {
    const saleId = await scenario.createPaidSale();
    const { provider_payment_id } = await scenario.sale(saleId);
    await db
      .q()
      .insertInto('provider_events')
      .values({
        provider: 'sandbox-card',
        event_id: `evt_${saleId}`,
        event_type: 'refund.updated',
        ref: `cs_of_another_${saleId}`,
        payment_ref: provider_payment_id,
        payload: '{}',
        received_at: scenario.clock.now(),
        next_attempt_at: scenario.clock.now(),
      })
      .execute();
    const finding: { text: string; values: unknown[] }[] = [];
    const watched = databaseWithInterceptor(db, (run) => async (text, values = []) => {
      if (/property_sales[\s\S]*provider_session_id"? =[\s\S]*sale_tranches/.test(text))
        finding.push({ text, values });
      return run(text, values);
    });
    scenario.clock.advance(60_000);
    await processMessages({ ...scenario.system, db: watched });
    const { status } = await db
      .q()
      .selectFrom('provider_events')
      .select('status')
      .where('event_id', '=', `evt_${saleId}`)
      .executeTakeFirstOrThrow();
    expect(status).toBe('processed');
    const [statement] = finding;
    const plan = await db.tx(async () => {
      // The tables of a test are so small that reading them whole would be as cheap.
      await sql`set local enable_seqscan = off`.execute(db.q());
      const { rows } = await db
        .q()
        .executeQuery(CompiledQuery.raw(`explain ${statement?.text}`, statement?.values ?? []));
      return JSON.stringify(rows);
    });
    expect(plan).toContain('property_sales_session');
    expect(plan).toContain('sale_tranches_provider_ref');
    expect(plan).not.toMatch(/Seq Scan on (property_sales|sale_tranches)|Filter[^"]*provider_payment_id/);
  });
});
