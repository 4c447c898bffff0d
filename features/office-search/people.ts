import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#platform/context.ts';
import type { FoundRecord } from './model.ts';
import { beginning, found, type IdRow, matching, newestFirst, withIds } from './parts.ts';
import type { OfficeQuery } from './rules.ts';

/** So many of the newest of a name are also looked for in sales and inquiries. */
const MOST = 50;

interface PersonRow extends IdRow {
  name: string;
  email: string;
  note: string | null;
}

const record =
  (kind: FoundRecord['kind']) =>
  ({ id, name, email, note }: PersonRow): FoundRecord =>
    found({ kind, id, label: name, detail: note ? `${email} (${note})` : email });

/** Sellers by id, name, e-mail and phone, archived ones too; newest first. */
export async function sellersFound(ctx: Ctx, query: OfficeQuery) {
  // The text as the index of the list of sellers has it.
  const text = matching(sql`lower(a.name || ' ' || a.email || ' ' || coalesce(a.phone, ''))`, query);
  // The addresses of archived sellers have no index for their beginnings.
  const begins = sql`(${beginning(sql`lower(a.name)`, query)}
    or (a.archived_at is null and ${beginning(sql`a.email`, query)}))`;
  const words = query.beginning === null ? text : begins;
  const rows = await newestFirst({ table: 'agents', newest: sql`created_at desc, id` }, async (agents) => {
    const of = (where: RawBuilder<unknown>, from = agents) =>
      sql`select a.id, a.created_at from ${from} a where ${where}`;
    const { rows } = await sql<PersonRow>`
        select a.id, a.name, a.email, case when a.archived_at is not null then 'archived'
          when a.status = 'suspended' then 'suspended' end as note
        from (${withIds((where) => of(where, sql`agents`), sql`a.id`, query)} union
          (select * from (${of(words)} offset 0) m order by m.created_at desc, m.id limit ${MOST})) hit
        join agents a using (id) order by a.created_at desc, a.id limit ${MOST}`.execute(ctx.db.q());
    return rows;
  });
  return rows.map(record('seller'));
}

/** Buyers by id, name and e-mail, without closed accounts; newest first. */
export async function buyersFound(ctx: Ctx, query: OfficeQuery) {
  const begins = sql`(${beginning(sql`lower(u.name)`, query)} or ${beginning(sql`u.email`, query)})`;
  const words = query.beginning === null ? matching(sql`u.search_text`, query) : begins;
  const open = sql`is_buyer and closed_at is null`;
  const rows = await newestFirst(
    { table: 'users', of: open, newest: sql`created_at desc, id` },
    async (users) => {
      const of = (where: RawBuilder<unknown>, from = users) =>
        sql`select u.id, u.created_at from ${from} u where u.is_buyer and u.closed_at is null and ${where}`;
      const { rows } = await sql<PersonRow>`
        select u.id, u.name, u.email, null as note
        from (${withIds((where) => of(where, sql`users`), sql`u.id`, query)} union
          (select * from (${of(words)} offset 0) m order by m.created_at desc, m.id limit ${MOST})) hit
        join users u using (id) order by u.created_at desc, u.id limit ${MOST}`.execute(ctx.db.q());
      return rows;
    },
  );
  return rows.map(record('buyer'));
}
