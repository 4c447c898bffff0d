import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { DEMO_PASSWORD } from '#features/accounts/model.ts';
import { recordBaseline } from '#features/audit/states.ts';
import { latestPeriod } from '#features/payout-schedule/periods.ts';
import type { Database } from '#platform/db/database.ts';
import { insertAll } from './insert.ts';
import { platformCommission } from './market/fees.ts';
import { AMENITIES } from './market/listings/amenities.ts';
import { type DemoMarket, demoMarket } from './market/market.ts';
import { payoutAccounts } from './market/payout-accounts.ts';
import { DEMO_INVITATION_TOKEN } from './market/people.ts';

interface LoadOptions {
  now: Date;
  /** returns the scrypt hash that sign-in compares with; called once, as all demo accounts share a password */
  hashPassword: (password: string) => Promise<string>;
  /** stores the documents of listings and closings; without it no documents are registered */
  storeFile?: (file: {
    key: string;
    body: Uint8Array;
    contentType: string;
    sha256: string;
  }) => Promise<unknown>;
}

/** Thrown when the database already has real accounts, which must not be mixed with demo data. */
export class DemoRefused extends Error {
  constructor(accounts: number) {
    super(
      `The demo market was not loaded: this database holds ${accounts} real ${accounts === 1 ? 'account' : 'accounts'}. ` +
        'Set DEMO=off, or use a database of its own for the demo market.',
    );
    this.name = 'DemoRefused';
  }
}

/** The setting that marks the demo market as loaded. It is written in the same transaction as the data. */
const MARKER = 'demo_market';

/**
 * Writes the demo market into a migrated database; does nothing when it is already loaded. Safe to call from several
 * processes at once.
 * @returns whether anything was written
 * @throws DemoRefused when the database has accounts that do not belong to the demo
 */
export async function loadDemoMarket(db: Database, options: LoadOptions): Promise<boolean> {
  if (await isLoaded(db)) return false;
  const market = demoMarket(options.now, createHash('sha256').update(DEMO_INVITATION_TOKEN).digest('hex'));
  const password = await options.hashPassword(DEMO_PASSWORD);
  const { storeFile } = options;
  // Files first: an unreferenced file is harmless, a document without its file is not.
  if (storeFile)
    for (const file of [...market.documents.files, ...market.ownership.files]) await storeFile(file);
  const loaded = await db.tx(async () => {
    await sql`select pg_advisory_xact_lock(hashtext('demo market'))`.execute(db.q());
    if (await isLoaded(db)) return false;
    await refuseRealAccounts(db);
    await writeAccounts(db, market, password);
    await writeListings(db, market);
    await writeSales(db, market);
    await writeConversations(db, market);
    await writeAttention(db, market);
    await writeDifferences(db, market);
    await writeOversight(db, market);
    await writeTours(db, market);
    if (storeFile) await writeDocuments(db, market);
    await db
      .q()
      .insertInto('platform_settings')
      .values([
        { setting_name: MARKER, setting_value: JSON.stringify({ day: market.calendar.midnight }) },
        // Whoever tries the demo can pay without asking somebody else.
        { setting_name: 'payout_approval_cents', setting_value: 'null' },
        {
          setting_name: 'payout_schedule',
          setting_value: JSON.stringify({ frequency: 'monthly', minimumCents: 100_00 }),
        },
      ])
      .execute();
    await writeLastPayouts(db, options.now);
    await recordBaseline(db.q(), 'system:demo', options.now);
    return true;
  });
  // The embedded database never analyses by itself, and without statistics its plans are poor.
  if (loaded) await sql`analyze`.execute(db.q());
  return loaded;
}

/** The schedule has had the run of this month, when nothing was payable. */
async function writeLastPayouts(db: Database, now: Date): Promise<void> {
  const period = latestPeriod('monthly', now);
  if (!period) return;
  await db
    .q()
    .insertInto('scheduled_payouts')
    .values({
      period: period.name,
      due_at: period.dueAt,
      ran_at: period.dueAt,
      sellers_below_minimum: 1,
    })
    .execute();
}

async function isLoaded(db: Database): Promise<boolean> {
  const marker = await db
    .q()
    .selectFrom('platform_settings')
    .select('setting_name')
    .where('setting_name', '=', MARKER)
    .executeTakeFirst();
  return marker !== undefined;
}

