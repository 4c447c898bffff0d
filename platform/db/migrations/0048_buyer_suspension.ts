import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Buyers can be suspended for abuse; the administrators' list of them, in every order by an index. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table profiles
      add column suspended_at timestamptz,
      add column suspension_reason text check (length(suspension_reason) between 1 and 2000),
      add constraint profiles_suspension check ((suspended_at is null) = (suspension_reason is null));
    create index profiles_suspended_at on profiles (suspended_at desc, id) where suspended_at is not null;

    create index users_by_name on users ((lower(name) collate "C"), id);
    create index users_by_email on users ((email collate "C"), id);
    create index users_by_age on users (created_at desc, id);
    create index mail_outbox_address on mail_outbox (to_address, created_at);
  `.execute(db);
}
