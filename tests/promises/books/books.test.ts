import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkLedger } from '#features/ledger/reads.ts';
import type { Database } from '#platform/db/database.ts';
import { freshDatabase } from '#tests/support/database.ts';
import { saleBench } from '#tests/support/sale-bench.ts';
import { randomBooks } from './operations.ts';

// R4: the books balance. The whole size is `npm run soak -- books`.

describe('random operations on the books (embedded)', { timeout: 180_000 }, () => {
  let db: Database;
  beforeEach(async () => {
    db = await freshDatabase('embedded');
  });
  afterEach(() => db.close());

  it('leave every invariant, and a model of the sums, as it must be', async () => {
    expect(await randomBooks(db, { size: 2_000, seed: 1 })).toEqual({ trials: 2_000, findings: [] });
  });

  it('without the balance trigger a lopsided entry gets in, and the check finds it', async () => {
    const bench = await saleBench(db);
    const saleId = await bench.inEscrow();
    const lopsided = sql`with entry as (insert into ledger_entries (idempotency_key, kind, sale_id)
        values ('lopsided', 'L5', ${saleId}) returning id)
      insert into ledger_postings (entry_id, account, amount_cents) select id, 'disputed', 7 from entry`;
    await expect(lopsided.execute(db.q())).rejects.toThrow('does not balance');
    expect(await checkLedger(bench.system)).toEqual([]);
    await sql`drop trigger ledger_postings_balance on ledger_postings`.execute(db.q());
    await sql`drop trigger ledger_entries_balance on ledger_entries`.execute(db.q());
    await lopsided.execute(db.q());
    expect(await checkLedger(bench.system)).toEqual([
      {
        check: 'every entry balances and has at least two postings',
        subject: expect.any(String),
        detail: '7 cents in 1 postings',
      },
    ]);
  });
});
