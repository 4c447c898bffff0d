import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** What the administrators' form of a property and their list of property types need. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- How many properties of a status have a type.
    create index properties_type_status on properties (type_id, status) where deleted_at is null;

    -- An administrator finds a seller by any part of the name or address.
    create index agents_choice on agents using gin (lower(name || ' ' || email) gin_trgm_ops) where archived_at is null;

    -- The photos of a property that an administrator adds hang on a draft of theirs until it is created.
    alter table property_drafts
      alter column agent_id drop not null,
      add column admin_id uuid references users on delete cascade,
      drop constraint property_drafts_agent_id_property_id_key,
      add constraint property_drafts_owner_key unique nulls not distinct (agent_id, admin_id, property_id),
      add constraint property_drafts_one_owner check ((agent_id is null) <> (admin_id is null)),
      add constraint property_drafts_admin_new check (admin_id is null or property_id is null);
    create index property_drafts_admin on property_drafts (admin_id) where admin_id is not null;

    -- Whether a document was scanned for malware; one that is held is given to nobody until a scanner has answered.
    alter table document_registry
      add column scan text not null default 'unchecked' check (scan in ('unchecked', 'clean', 'held')),
      add column scan_attempts integer not null default 0;
    create index document_registry_held on document_registry (created_at) where scan = 'held';
    create index document_registry_property on document_registry (property_id, document_type, created_at desc);
  `.execute(db);
}
