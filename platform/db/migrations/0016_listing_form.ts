import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** What the seller's form keeps: drafts that two windows cannot overwrite for each other, and which draft a listing came from. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Counts up with every saving: who writes names the one that was read. 'base' is the listing as it was when the draft of
    -- an edit began; what differs from it is what the seller changed.
    alter table property_drafts
      add column version integer not null default 1,
      add column base jsonb;

    -- One listing at most comes of a draft, however often it is submitted (B-105).
    alter table properties add column draft_id uuid;
    create unique index properties_draft on properties (agent_id, draft_id) where draft_id is not null;

    -- A purchase that is under way holds its property (B-073, B-110).
    create function held_by_sale(property uuid) returns boolean language sql stable as $$
      select exists (select from property_sales where property_id = property
        and escrow_status <> 'cancelled' and stripe_payment_status not in ('failed', 'refunded')) $$;
  `.execute(db);
}
