import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { migrate, migrateTo } from '#platform/db/migrate.ts';
import { createEmptyDatabase } from '#tests/support/database/empty-database.ts';
import { serverIsReachable } from '#tests/support/database/test-database.ts';
import { SANDBOX_SECRET } from '#tests/support/providers/sandbox-harness.ts';
import { createSandbox } from './provider.ts';

const NOW = new Date('2026-11-20T12:00:00Z');

describe('the migration to books of the sandbox', () => {
  let db: Database;
  let close = async () => {};
  beforeAll(async () => {
    const own = (await serverIsReachable()) ? await createEmptyDatabase() : null;
    db = await openDatabase({ url: own?.url, dataDir: null });
    close = async () => {
      await db.close();
      await own?.drop();
    };
    await migrateTo(db, '0020_admin_tasks');
    const dispute = (status: string) =>
      JSON.stringify({
        ref: `dp_${status}`,
        status,
        amountCents: 1_000,
        reason: 'fraudulent',
        evidenceDueAt: NOW,
      });
    const checkout = (ref: string, method: string, paid: boolean, disputed: string | null = null) =>
      sql`insert into sandbox_checkouts (ref, rail, sale_id, request, amount_cents, status, paid_by, payment_ref, fee_cents,
          settle_after_ms, expires_at, paid_at, dispute, created_at)
        values (${ref}, ${method}, ${`sale ${ref}`}, '{}', 1000, ${paid ? 'paid' : 'open'}, ${paid ? 'card' : null},
          ${paid && method === 'card' ? `pi_${ref}` : null}, ${paid ? 30 : null}, 0, ${NOW}, ${paid ? NOW : null},
          ${disputed === null ? null : dispute(disputed)}, ${NOW})`.execute(db.q());
    const refund = (ref: string, of: string, status: string) =>
      sql`insert into sandbox_refunds (ref, checkout_ref, amount_cents, status, reason, key, settle_at, created_at)
        values (${ref}, ${of}, 400, ${status}, 'canceled', ${ref}, ${NOW}, ${NOW})`.execute(db.q());
    await checkout('open', 'card', false);
    await checkout('paid', 'card', true);
    await checkout('chain', 'crypto', true);
    for (const status of ['open', 'won', 'lost']) await checkout(`disputed_${status}`, 'card', true, status);
    for (const status of ['pending', 'succeeded', 'failed']) {
      await refund(`card_${status}`, 'paid', status);
      await refund(`chain_${status}`, 'chain', status);
    }
    await sql`insert into sandbox_keys (rail, key, fingerprint, created_at) values ('card', 'one', 'x', ${NOW})`.execute(
      db.q(),
    );
    await migrate(db);
  });
  afterAll(() => close());

  const sandbox = (method: 'card' | 'crypto') =>
    createSandbox({ db, method, secret: SANDBOX_SECRET, now: () => NOW, publicUrl: 'http://localhost:3000' });

  it('enters what was paid, given back and taken back, and changes no sum', async () => {
    // Four card payments, less two refunds that are out, less two disputes; one that was won came back.
    expect(await sandbox('card').balance()).toEqual({
      availableCents: 4 * 970 - 2 * 400 - 2 * 1_000,
      pendingCents: 0,
    });
    expect(await sandbox('crypto').balance()).toEqual({ availableCents: 970 - 400, pendingCents: 0 });
    const { transactions } = await sandbox('card').listTransactions({ since: new Date(0) });
    expect(new Set(transactions.map(({ ref }) => ref)).size).toBe(transactions.length);
    expect(transactions.find(({ objectRef }) => objectRef === 'card_pending')).toMatchObject({
      kind: 'refund',
      amountCents: -400,
      feeCents: 0,
      checkoutRef: 'paid',
      paymentRef: 'pi_paid',
      saleId: 'sale paid',
      at: NOW,
    });
  });

  it('keeps every dispute and key', async () => {
    for (const status of ['open', 'won', 'lost'])
      expect((await sandbox('card').getCheckout(`disputed_${status}`)).disputes).toEqual([
        {
          ref: `dp_${status}`,
          kind: 'chargeback',
          status,
          amountCents: 1_000,
          returnedCents: status === 'won' ? 1_000 : 0,
          feeCents: 0,
          reason: 'fraudulent',
          evidenceDueAt: status === 'open' ? NOW : null,
        },
      ]);
    const keys = await db.q().selectFrom('sandbox_keys').select(['key', 'account', 'livemode']).execute();
    expect(keys).toEqual([{ key: 'one', account: 'sandbox', livemode: false }]);
  });
});
