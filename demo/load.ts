import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { DEMO_PASSWORD } from '#features/accounts/model.ts';
import type { Database, Query } from '#platform/db/database.ts';
import { insertAll } from './insert.ts';
import { AMENITIES } from './market/listings/amenities.ts';
import { demoMarket, type Market } from './market/market.ts';
import { DEMO_INVITATION_TOKEN } from './market/people.ts';

export interface LoadOptions {
  now: Date;
  /** the scrypt hash that sign-in compares with; called once, all demo accounts share it */
  hashPassword: (password: string) => Promise<string>;
  /** keeps the papers of listings and closings; without it no documents are registered */
  storeFile?: (file: {
    key: string;
    body: Uint8Array;
    contentType: string;
    sha256: string;
  }) => Promise<unknown>;
}

/** The database belongs to real people; the demo market does not mix with them. */
export class DemoRefused extends Error {
  constructor(accounts: number) {
    super(
      `The demo market was not loaded: this database holds ${accounts} real ${accounts === 1 ? 'account' : 'accounts'}. ` +
        'Set DEMO=off, or use a database of its own for the demo market.',
    );
    this.name = 'DemoRefused';
  }
}

/** The row that says the demo market is in: everything is written in one transaction, so it is all or nothing. */
const MARKER = 'demo_market';

/**
 * Writes the demo market into a migrated database; does nothing when it is already there. Safe to call from several
 * processes at once.
 * @returns whether anything was written
 * @throws DemoRefused when there are accounts that are not of the demo
 */
export async function loadDemoMarket(db: Database, options: LoadOptions): Promise<boolean> {
  if (await isLoaded(db.q())) return false;
  const market = demoMarket(options.now, createHash('sha256').update(DEMO_INVITATION_TOKEN).digest('hex'));
  const password = await options.hashPassword(DEMO_PASSWORD);
  const { storeFile } = options;
  // Files first: one that nothing refers to does no harm, a document without its file would.
  if (storeFile) for (const file of market.documents.files) await storeFile(file);
  const loaded = await db.tx(async (q) => {
    await sql`select pg_advisory_xact_lock(hashtext('demo market'))`.execute(q);
    if (await isLoaded(q)) return false;
    await refuseRealAccounts(q);
    await writePeople(q, market, password);
    await writeListings(q, market);
    await writeMoney(q, market);
    await writeTalk(q, market);
    if (storeFile) await writeDocuments(q, market);
    await q
      .insertInto('platform_settings')
      .values({ setting_name: MARKER, setting_value: JSON.stringify({ day: market.calendar.midnight }) })
      .execute();
    return true;
  });
  // The embedded database never analyses by itself, and without statistics its plans are poor.
  if (loaded) await sql`analyze`.execute(db.q());
  return loaded;
}

async function isLoaded(q: Query): Promise<boolean> {
  const marker = await q
    .selectFrom('platform_settings')
    .select('setting_name')
    .where('setting_name', '=', MARKER)
    .executeTakeFirst();
  return marker !== undefined;
}

async function refuseRealAccounts(q: Query): Promise<void> {
  const { users, agents } = await q
    .selectNoFrom((no) => [
      no.selectFrom('users').select(no.fn.countAll<number>().as('n')).as('users'),
      no.selectFrom('agents').select(no.fn.countAll<number>().as('n')).as('agents'),
    ])
    .executeTakeFirstOrThrow();
  const accounts = Math.max(users ?? 0, agents ?? 0);
  if (accounts > 0) throw new DemoRefused(accounts);
}

async function writePeople(q: Query, { people, calendar }: Market, password: string): Promise<void> {
  const joined = (daysAgo: number) => ({
    created_at: calendar.ago(daysAgo),
    updated_at: calendar.ago(daysAgo),
  });
  const { accounts, sellers, invitation } = people;
  await insertAll(
    q,
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
    q,
    'profiles',
    accounts.map(({ id, role, joinedDaysAgo }) => ({ id, role, created_at: calendar.ago(joinedDaysAgo) })),
  );
  await insertAll(
    q,
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
    q,
    'agents',
    sellers.map(({ row }) => row),
  );
  await insertAll(q, 'agent_invitations', [invitation]);
}

async function writeListings(q: Query, { listings, interest, changes, searches }: Market): Promise<void> {
  const types = await q.selectFrom('property_types').select(['id', 'name']).execute();
  const typeId = new Map(types.map(({ id, name }) => [name, id]));
  const known = await q
    .insertInto('amenities')
    .values(AMENITIES.map((name) => ({ name })))
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', 'name'])
    .execute();
  const amenityId = new Map(known.map(({ id, name }) => [name, id]));
  await insertAll(
    q,
    'properties',
    listings.map(({ row, kind }) => ({ ...row, type_id: typeId.get(kind) ?? null })),
  );
  await insertAll(
    q,
    'property_amenities',
    listings.flatMap(({ id, amenities }) =>
      amenities.flatMap((name) => {
        const amenity_id = amenityId.get(name);
        return amenity_id === undefined ? [] : { property_id: id, amenity_id };
      }),
    ),
  );
  await insertAll(q, 'property_watches', interest.watches);
  await insertAll(q, 'property_views', interest.views);
  await writeOpenings(q, interest.openings);
  await insertAll(q, 'property_changes', changes.history);
  await insertAll(q, 'property_notifications', changes.notifications);
  await insertAll(q, 'search_events', searches);
}

/** Counts the views in one go: the table's own trigger does it row by row, which takes longer than all else together. */
async function writeOpenings(q: Query, openings: Market['interest']['openings']): Promise<void> {
  await sql`alter table property_view_events disable trigger property_view_events_count`.execute(q);
  await insertAll(q, 'property_view_events', openings);
  await sql`insert into property_view_days
    select distinct property_id, (viewed_at at time zone 'UTC')::date, viewer from property_view_events`.execute(
    q,
  );
  await sql`update properties set views = counted.views
    from (select property_id, count(*) as views from property_view_days group by property_id) counted
    where properties.id = counted.property_id`.execute(q);
  await sql`alter table property_view_events enable trigger property_view_events_count`.execute(q);
}

async function writeMoney(q: Query, { fees, sales }: Market): Promise<void> {
  const { rows } = sales;
  await insertAll(q, 'service_fees', fees.rows);
  await q
    .insertInto('commission_settings')
    .values({ admin_percentage: 20 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await insertAll(q, 'property_sales', rows.sales);
  await insertAll(q, 'transaction_fees', rows.fees);
  await insertAll(q, 'sale_events', rows.events);
  await insertAll(q, 'payouts', rows.payouts);
  await insertAll(q, 'refunds', rows.refunds);
  await insertAll(q, 'disputes', rows.disputes);
  await insertAll(q, 'sandbox_checkouts', rows.checkouts);
  await insertAll(q, 'sandbox_refunds', rows.refundsAtProvider);
  await sql`select setval('receipt_numbers', (select max(receipt_number) from property_sales))`.execute(q);
  const written = await q
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
    q,
    'ledger_postings',
    rows.entries.flatMap(({ key, postings }) =>
      postings.map(([account, amount_cents]) => ({ entry_id: entryId.get(key) ?? 0, account, amount_cents })),
    ),
  );
}

async function writeTalk(q: Query, { conversations }: Market): Promise<void> {
  await insertAll(q, 'property_inquiries', conversations.inquiries);
  await insertAll(q, 'inquiry_messages', conversations.messages);
}

async function writeDocuments(q: Query, { documents }: Market): Promise<void> {
  await insertAll(q, 'document_registry', documents.registry);
  await insertAll(q, 'completion_nfts', documents.tokens);
}
