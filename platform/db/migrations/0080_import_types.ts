import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Types that other markets' files use, off until an administrator or an import switches them on; a type of the same name stays as it is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into property_types (name, slug, is_active)
    select name, slug, false from (values
      ('Condo/Co-op', 'condo-co-op'), ('Townhouse', 'townhouse'), ('Mobile/Manufactured', 'mobile-manufactured')
    ) as wanted(name, slug)
    where not exists (select from property_types t where lower(trim(t.name)) = lower(wanted.name)
      or t.slug = wanted.slug or wanted.slug = any(t.old_slugs))
  `.execute(db);
}
