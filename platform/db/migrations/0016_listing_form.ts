import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** The listing form: drafts with optimistic locking, and the draft that a listing was created from. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- 'version' increments with every save; a write names the version it is based on. 'base' is the listing as it was when
    -- editing began; differences from it are the seller's changes.
    alter table property_drafts
      add column version integer not null default 1,
      add column base jsonb;

    -- A draft creates at most one listing, however often it is submitted.
    alter table properties add column draft_id uuid;
    create unique index properties_draft on properties (agent_id, draft_id) where draft_id is not null;

    -- A purchase in progress reserves its property.
    create function held_by_sale(property uuid) returns boolean language sql stable as $$
      select exists (select from property_sales where property_id = property
        and escrow_status <> 'cancelled' and stripe_payment_status not in ('failed', 'refunded')) $$;
  `.execute(db);
}
