import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testClock } from '#tests/support/fixtures/context.ts';
import { createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { closeMonths } from './commands/close-months.ts';
import { statementOverview } from './reads.ts';

await describeOnDatabase('a statement that is read while its month is closed', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  const clock = testClock('2026-03-02T09:00:00Z');
  beforeAll(async () => {
    db = await open();
    scenario = await createSaleScenario(db, { clock });
  });
  afterAll(() => db.close());

  /** The database as seen by a reader during whose nth look at the closed months they are closed. */
  function closingAt(nth: number): Database {
    const asked = new WeakSet<object>();
    let looks = 0;
    const plugin: KyselyPlugin = {
      transformQuery({ node, queryId }) {
        if (JSON.stringify(node).includes('"closed_months"')) asked.add(queryId);
        return node;
      },
      async transformResult({ result, queryId }) {
        if (asked.has(queryId)) looks += 1;
        if (asked.has(queryId) && looks === nth) await closeMonths(scenario.system);
        return result;
      },
    };
    return { ...db, q: () => db.q().withPlugin(plugin) };
  }

  it.each([
    [1, '2026-03', '2026-04-01T03:00:00Z'],
    [2, '2026-04', '2026-05-01T03:00:00Z'],
    [3, '2026-05', '2026-06-01T03:00:00Z'],
  ])('shows all of it, closed at look %i', async (nth, month, at) => {
    clock.advance(Math.max(0, new Date(`${month}-02T09:00:00Z`).getTime() - clock.now().getTime()));
    const saleId = await scenario.createPaidSale();
    expect(await scenario.act(scenario.buyer, saleId, 'confirm_closing')).toEqual({ ok: true });
    clock.advance(new Date(at).getTime() - clock.now().getTime());
    const sound = scenario.contextFor(scenario.seller);
    const reader = { ...sound, db: closingAt(nth) };
    const seen = await statementOverview(reader, { month });
    const { statement, months } = await statementOverview(sound, { month });
    expect(statement.closed).toBe(true);
    expect(statement.lines).toHaveLength(1);
    expect(seen.statement).toMatchObject({
      openingCents: statement.openingCents,
      closingCents: statement.closingCents,
      lines: [{ kind: 'share' }],
    });
    expect(seen.months).toEqual(months);
  });
});
