import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { HOUR } from '#platform/durations.ts';
import { describeOnEachDatabase } from '#tests/support/database/test-database.ts';
import { chargeFees, createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { postEntry } from './commands/post-entry.ts';
import type { Posting } from './model.ts';
import { checkLedger, ledgerChecks } from './reads.ts';

const entry = (key: string, saleId: string, ...lines: [Posting['account'], number][]) => ({
  key,
  kind: 'L5' as const,
  saleId,
  memo: 'A test',
  postings: lines.map(([account, cents]) => ({ account, cents })),
});

await describeOnEachDatabase('the ledger', (open) => {
  let db: Database;
  let bench: SaleScenario;
  let saleId: string;
  beforeAll(async () => {
    db = await open();
    await chargeFees(db);
  });
  beforeEach(async () => {
    bench = await createSaleScenario(db);
    saleId = await bench.createPaidSale();
  });
  afterAll(() => db.close());

  const run = (statement: string) => sql.raw(statement).execute(db.q());
  const post = (...input: Parameters<typeof entry>) => db.tx(() => postEntry(bench.system, entry(...input)));

  describe('writing', () => {
    it('posts an entry once by its key', async () => {
      const lines = [
        ['disputed', 5],
        ['clearing', -5],
      ] as [Posting['account'], number][];
      expect(await post('once', saleId, ...lines)).toBe(true);
      expect(await post('once', saleId, ...lines)).toBe(false);
      expect((await bench.accountBalances(saleId)).disputed).toBe(5);
    });

    it('is for the system only, inside a transaction, and must balance', async () => {
      const good = entry('good', saleId, ['disputed', 5], ['clearing', -5]);
      await expect(db.tx(() => postEntry(bench.contextFor(bench.admin), good))).rejects.toThrow(
        'Not authorized',
      );
      await expect(postEntry(bench.system, good)).rejects.toThrow('outside a transaction');
      await expect(post('bad', saleId, ['disputed', 5], ['clearing', -4])).rejects.toThrow(
        'add up to 1 cents',
      );
    });

    it('the database itself refuses an unbalanced entry on commit (R4)', async () => {
      const lopsided = db.tx(async () => {
        await run(
          `insert into ledger_entries (idempotency_key, kind, sale_id) values ('x', 'L5', '${saleId}')`,
        );
        await run(
          "insert into ledger_postings (entry_id, account, amount_cents) select max(id), 'disputed', 7 from ledger_entries",
        );
      });
      await expect(lopsided).rejects.toThrow('does not balance');
      const empty = run(
        `insert into ledger_entries (idempotency_key, kind, sale_id) values ('y', 'L5', '${saleId}')`,
      );
      await expect(empty).rejects.toThrow('does not balance');
    });

    it('the database itself lets no more money leave a sale than is held for it', async () => {
      const held = -((await bench.accountBalances(saleId)).escrow_held ?? 0);
      await expect(
        post('too much', saleId, ['escrow_held', held + 1], ['clearing', -held - 1]),
      ).rejects.toThrow('more than is held leaves escrow_held');
      expect(await post('all', saleId, ['escrow_held', held], ['clearing', -held])).toBe(true);
      await post('back', saleId, ['escrow_held', -held], ['clearing', held]);
      await expect(post('fees', saleId, ['fees_held', 99_999_99], ['clearing', -99_999_99])).rejects.toThrow(
        'more than is held leaves fees_held',
      );
    });

    it.each([
      'update ledger_postings set amount_cents = amount_cents * 2',
      'delete from ledger_postings',
      'truncate ledger_postings',
      "update ledger_entries set memo = 'x'",
      'delete from ledger_entries',
      'truncate ledger_entries cascade',
      "update sale_events set note = 'x'",
      'delete from sale_events',
      'truncate sale_events',
      'update property_sales set sale_price_cents = sale_price_cents + 1',
      'update property_sales set admin_percentage = 1',
      'update property_sales set agent_commission_cents = 0',
      'delete from property_sales',
      'truncate property_sales cascade',
      'update transaction_fees set amount_applied_cents = 0',
      'delete from transaction_fees',
      'truncate transaction_fees',
      'truncate audit_log',
    ])('records are immutable: %s', async (statement) => {
      await expect(run(statement)).rejects.toThrow(/never (changed|emptied)|are fixed/);
    });
  });

  describe('checking', () => {
    /** Corrupts the ledger with its triggers disabled, runs the checks, and rolls back. */
    const findings = async (...breaks: string[]) => {
      const found: string[] = [];
      await db
        .tx(async () => {
          await sql`set local session_replication_role = replica`.execute(db.q());
          for (const statement of breaks) await run(statement);
          found.push(...(await checkLedger(bench.system)).map(({ check }) => check));
          throw new Error('take it back');
        })
        .catch((error: unknown) => {
          if (!(error instanceof Error) || error.message !== 'take it back') throw error;
        });
      return [...new Set(found)];
    };

    it('finds nothing wrong with correct sales in every state', async () => {
      const closed = await bench.createPaidSale();
      await bench.act(bench.buyer, closed, 'confirm_closing');
      const cancelled = await bench.createPaidSale();
      await bench.act(bench.admin, cancelled, 'cancel_sale');
      const { saleId: left } = await bench.checkout(bench.buyer, await bench.createListing());
      await bench.settle();
      bench.clock.advance(HOUR);
      await bench.settle();
      expect(await bench.state(cancelled)).toBe('refunded/cancelled/');
      expect(await bench.state(left)).toBe('failed/cancelled/');
      expect(await checkLedger(bench.contextFor(bench.admin))).toEqual([]);
      await expect(checkLedger(bench.contextFor(bench.seller))).rejects.toThrow('Not authorized');
    });

    it('finds every kind of inconsistency', async () => {
      const closed = await bench.createPaidSale();
      await bench.act(bench.buyer, closed, 'confirm_closing');
      const of = (kind: string, sale: string) =>
        `(select id from ledger_entries where sale_id = '${sale}' and idempotency_key like '${kind}:%')`;
      const found = [
        await findings(
          `update ledger_postings set amount_cents = amount_cents + 1 where entry_id = ${of('paid', saleId)} and account = 'clearing'`,
        ),
        await findings(
          `update ledger_postings set amount_cents = amount_cents + 1 where entry_id = ${of('paid', saleId)} and account = 'escrow_held'`,
        ),
        await findings(
          `update ledger_postings set amount_cents = 1 where entry_id = ${of('paid', saleId)} and account = 'fees_held'`,
        ),
        await findings(`update ledger_entries set idempotency_key = 'gone' where id = ${of('paid', saleId)}`),
        await findings(`update ledger_entries set kind = 'L5' where id = ${of('released', closed)}`),
        await findings(`update property_sales set payout_status = null where id = '${closed}'`),
        await findings(`insert into payouts (sale_id, agent_id, amount_cents, method, destination, idempotency_key)
          values ('${closed}', '${bench.seller.agentId}', 5, 'manual', 'x', 'x')`),
        await findings(`update transaction_fees set amount_applied_cents = 1 where sale_id = '${saleId}'`),
        await findings(
          `update property_sales set stripe_payment_status = 'refunded', escrow_status = 'cancelled' where id = '${saleId}'`,
        ),
        await findings(
          'drop index property_sales_one_live',
          `update property_sales set property_id = (select property_id from property_sales where id = '${closed}') where id = '${saleId}'`,
        ),
        await findings(
          `update properties set status = 'Active' where id = (select property_id from property_sales where id = '${saleId}')`,
        ),
      ];
      const [entries, held, zero, paid, released, owed, transit, fees, refunded, once, says] = ledgerChecks();
      expect(found[0]).toEqual([entries]);
      expect(found[1]).toEqual([entries, held]);
      expect(found[2]).toEqual([entries, held, zero]);
      expect(found[3]).toEqual([paid]);
      expect(found[4]).toEqual([released]);
      expect(found[5]).toEqual([owed]);
      expect(found[6]).toEqual([transit]);
      expect(found[7]).toEqual([fees]);
      expect(found[8]).toEqual([held, refunded]);
      expect(found[9]).toEqual([once, says]);
      expect(found[10]).toEqual([says]);
      expect(await checkLedger(bench.system)).toEqual([]);
    });
  });
});
