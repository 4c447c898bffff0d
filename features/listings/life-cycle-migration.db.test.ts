import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { migrate, migrateTo } from '#platform/db/migrate.ts';
import { createEmptyDatabase } from '#tests/support/database/empty-database.ts';
import { serverIsReachable } from '#tests/support/database/test-database.ts';

const LISTED = '2026-01-01T12:00:00Z';
const BEFORE = '2026-02-01T12:00:00Z';
const OFF_MARKET = '2026-03-01T12:00:00Z';
const LATER = '2026-03-02T12:00:00Z';
const LATEST = '2026-03-03T12:00:00Z';

type Change = [field: string, from: string | null, to: string, at: string];

interface OldListing {
  status: string;
  listed?: boolean;
  /** when it last changed after its approval, by the old column */
  changedAt?: string;
  deletedAt?: string;
  history: Change[];
  /** expected after the migration */
  needsApproval: boolean;
  lastPublicCents: number | null;
}

const PRICE = 500_000_00;
const withdrawnFrom = (status: string, at = OFF_MARKET): Change => ['status', status, 'withdrawn', at];
const withdrawn = (history: Change[], expected: Partial<OldListing> = {}, from = 'Active'): OldListing => ({
  status: 'withdrawn',
  history: [withdrawnFrom(from), ...history],
  needsApproval: false,
  lastPublicCents: PRICE,
  ...expected,
});
const elsewhere = (status: string, listed = true): OldListing => ({
  status,
  listed,
  changedAt: LATER,
  history: [
    ['title', 'Old title', 'New title', LATER],
    ['price_cents', '40000000', '50000000', LATER],
    ['status', 'withdrawn', status, LATEST],
  ],
  needsApproval: false,
  lastPublicCents: null,
});

const listings: Record<string, OldListing> = {
  'withdrawn, and unchanged since': withdrawn([]),
  'withdrawn without any history': { ...withdrawn([]), history: [] },
  'withdrawn and deleted': withdrawn([], { deletedAt: LATER }),
  'changed only while it was in view': withdrawn([
    ['title', 'Old title', 'New title', BEFORE],
    ['price_cents', '40000000', '50000000', BEFORE],
  ]),
  'approved after its last change': withdrawn([], { changedAt: BEFORE }),
  'given two other prices while withdrawn': withdrawn(
    [
      ['price_cents', '45000000', '48000000', LATER],
      ['price_cents', '48000000', '50000000', LATEST],
    ],
    { lastPublicCents: 450_000_00 },
  ),
  'given another text while withdrawn': withdrawn([['description', 'Old', 'New', LATER]], {
    needsApproval: true,
  }),
  'given another text and price while withdrawn': withdrawn(
    [
      ['bedrooms', null, '3', LATER],
      ['price_cents', '45000000', '50000000', LATER],
    ],
    { needsApproval: true, lastPublicCents: 450_000_00 },
  ),
  'changed while withdrawn, by the old column alone': withdrawn([], {
    changedAt: LATER,
    needsApproval: true,
  }),
  'withdrawn while its changes were reviewed': withdrawn([], { needsApproval: true }, 'pending'),
  'withdrawn after a rejection': withdrawn([], { needsApproval: true }, 'rejected'),
  'withdrawn from review once, and later from the market': withdrawn([], {
    history: [
      withdrawnFrom('pending', BEFORE),
      ['status', 'withdrawn', 'Active', BEFORE],
      withdrawnFrom('Active'),
    ],
  }),
  'never listed, and withdrawn': withdrawn(
    [['title', 'Old title', 'New title', LATER]],
    { listed: false, lastPublicCents: null },
    'pending',
  ),
  'never listed, and pending': elsewhere('pending', false),
  'pending again': elsewhere('pending'),
  Active: elsewhere('Active'),
  escrow: elsewhere('escrow'),
  Sold: elsewhere('Sold'),
  rejected: elsewhere('rejected'),
  'asked for changes': elsewhere('changes_requested'),
};

/** Every row as stored, without the columns that this and later migrations add. `updated_at` is the time of the migration. */
const rowsOf = async (db: Database) => {
  const { rows } = await sql<{ row: unknown }>`
    select to_jsonb(p) - 'updated_at' - 'needs_approval_since' - 'last_public_cents' - 'submitted_at'
      - array['neighborhood', 'mls_name', 'mls_number', 'photos_changed_at'] as row from properties p
    union all select to_jsonb(c) from property_changes c
    union all select to_jsonb(n) - 'price_with_fees' from property_notifications n order by row`.execute(
    db.q(),
  );
  return rows;
};

describe('the migration to the life cycle of listings', () => {
  let db: Database;
  let close = async () => {};
  const ids = new Map<string, string>();
  let before: unknown[];

  beforeAll(async () => {
    const own = (await serverIsReachable()) ? await createEmptyDatabase() : null;
    db = await openDatabase({ url: own?.url, dataDir: null });
    close = async () => {
      await db.close();
      await own?.drop();
    };
    await migrateTo(db, '0017_photos');
    const [agentId, watcherId] = [randomUUID(), randomUUID()];
    await sql`insert into agents (id, name, email) values (${agentId}, 'Ada Seller', 'ada@acre.test')`.execute(
      db.q(),
    );
    await sql`insert into users (id, name, email) values (${watcherId}, 'Bo Buyer', 'bo@acre.test')`.execute(
      db.q(),
    );
    for (const [name, { status, listed = true, changedAt, deletedAt, history }] of Object.entries(listings)) {
      const id = randomUUID();
      ids.set(name, id);
      const offMarketAt = ['withdrawn', 'Sold'].includes(status) ? OFF_MARKET : null;
      await sql`insert into properties
        (id, agent_id, address, price_cents, status, listed_at, off_market_at, changed_since_approval_at, deleted_at)
        values (${id}, ${agentId}, ${`1 ${name}`}, ${PRICE}, ${status}, ${listed ? LISTED : null}, ${offMarketAt},
          ${changedAt ?? null}, ${deletedAt ?? null})`.execute(db.q());
      await sql`insert into property_watches (user_id, property_id) values (${watcherId}, ${id})`.execute(
        db.q(),
      );
      for (const [field, from, to, at] of history)
        await sql`insert into property_changes (property_id, field, previous_value, new_value, created_at)
          values (${id}, ${field}, ${from}, ${to}, ${at})`.execute(db.q());
    }
    before = await rowsOf(db);
    await migrate(db);
  });
  afterAll(() => close());

  it('keeps every row as it was, and notifies nobody', async () => {
    expect(before.length).toBeGreaterThan(Object.keys(listings).length);
    expect(await rowsOf(db)).toEqual(before);
  });

  it.each(Object.entries(listings))('%s', async (name, { needsApproval, lastPublicCents }) => {
    const row = await db
      .q()
      .selectFrom('properties')
      .select(['needs_approval_since', 'last_public_cents'])
      .where('id', '=', ids.get(name) ?? '')
      .executeTakeFirstOrThrow();
    expect({
      needsApproval: row.needs_approval_since !== null,
      lastPublicCents: row.last_public_cents,
    }).toEqual({ needsApproval, lastPublicCents });
  });
});
