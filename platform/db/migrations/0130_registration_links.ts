import { type Kysely, sql } from 'kysely';

/**
 * Tells the link that a seller who has not registered gets with an inquiry from an invitation of the administrators: whether
 * an invitation arrived is said of the latter only. Those without an email of their own are such links; an email is kept at
 * least as long as its link is valid.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table agent_invitations add column purpose text not null default 'invitation'
      check (purpose in ('invitation', 'inquiry'));
    update agent_invitations i set purpose = 'inquiry'
      where used_at is null and expires_at > now() and status <> 'bounced'
        and not exists (select from mail_outbox m where m.idempotency_key = 'seller.invite:' || i.id);
  `.execute(db);
}
