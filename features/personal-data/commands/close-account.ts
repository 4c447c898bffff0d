import { sql } from 'kysely';
import { openPurchases } from '#features/purchases/reads.ts';
import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { endedSessionCookie } from '#platform/auth/cookie.ts';
import { passwordMatches } from '#platform/auth/password.ts';
import type { Ctx } from '#platform/context.ts';
import { publish } from '#platform/events/events.ts';
import { takeTokens } from '#platform/limits.ts';
import { CLOSED_ADDRESS } from '#platform/outbox/outbox.ts';
import { fates } from '../fates.ts';
import { mailAccountClosed } from '../mails.ts';
import { CLOSED_NAME, closeAccountSchema, personalDataLimits } from '../model.ts';
import { mayCloseAccount, texts } from '../rules.ts';

export type CloseAccountResult =
  | { ok: true; cookies: string[] }
  | { ok: false; reason: 'password'; text: string }
  | { ok: false; reason: 'live_sale' };

/**
 * Closes the signed-in buyer's account for good: name, address and password are gone, and with them watches, views,
 * saved searches and notifications; sales and what was written to sellers stay, as of a 'Former buyer'. Nobody signs in
 * to it again; the address is free for a new account. Refused while a purchase is under way.
 * @returns the Set-Cookie values that take the session's cookie away
 * @throws Unauthenticated, Forbidden for sellers and administrators, TooManyRequests
 */
export async function closeAccount(ctx: Ctx, input: { password: unknown }): Promise<CloseAccountResult> {
  const user = authorizedUser(ctx, mayCloseAccount);
  const parsed = closeAccountSchema.safeParse(input);
  if (!parsed.success) return { ok: false, reason: 'password', text: parsed.error.issues[0]?.message ?? '' };
  await takeTokens(ctx, personalDataLimits.close, `user:${user.id}`);
  const credential = await ctx.db
    .q()
    .selectFrom('credentials')
    .select('password')
    .where('user_id', '=', user.id)
    .where('provider_id', '=', 'credential')
    .executeTakeFirst();
  if (!(await passwordMatches(credential?.password ?? null, parsed.data.password)))
    return { ok: false, reason: 'password', text: texts.wrongPassword };
  return ctx.db.tx(async (q) => {
    // A purchase that begins now waits for this, and then finds the account closed.
    await q.selectFrom('users').select('id').where('id', '=', user.id).forUpdate().execute();
    if ((await openPurchases(ctx)) > 0) return { ok: false, reason: 'live_sale' };
    await mailAccountClosed(ctx, user);
    await forget(ctx, user);
    await audit(ctx, { action: 'account.close', entity: 'user', entityId: user.id });
    await publish(ctx, { audience: `user:${user.id}`, type: 'session', payload: {} });
    return { ok: true, cookies: [endedSessionCookie(ctx.config)] };
  });
}

async function forget(ctx: Ctx, { id, email }: { id: string; email: string }): Promise<void> {
  const q = ctx.db.q();
  for (const [place, fate] of Object.entries(fates)) {
    const [table = '', column = ''] = place.split('.');
    if (fate === 'deleted')
      await sql`delete from ${sql.table(table)} where ${sql.ref(column)} = ${id}`.execute(q);
    if (fate === 'cut')
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = null where ${sql.ref(column)} = ${id}`.execute(
        q,
      );
  }
  await q.deleteFrom('verifications').where('value', '=', id).execute();
  const nowhere = `${id}${CLOSED_ADDRESS}`;
  // What was mailed is forgotten; that it was, is not, or it might be mailed again.
  await q
    .updateTable('mail_outbox')
    .set({
      to_address: nowhere,
      to_name: null,
      subject: '',
      text_body: '',
      html_body: '',
      unsubscribe_url: null,
    })
    .where('to_address', '=', email)
    .where('status', '<>', 'queued')
    .execute();
  await q
    .updateTable('users')
    .set({
      name: CLOSED_NAME,
      email: nowhere,
      email_verified: false,
      image: null,
      closed_at: ctx.now(),
      updated_at: ctx.now(),
    })
    .where('id', '=', id)
    .execute();
}
