import { type Kysely, sql } from 'kysely';

/**
 * Versions are counted within what is one document: the files of two sales, sellers or audiences may have the same name. In a sale each
 * person counts for themselves, which no index can hold: whoever is deleted is no longer named.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table document_registry drop constraint document_registry_property_id_document_name_version_key;
    create unique index document_registry_version on document_registry
      (property_id, document_name, version, document_type, shown_to, coalesce(agent_id::text, ''))
      where property_sale_id is null;
    create index document_registry_of_property_by_name on document_registry (property_id, document_name);
  `.execute(db);
}
