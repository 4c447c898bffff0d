import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkLedger } from '#features/ledger/reads.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { createSaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { runRandomBookings } from './operations.ts';

// R4: the books balance. The full size is `npm run soak -- books`.

await describeOnDatabase(
  'random operations on the books',
  (open) => {
    let db: Database;
    beforeEach(async () => {
      db = await open();
    });
    afterEach(() => db.close());

    it('preserve every invariant, and the books say what the provider says', async () => {
      expect(await runRandomBookings(db, { size: 600, seed: 1 })).toEqual({ trials: 600, findings: [] });
    });

    it('without the balance trigger an unbalanced entry gets in, and the check finds it', async () => {
      const scenario = await createSaleScenario(db);
      const saleId = await scenario.createPaidSale();
      const lopsided = sql`with entry as (insert into ledger_entries (idempotency_key, kind, sale_id)
        values ('lopsided', 'L5', ${saleId}) returning id)
      insert into ledger_postings (entry_id, account, amount_cents) select id, 'write_offs', 7 from entry`;
      await expect(lopsided.execute(db.q())).rejects.toThrow('does not balance');
      expect(await checkLedger(scenario.system)).toEqual([]);
      await sql`drop trigger ledger_postings_balance on ledger_postings`.execute(db.q());
      await sql`drop trigger ledger_entries_balance on ledger_entries`.execute(db.q());
      await lopsided.execute(db.q());
      expect(await checkLedger(scenario.system)).toEqual([
        {
          check: 'every entry balances and has at least two postings',
          subject: expect.any(String),
          detail: '7 cents in 1 postings',
        },
      ]);
    });
  },
  { timeout: 180_000 },
);