async function refuseRealAccounts(db: Database): Promise<void> {
  const { users, agents } = await db
    .q()
    .selectNoFrom((no) => [
      no.selectFrom('users').select(no.fn.countAll<number>().as('n')).as('users'),
      no.selectFrom('agents').select(no.fn.countAll<number>().as('n')).as('agents'),
    ])
    .executeTakeFirstOrThrow();
  const accounts = Math.max(users ?? 0, agents ?? 0);
  if (accounts > 0) throw new DemoRefused(accounts);
}

async function writeAccounts(
  db: Database,
  { people, calendar }: DemoMarket,
  password: string,
): Promise<void> {
  const joined = (daysAgo: number) => ({
    created_at: calendar.ago(daysAgo),
    updated_at: calendar.ago(daysAgo),
  });
  const { accounts, sellers, invitation, otherInvitations } = people;
  await insertAll(
    db.q(),
    'users',
    accounts.map(({ id, name, email, joinedDaysAgo }) => ({
      id,
      name,
      email,
      email_verified: true,
      ...joined(joinedDaysAgo),
    })),
  );
  await insertAll(
    db.q(),
    'profiles',
    accounts.map(({ id, role, joinedDaysAgo }) => ({ id, role, created_at: calendar.ago(joinedDaysAgo) })),
  );
  await insertAll(
    db.q(),
    'credentials',
    accounts.map(({ id, joinedDaysAgo }) => ({
      user_id: id,
      account_id: id,
      provider_id: 'credential',
      password,
      ...joined(joinedDaysAgo),
    })),
  );
  await insertAll(
    db.q(),
    'agents',
    sellers.map(({ row }) => row),
  );
  await insertAll(db.q(), 'agent_invitations', [invitation, ...otherInvitations]);
  const connected = payoutAccounts(people, calendar);
  await insertAll(db.q(), 'seller_accounts', connected.ours);
  await insertAll(db.q(), 'sandbox_accounts', connected.theirs);
}

async function writeListings(
  db: Database,
  { listings, interest, changes, searches }: DemoMarket,
): Promise<void> {
  const types = await db.q().selectFrom('property_types').select(['id', 'name']).execute();
  const typeId = new Map(types.map(({ id, name }) => [name, id]));
  const known = await db
    .q()
    .insertInto('amenities')
    .values(AMENITIES.map((name) => ({ name })))
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', 'name'])
    .execute();
  const amenityId = new Map(known.map(({ id, name }) => [name, id]));
  await insertAll(
    db.q(),
    'properties',
    listings.map(({ row, kind }) => ({ ...row, type_id: typeId.get(kind) ?? null })),
  );
  await insertAll(
    db.q(),
    'property_amenities',
    listings.flatMap(({ id, amenities }) =>
      amenities.flatMap((name) => {
        const amenity_id = amenityId.get(name);
        return amenity_id === undefined ? [] : { property_id: id, amenity_id };
      }),
    ),
  );
  await insertAll(db.q(), 'property_watches', interest.watches);
  await insertAll(db.q(), 'property_views', interest.views);
  await insertAll(db.q(), 'property_view_events', interest.viewEvents);
  await insertAll(db.q(), 'property_changes', changes.history);
  await insertAll(db.q(), 'property_notifications', changes.notifications);
  await insertAll(
    db.q(),
    'search_events',
    searches.map(({ row, type, filters }) => {
      const id = typeId.get(type ?? '');
      return { ...row, filters: JSON.stringify({ ...filters, ...(id !== undefined && { typeId: id }) }) };
    }),
  );
}

