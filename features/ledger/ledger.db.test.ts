import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { closeSandboxDispute, disputeSandbox } from '#gateways/payments/sandbox/disputes.ts';
import type { Database } from '#platform/db/database.ts';
import { HOUR } from '#platform/durations.ts';
import { describeOnEachDatabase } from '#tests/support/database/test-database.ts';
import { chargeFees, createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { ensureProviderAccount } from './commands/ensure-provider-account.ts';
import { postEntry } from './commands/post-entry.ts';
import type { Posting } from './model.ts';
import { checkLedger, ledgerChecks } from './reads.ts';

const entry = (
  key: string,
  saleId: string,
  providerAccountId: string | null,
  ...lines: [Posting['account'], number][]
) => ({
  key,
  kind: 'L5' as const,
  saleId,
  providerAccountId,
  memo: 'A test',
  postings: lines.map(([account, cents]) => ({ account, cents })),
});

await describeOnEachDatabase('the ledger', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  let saleId: string;
  beforeAll(async () => {
    db = await open();
    await chargeFees(db);
  });
  beforeEach(async () => {
    scenario = await createSaleScenario(db);
    saleId = await scenario.createPaidSale();
  });
  afterAll(() => db.close());

  const run = (statement: string) => sql.raw(statement).execute(db.q());
  const accountOf = async (id: string) => (await scenario.sale(id)).provider_account_id;
  const post = async (key: string, id: string, ...lines: [Posting['account'], number][]) => {
    const account = await accountOf(id);
    return db.tx(() => postEntry(scenario.system, entry(key, id, account, ...lines)));
  };

  describe('writing', () => {
    it('posts an entry once by its key', async () => {
      const lines = [
        ['write_offs', 5],
        ['clearing', -5],
      ] as [Posting['account'], number][];
      expect(await post('once', saleId, ...lines)).toBe(true);
      expect(await post('once', saleId, ...lines)).toBe(false);
      expect((await scenario.accountBalances(saleId)).write_offs).toBe(5);
    });

    it('is for the system only, inside a transaction, and must balance', async () => {
      const good = entry('good', saleId, await accountOf(saleId), ['disputed', 5], ['clearing', -5]);
      await expect(db.tx(() => postEntry(scenario.contextFor(scenario.admin), good))).rejects.toThrow(
        'Not authorized',
      );
      await expect(postEntry(scenario.system, good)).rejects.toThrow('outside a transaction');
      await expect(post('bad', saleId, ['disputed', 5], ['clearing', -4])).rejects.toThrow(
        'add up to 1 cents',
      );
      await expect(
        db.tx(() => postEntry(scenario.system, { ...good, providerAccountId: null })),
      ).rejects.toThrow('names no provider account');
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
      const held = -((await scenario.accountBalances(saleId)).escrow_held ?? 0);
      await expect(
        post('too much', saleId, ['escrow_held', held + 1], ['clearing', -held - 1]),
      ).rejects.toThrow('more than is held leaves escrow_held');
      expect(await post('all', saleId, ['escrow_held', held], ['clearing', -held])).toBe(true);
      await post('back', saleId, ['escrow_held', -held], ['clearing', held]);
      await expect(post('fees', saleId, ['fees_held', 99_999_99], ['clearing', -99_999_99])).rejects.toThrow(
        'more than is held leaves fees_held',
      );
    });

    it('the database itself demands a provider account for clearing, and none elsewhere; the old account is closed', async () => {
      const account = await accountOf(saleId);
      const line = (code: string, of: string | null) =>
        run(`insert into ledger_postings (entry_id, account, amount_cents, provider_account_id)
          select max(id), '${code}', 1, ${of ? `'${of}'` : 'null'} from ledger_entries`);
      await expect(line('clearing', null)).rejects.toThrow('names_provider_account');
      await expect(line('disputed', account)).rejects.toThrow('names_provider_account');
      await expect(line('provider_clearing', null)).rejects.toThrow('provider_clearing_closed');
    });

    it('an account of a provider gets its name once', async () => {
      const { provider } = await scenario.sale(saleId);
      const of = (account: string) =>
        ensureProviderAccount(scenario.system, { provider, livemode: true, account });
      const first = await of('acct_1');
      expect(await of('acct_1')).toBe(first);
      expect(await of('acct_2')).not.toBe(first);
      await run(`insert into provider_accounts (provider, livemode) values ('stripe', true)`);
      const named = await ensureProviderAccount(scenario.system, {
        provider: 'stripe',
        livemode: true,
        account: 'acct_1',
      });
      expect(
        await ensureProviderAccount(scenario.system, {
          provider: 'stripe',
          livemode: true,
          account: 'acct_1',
        }),
      ).toBe(named);
      await expect(
        run(`update provider_accounts set account_ref = 'x' where id = '${named}'`),
      ).rejects.toThrow('is fixed');
      await expect(run(`delete from provider_accounts where id = '${named}'`)).rejects.toThrow('is fixed');
      await expect(
        run(`update property_sales set provider_account_id = '${named}' where id = '${saleId}'`),
      ).rejects.toThrow('are fixed');
    });

    it.each([
      'update ledger_postings set amount_cents = amount_cents * 2',
      'delete from ledger_postings',
      'truncate ledger_postings cascade',
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
          found.push(...(await checkLedger(scenario.system)).map(({ check }) => check));
          throw new Error('take it back');
        })
        .catch((error: unknown) => {
          if (!(error instanceof Error) || error.message !== 'take it back') throw error;
        });
      return [...new Set(found)];
    };

    it('finds nothing wrong with correct sales in every state', async () => {
      const closed = await scenario.createPaidSale();
      await scenario.act(scenario.buyer, closed, 'confirm_closing');
      const cancelled = await scenario.createPaidSale();
      await scenario.act(scenario.admin, cancelled, 'cancel_sale');
      // Closed, refunded whole, and put up for sale again: the property is no longer its own.
      const refunded = await scenario.createPaidSale();
      await scenario.act(scenario.buyer, refunded, 'confirm_closing');
      const { provider_session_id, property_id } = await scenario.sale(refunded);
      await disputeSandbox(db, provider_session_id ?? '', scenario.clock.now());
      await closeSandboxDispute(db, provider_session_id ?? '', 'lost', scenario.clock.now());
      await scenario.sync(refunded);
      for (const status of ['Active', 'pending', 'withdrawn', 'escrow']) {
        await run(`update properties set status = '${status}' where id = '${property_id}'`);
        expect(await checkLedger(scenario.system)).toEqual([]);
      }
      const { saleId: left } = await scenario.checkout(scenario.buyer, await scenario.createListing());
      await scenario.settle();
      scenario.clock.advance(HOUR);
      await scenario.settle();
      expect(await scenario.state(cancelled)).toBe('refunded/cancelled/');
      expect(await scenario.state(refunded)).toBe('refunded/completed/pending');
      expect(await scenario.state(left)).toBe('failed/cancelled/');
      expect(await checkLedger(scenario.contextFor(scenario.admin))).toEqual([]);
      await expect(checkLedger(scenario.contextFor(scenario.seller))).rejects.toThrow('Not authorized');
    });

    it('finds every kind of inconsistency', async () => {
      const closed = await scenario.createPaidSale();
      await scenario.act(scenario.buyer, closed, 'confirm_closing');
      const of = (key: string, sale: string) =>
        `(select id from ledger_entries where sale_id = '${sale}' and idempotency_key = '${key}:${sale}')`;
      const postTo = (sale: string, kind: string, ...lines: [string, number][]) => [
        `insert into ledger_entries (idempotency_key, kind, sale_id) values ('seeded', '${kind}', '${sale}')`,
        ...lines.map(
          ([
            account,
            cents,
          ]) => `insert into ledger_postings (entry_id, account, amount_cents, provider_account_id)
            select e.id, '${account}', ${cents}, ${account === 'clearing' ? 's.provider_account_id' : 'null'}
            from ledger_entries e join property_sales s on s.id = e.sale_id where e.idempotency_key = 'seeded'`,
        ),
      ];
      const post = (kind: string, ...lines: [string, number][]) => postTo(saleId, kind, ...lines);
      const seeded: [violations: string[], expected: string[]][] = [
        [
          [
            `update ledger_postings set amount_cents = amount_cents + 1 where entry_id = ${of('paid', saleId)} and account = 'clearing'`,
          ],
          ['every entry balances'],
        ],
        [post('L9', ['escrow_held', 1], ['write_offs', -1]), ['what is held', 'what a sale has returned']],
        [
          post('L9', ['fees_held', 99_999_999], ['write_offs', -99_999_999]),
          ['what is held', 'nothing is held below zero', 'what a sale has returned'],
        ],
        [post('L6', ['write_offs', 5], ['suspense', -5]), ['money in suspense']],
        [
          post('L6', ['write_offs', -5], ['suspense', 5]),
          ['nothing is held below zero', 'money in suspense'],
        ],
        [
          [`update ledger_entries set idempotency_key = 'gone' where id = ${of('paid', saleId)}`],
          ['a paid sale'],
        ],
        [
          [`update ledger_entries set idempotency_key = 'gone' where id = ${of('released', closed)}`],
          ['a released sale'],
        ],
        [postTo(closed, 'L9', ['seller_receivable', 5], ['seller_payable', -5]), ['a seller both']],
        [
          postTo(closed, 'L3', ['seller_payable', 5], ['bank', -5]),
          ['sellers are owed', 'payouts have sent'],
        ],
        [
          postTo(closed, 'L7', ['seller_offsets', 5], ['seller_receivable', -5]),
          ['sellers are owed', 'no one is owed', 'what is set off'],
        ],
        [
          [
            `insert into payouts (sale_id, agent_id, amount_cents, method, destination, idempotency_key, status)
              values ('${closed}', '${scenario.seller.agentId}', 0, 'manual', 'x', 'x', 'completed')`,
            `update property_sales set payout_status = 'completed' where id = '${closed}'`,
          ],
          ['a seller who has been paid'],
        ],
        [
          post('L9', ['write_offs', 5], ['seller_receivable', -5]),
          ['the share of a seller', 'what a sale has returned', 'sellers are owed', 'no one is owed'],
        ],
        [[`update property_sales set payout_status = null where id = '${closed}'`], ['a released sale says']],
        [
          [
            `insert into payouts (sale_id, agent_id, amount_cents, method, destination, idempotency_key)
              values ('${closed}', '${scenario.seller.agentId}', 5, 'manual', 'x', 'x')`,
          ],
          ['payouts in transit'],
        ],
        [[`update transaction_fees set amount_applied_cents = 1 where sale_id = '${saleId}'`], ['the fees']],
        [
          [`update property_sales set returned_fees_cents = 1 where id = '${saleId}'`],
          ['what is held', 'what a sale has returned'],
        ],
        [
          [
            `insert into refunds (sale_id, amount_cents, base_cents, fees_cents, reason, status, idempotency_key)
              values ('${saleId}', 5, 5, 0, 'x', 'succeeded', 'x')`,
          ],
          ['every refund'],
        ],
        [
          [
            `update property_sales set stripe_payment_status = 'refunded', escrow_status = 'cancelled' where id = '${saleId}'`,
          ],
          ['a refunded sale'],
        ],
        [post('L5', ['disputed', 5], ['write_offs', -5]), ['disputed money']],
        [
          [
            `insert into disputes (sale_id, provider_ref, kind, status, amount_cents, withdrawn_cents, reason)
              values ('${saleId}', 'dp_seeded', 'chargeback', 'lost', 5, 5, 'x')`,
            ...post('L5', ['disputed', 5], ['write_offs', -5]),
          ],
          ['disputed money'],
        ],
        [
          [
            "insert into provider_accounts (provider, livemode, account_ref) values ('other', false, 'x')",
            `update ledger_postings set provider_account_id = (select id from provider_accounts where provider = 'other')
              where entry_id = ${of('paid', saleId)} and account = 'clearing'`,
          ],
          ['clearing is posted'],
        ],
        [
          [
            'alter table ledger_postings drop constraint ledger_postings_provider_clearing_closed',
            ...post('L9', ['provider_clearing', 5], ['write_offs', -5]),
          ],
          ['the closed clearing account'],
        ],
        [
          [
            'drop index property_sales_one_live',
            `update property_sales set property_id = (select property_id from property_sales where id = '${closed}') where id = '${saleId}'`,
          ],
          ['a property is sold once', 'a property in escrow'],
        ],
        [
          [
            `update properties set status = 'Active' where id = (select property_id from property_sales where id = '${saleId}')`,
          ],
          ['a property in escrow'],
        ],
        [
          [
            `update properties set status = 'Active' where id = (select property_id from property_sales where id = '${closed}')`,
          ],
          ['a property in escrow'],
        ],
      ];
      const unseen = new Set(ledgerChecks());
      for (const [violations, expected] of seeded) {
        const found = await findings(...violations);
        expect(
          found.map((check) => expected.find((start) => check.startsWith(start)) ?? check).sort(),
        ).toEqual(expected.toSorted());
        for (const check of found) unseen.delete(check);
      }
      expect([...unseen]).toEqual([]);
      expect(await checkLedger(scenario.system)).toEqual([]);
    });
  });
});
