import { sql } from 'kysely';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { erasurePolicy } from '../erasure-policy.ts';
import { CLOSED_ACCOUNT_DOMAIN, CLOSED_NAME } from '../model.ts';
import { mayEraseAccounts } from '../rules.ts';

/**
 * Erases what is personal in an account, in the current transaction, and ends its sessions; nobody can sign in to it again, and its
 * address is free for a new one. Part of closing an account, which is audited there.
 * @throws Unauthenticated, Forbidden for every user
 */
export async function eraseAccount(ctx: Ctx, { id, email }: { id: string; email: string }): Promise<void> {
  authorize(ctx, mayEraseAccounts);
  const q = ctx.db.q();
  const closedAddress = `${id}${CLOSED_ACCOUNT_DOMAIN}`;
  // First, so that what counts rows by triggers can tell those that go with a closed account from those that a person takes back. The
  // address changes last: as a key it locks out everyone who writes something of the account, and these may hold what is deleted here.
  await q.updateTable('users').set({ closed_at: ctx.now() }).where('id', '=', id).execute();
  await forgetViewer(ctx, id);
  for (const [reference, policy] of Object.entries(erasurePolicy)) {
    const [table = '', column = ''] = reference.split('.');
    if (policy === 'deleted')
      await sql`delete from ${sql.table(table)} where ${sql.ref(column)} = ${id}`.execute(q);
    if (policy === 'anonymized')
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = null where ${sql.ref(column)} = ${id}`.execute(
        q,
      );
  }
  await q
    .updateTable('profiles')
    .set({ suspended_at: null, suspension_reason: null, wallet_address: null, time_zone: null })
    .where('id', '=', id)
    .execute();
  await q.deleteFrom('verifications').where('value', '=', id).execute();
  // Erases address and content at once, or as soon as a mail that is still to be sent has left. The rows stay: they prevent sending the
  // same mail again.
  await q
    .updateTable('mail_outbox')
    .set({ erased_address: closedAddress })
    .where((mail) =>
      mail.or([
        mail('to_address', '=', email),
        // to an address that the account had before
        sql<boolean>`(idempotency_key like 'account.%' and split_part(idempotency_key, ':', 2) = ${id})`,
      ]),
    )
    .execute();
  await q
    .updateTable('users')
    .set({
      name: CLOSED_NAME,
      email: closedAddress,
      email_verified: false,
      image: null,
      updated_at: ctx.now(),
    })
    .where('id', '=', id)
    .execute();
}

/**
 * Puts somebody unknown in the place of the account in the views that properties are counted by, which stay. The days are found by the
 * views, which refer to the account until the rest is erased.
 */
async function forgetViewer(ctx: Ctx, id: string): Promise<void> {
  await sql`
    with forgotten as (
      update property_view_events set viewer = gen_random_uuid()::text where user_id = ${id}
      returning property_id, (viewed_at at time zone 'UTC')::date as day)
    update property_view_days d set viewer = gen_random_uuid()::text
    from (select distinct property_id, day from forgotten) seen
    where d.property_id = seen.property_id and d.day = seen.day and d.viewer = ${id}::text`.execute(
    ctx.db.q(),
  );
}
