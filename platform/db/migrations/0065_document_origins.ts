import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Documents that hang on a sale or a seller alone, made by us or shown to more than administrators; salted hashes for the chain. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table document_registry
      alter column property_id drop not null,
      add column agent_id uuid references agents,
      add column origin text not null default 'uploaded' check (origin in ('uploaded', 'made')),
      -- Beside administrators, who see all of them.
      add column shown_to text not null default 'office' check (shown_to in ('office', 'buyer', 'seller', 'parties')),
      -- Of documents made by us, such as a receipt.
      add column number text unique,
      -- Keeps those who see the hash on a chain from finding a private document by guessing.
      add column salt text check (salt is null or (salt ~ '^[0-9a-f]{64}$' and sha256 ~ '^[0-9a-f]{64}$'));
    update document_registry
      set salt = replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')
      where visibility = 'private' and base_tx_hash is null and sha256 ~ '^[0-9a-f]{64}$';
    alter table document_registry
      -- What is anchored on a chain: the file's hash, or that of the salt followed by it.
      add column anchor_hash text not null generated always as
        (case when salt is null then sha256 else encode(sha256(decode(salt || sha256, 'hex')), 'hex') end) stored;
    create index document_registry_sha256 on document_registry (sha256);
    create index document_registry_agent on document_registry (agent_id, created_at desc) where agent_id is not null;
    create index document_registry_type on document_registry (document_type, created_at desc, id);
  `.execute(db);
}
