import type { Insertable } from 'kysely';
import type { Database } from '#platform/db/database.ts';
import type { DB } from '#platform/db/schema.gen.ts';

/** A listing with sensible facts of a Single Family house; whatever matters to a test is given. Returns its id. */
export async function createListing(
  db: Database,
  agentId: string | null,
  facts: Partial<Insertable<DB['properties']>> = {},
): Promise<string> {
  if (!agentId) throw new Error('A listing needs the record of a seller');
  const type = await db
    .q()
    .selectFrom('property_types')
    .select('id')
    .where('slug', '=', 'single-family')
    .executeTakeFirstOrThrow();
  const row = await db
    .q()
    .insertInto('properties')
    .values({
      agent_id: agentId,
      type_id: type.id,
      address: '48 Larkspur Lane',
      city: 'Cedar Hollow',
      state: 'OR',
      zip: '97031',
      description: 'A quiet house with a garden.',
      price_cents: 742_000_00,
      bedrooms: 4,
      bathrooms: 3,
      square_feet: 2840,
      status: 'Active',
      ...facts,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}
