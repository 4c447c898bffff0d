import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Notifications about changes of cached tables, the fee rule in SQL, and the idempotency key of inquiries. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function announce_change() returns trigger language plpgsql as $$
    begin perform pg_notify('cache', tg_table_name); return null; end $$;
    create trigger property_types_announce after insert or update or delete on property_types
      for each statement execute function announce_change();
    create trigger service_fees_announce after insert or update or delete on service_fees
      for each statement execute function announce_change();
    create trigger platform_settings_announce after insert or update or delete on platform_settings
      for each statement execute function announce_change();
    create trigger homepage_content_announce after insert or update or delete on homepage_content
      for each statement execute function announce_change();

    alter table property_inquiries add column client_key text;

    -- Each fee is computed on the base price alone and rounded half up to the cent.
    create function fee_cents(base_cents bigint, fee service_fees) returns bigint language sql immutable as $$
      select case fee.fee_type when 'fixed' then fee.fixed_cents
        else round(base_cents * fee.percent / 100)::bigint end
    $$;
  `.execute(db);
}
