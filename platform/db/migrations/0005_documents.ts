import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Documents registered for a property or a sale, and the tokens that evidence them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table document_registry (
      id uuid primary key default gen_random_uuid(),
      property_id uuid not null references properties,
      property_sale_id uuid references property_sales,
      document_name text not null check (length(document_name) between 1 and 200),
      document_type text not null,
      version integer not null default 1 check (version > 0),
      visibility text not null default 'private' check (visibility in ('private', 'public')),
      file_key text not null,
      content_type text not null,
      byte_size bigint not null check (byte_size >= 0),
      sha256 text not null,
      cid text,
      network text,
      base_tx_hash text,
      status text not null default 'pending' check (status in ('pending', 'confirmed', 'failed', 'revoked')),
      failure_reason text,
      is_test boolean not null default false,
      uploaded_by uuid references users on delete set null,
      created_at timestamptz not null default now(),
      unique (property_id, document_name, version)
    );
    create index document_registry_newest on document_registry (created_at desc, id);
    create index document_registry_sale on document_registry (property_sale_id) where property_sale_id is not null;

    create table completion_nfts (
      id uuid primary key default gen_random_uuid(),
      kind text not null check (kind in ('property', 'completion')),
      property_id uuid not null references properties,
      property_sale_id uuid references property_sales,
      document_id uuid references document_registry,
      token_id numeric(78, 0) not null default 0,
      base_tx_hash text not null default '',
      network text,
      recipient_address text not null,
      status text not null default 'pending' check (status in ('pending', 'confirmed', 'failed')),
      failure_reason text,
      metadata jsonb not null default
        '{"name": "Property NFT", "description": "NFT representing property document ownership"}',
      signed_transactions jsonb not null default '[]',
      created_at timestamptz not null default now(),
      unique (document_id, kind)
    );
    create index completion_nfts_newest on completion_nfts (created_at desc, id);
    create index completion_nfts_property on completion_nfts (property_id);
  `.execute(db);
}
