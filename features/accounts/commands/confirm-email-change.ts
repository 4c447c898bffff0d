import { holdListingsOfUser } from '#features/listings/hold-listings.ts';
import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx, Role } from '#platform/context.ts';
import { publish } from '#platform/events/events.ts';
import { networkOf } from '#platform/http/network-of.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { lockAccount, ownerOfAddress } from '../account-with-password.ts';
import { isEmailChange, readEmailChange } from '../email-change-token.ts';
import { endResetLinks } from '../end-reset-links.ts';
import { accountLimits } from '../limits.ts';
import { mailEmailChanged } from '../mails.ts';
import { mayAuthenticate } from '../rules.ts';

type ConfirmEmailResult =
  /** the role whose sign-in page comes next */
  { ok: true; role: Role } | { ok: false; reason: 'invalid' | 'taken' };

/**
 * Gives an account the address that the mailed link was sent to. The link works once, for a day, and until the password
 * changes. A notice goes to the old address.
 * @throws TooManyRequests
 */
export async function confirmEmailChange(
  ctx: Ctx,
  { token }: { token: string },
): Promise<ConfirmEmailResult> {
  authorize(ctx, mayAuthenticate);
  await takeTokens(ctx, accountLimits.confirmByAddress, `ip:${networkOf(ctx.ip)}`);
  const change = readEmailChange(token);
  if (!change) return { ok: false, reason: 'invalid' };
  return ctx.db.tx(async () => {
    await holdListingsOfUser(ctx, change.userId);
    const account = await lockAccount(ctx, change.userId);
    if (!account || !isEmailChange(ctx.config, account, change, ctx.now()))
      return { ok: false, reason: 'invalid' };
    if (await ownerOfAddress(ctx, change.to)) return { ok: false, reason: 'taken' };
    const { id, email, role } = account;
    const q = ctx.db.q();
    await q
      .updateTable('users')
      .set({ email: change.to, email_verified: true, updated_at: ctx.now() })
      .where('id', '=', id)
      .execute();
    // Closing the account erases the mails to its address; those to the old one belong to it, too. What is still to be sent goes to the
    // new one, except what is said to the old one about the account itself.
    await q
      .updateTable('mail_outbox')
      .set({ to_address: change.to })
      .where('to_address', '=', email)
      .where((mail) =>
        mail.or([mail('status', '<>', 'queued'), mail('idempotency_key', 'not like', 'account.%')]),
      )
      .execute();
    await endResetLinks(ctx, id);
    await mailEmailChanged(ctx, { id, email });
    await audit(ctx, { action: 'email.change', entity: 'user', entityId: id });
    await publish(ctx, { audience: `user:${id}`, type: 'session', payload: {} });
    return { ok: true, role };
  });
}