async function writeSales(db: Database, { calendar, fees, sales }: DemoMarket): Promise<void> {
  const { rows } = sales;
  await insertAll(db.q(), 'service_fees', fees.rows);
  await db
    .q()
    .insertInto('commission_settings')
    .values(platformCommission(calendar))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await insertAll(db.q(), 'provider_accounts', rows.accounts);
  // What went back to buyers follows once the ledger says when.
  await insertAll(
    db.q(),
    'property_sales',
    rows.sales.map((sale) => ({ ...sale, returned_base_cents: 0, returned_fees_cents: 0 })),
  );
  await insertAll(db.q(), 'transaction_fees', rows.fees);
  await insertAll(db.q(), 'sale_events', rows.events);
  await insertAll(db.q(), 'payouts', rows.payouts);
  await insertAll(db.q(), 'refunds', rows.refunds);
  await insertAll(db.q(), 'disputes', rows.disputes);
  await insertAll(db.q(), 'sandbox_checkouts', rows.checkouts);
  await insertAll(db.q(), 'sandbox_refunds', rows.refundsAtProvider);
  await insertAll(db.q(), 'sandbox_disputes', rows.disputesAtProvider);
  await insertAll(db.q(), 'sandbox_transactions', rows.transactionsAtProvider);
  await sql`select setval('receipt_numbers', (select max(receipt_number) from property_sales))`.execute(
    db.q(),
  );
  const written = await db
    .q()
    .insertInto('ledger_entries')
    .values(
      rows.entries.map(({ key, kind, saleId, memo, createdAt }) => ({
        idempotency_key: key,
        kind,
        sale_id: saleId,
        memo,
        created_at: createdAt,
      })),
    )
    .returning(['id', 'idempotency_key'])
    .execute();
  const entryId = new Map(written.map(({ id, idempotency_key }) => [idempotency_key, id]));
  await insertAll(
    db.q(),
    'ledger_postings',
    rows.entries.flatMap(({ key, postings, providerAccountId }) =>
      postings.map(([account, amount_cents]) => ({
        entry_id: entryId.get(key) ?? 0,
        account,
        amount_cents,
        provider_account_id: account === 'clearing' ? providerAccountId : null,
      })),
    ),
  );
  for (const { id, returned_base_cents = 0, returned_fees_cents = 0 } of rows.sales)
    if (id && returned_base_cents + returned_fees_cents > 0)
      await db
        .q()
        .updateTable('property_sales')
        .set({ returned_base_cents, returned_fees_cents })
        .where('id', '=', id)
        .execute();
}

async function writeConversations(db: Database, { conversations }: DemoMarket): Promise<void> {
  await insertAll(db.q(), 'property_inquiries', conversations.inquiries);
  await insertAll(db.q(), 'inquiry_messages', conversations.messages);
}

async function writeAttention(db: Database, { attention }: DemoMarket): Promise<void> {
  await insertAll(db.q(), 'admin_tasks', attention.tasks);
  await insertAll(db.q(), 'admin_task_notes', attention.notes);
  await insertAll(db.q(), 'mail_outbox', attention.mails);
  await insertAll(db.q(), 'provider_events', attention.messages);
}

async function writeDifferences(db: Database, { differences }: DemoMarket): Promise<void> {
  await insertAll(db.q(), 'sandbox_transactions', differences.atProvider);
  await insertAll(db.q(), 'provider_transactions', differences.transactions);
  await insertAll(db.q(), 'breaks', differences.breaks);
  await insertAll(db.q(), 'break_approvals', differences.approvals);
  await insertAll(db.q(), 'admin_tasks', differences.tasks);
}

async function writeOversight(db: Database, { oversight, calendar }: DemoMarket): Promise<void> {
  await insertAll(db.q(), 'inquiry_reports', oversight.reports);
  await insertAll(db.q(), 'user_notices', oversight.notices);
  for (const { id, at, reason } of oversight.suspended)
    await db
      .q()
      .updateTable('profiles')
      .set({ suspended_at: at, suspension_reason: reason })
      .where('id', '=', id)
      .execute();
  // One that no listing may be given anymore.
  await db
    .q()
    .insertInto('property_types')
    .values({
      name: 'Houseboat',
      slug: 'houseboat',
      is_active: false,
      created_at: calendar.ago(400),
      updated_at: calendar.ago(120),
    })
    .execute();
}

async function writeTours(db: Database, { tours }: DemoMarket): Promise<void> {
  await insertAll(db.q(), 'tour_hours', tours.hours);
  await insertAll(db.q(), 'tour_days', tours.days);
  await insertAll(db.q(), 'tours', tours.tours);
}

async function writeDocuments(db: Database, { documents, ownership }: DemoMarket): Promise<void> {
  await insertAll(db.q(), 'document_registry', documents.registry);
  await insertAll(db.q(), 'completion_nfts', documents.tokens);
  await insertAll(db.q(), 'document_registry', ownership.registry);
  await insertAll(db.q(), 'ownership_proofs', ownership.proofs);
}
