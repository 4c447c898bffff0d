import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** The fees of a sale keep the order in which the buyer saw them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table transaction_fees add column position smallint not null default 0;
    update transaction_fees f set position = o.position from (
      select t.id, row_number() over (partition by t.sale_id order by s.position nulls last, s.created_at, t.name, t.id) - 1 as position
        from transaction_fees t left join service_fees s on s.id = t.service_fee_id) o
      where o.id = f.id and o.position > 0;
  `.execute(db);
}
