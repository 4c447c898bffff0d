import { type FieldErrors, fieldErrors } from '#features/accounts/model.ts';
import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { issueInvitation } from '../invitations.ts';
import { inviteSchema } from '../invite-schema.ts';
import { mayInvite } from '../rules.ts';

type InviteSellerResult =
  /** `link`: the URL in the mail, for the command line; it is not stored */
  | { ok: true; sellerId: string; link: string }
  | { ok: false; reason: 'invalid'; errors: FieldErrors }
  /** there is a seller with this address, be it an archived one */
  | { ok: false; reason: 'duplicate' }
  /** a buyer or administrator has confirmed this address */
  | { ok: false; reason: 'address_taken' };

/**
 * Creates the record of a seller who may register and queues the mail with the link, in one transaction. Refuses an
 * address that belongs to a seller or has a confirmed account.
 * @param input `phone` as typed; optional
 * @throws Unauthenticated, Forbidden for everyone but administrators and the command line
 */
export async function inviteSeller(
  ctx: Ctx,
  input: { name?: unknown; email?: unknown; phone?: unknown },
): Promise<InviteSellerResult> {
  authorize(ctx, mayInvite);
  const parsed = inviteSchema.safeParse(input);
  if (!parsed.success) return { ok: false, reason: 'invalid', errors: fieldErrors(parsed.error) };
  const { name, email, phone } = parsed.data;
  return ctx.db.tx(async (): Promise<InviteSellerResult> => {
    const known = await ctx.db
      .q()
      .selectFrom('agents')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirst();
    if (known) return { ok: false, reason: 'duplicate' };
    const confirmed = await ctx.db
      .q()
      .selectFrom('users')
      .select('id')
      .where('email', '=', email)
      .where('email_verified', '=', true)
      .executeTakeFirst();
    if (confirmed) return { ok: false, reason: 'address_taken' };
    const seller = await ctx.db
      .q()
      .insertInto('agents')
      .values({ name, email, phone, created_at: ctx.now() })
      .onConflict((conflict) => conflict.column('email').doNothing())
      .returning('id')
      .executeTakeFirst();
    // Somebody else has added it since.
    if (!seller) return { ok: false, reason: 'duplicate' };
    const link = await issueInvitation(ctx, { id: seller.id, name, email }, { replace: true });
    await audit(ctx, {
      action: 'seller.invite',
      entity: 'agent',
      entityId: seller.id,
      after: { name, email, ...(phone !== null && { phone }) },
    });
    return { ok: true, sellerId: seller.id, link };
  });
}
