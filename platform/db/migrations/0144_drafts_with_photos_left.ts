import { type Kysely, type QueryExecutorProvider, sql } from 'kysely';

/** A draft that was left with photos when it became a listing holds nothing else, in a version that no open page has. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await blankLeftDrafts(db);
}

/** Empties the drafts in which nothing was saved after they had become listings. */
export async function blankLeftDrafts(db: QueryExecutorProvider): Promise<void> {
  await sql`
    update property_drafts d set form = '{}', version = d.version + 1
    from properties p
    where p.draft_id = d.id and p.agent_id = d.agent_id and d.property_id is null and d.updated_at <= p.created_at`.execute(
    db,
  );
}
