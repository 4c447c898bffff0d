import { createHash, randomBytes } from 'node:crypto';
import type { Ctx } from '#platform/context.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import { mailInvitation } from './mails.ts';
import { INVITATION_MS } from './model.ts';

const TOKEN = /^[\w-]{16,100}$/;

/** The hash under which a token is stored. */
const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

interface InvitedSeller {
  id: string;
  name: string;
  email: string;
}

/**
 * Creates an invitation and queues its mail, in the current transaction.
 * @param replace invalidates the seller's earlier links
 * @returns the absolute URL in the mail
 */
export async function issueInvitation(
  ctx: Ctx,
  seller: InvitedSeller,
  { replace }: { replace: boolean },
): Promise<string> {
  const { id, link } = await createInvitation(ctx, seller.id, { purpose: 'invitation', replace });
  await mailInvitation(ctx, seller, { id, link });
  return link;
}

/**
 * Creates an invitation for a mail to the seller's own address, in the current transaction. The token is only in the link; the
 * database stores its hash.
 * @param purpose an invitation of the administrators, or a link that an inquiry brings along
 * @param replace invalidates the seller's earlier links
 * @returns `link`: an absolute URL
 */
export async function createInvitation(
  ctx: Ctx,
  sellerId: string,
  { purpose, replace }: { purpose: 'invitation' | 'inquiry'; replace: boolean },
): Promise<{ id: string; link: string }> {
  const q = ctx.db.q();
  const token = randomBytes(24).toString('base64url');
  if (replace)
    await q
      .deleteFrom('agent_invitations')
      .where('agent_id', '=', sellerId)
      .where('used_at', 'is', null)
      .execute();
  const { id } = await q
    .insertInto('agent_invitations')
    .values({
      agent_id: sellerId,
      purpose,
      token_hash: hashOf(token),
      expires_at: new Date(ctx.now().getTime() + INVITATION_MS),
      created_at: ctx.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, link: ctx.config.publicUrl + sellerPaths.register({ id: sellerId, token }) };
}

/** Whether a token is a valid invitation of a seller: known, unused and not expired. */
export async function isValidInvitation(ctx: Ctx, sellerId: string, token: string): Promise<boolean> {
  if (!TOKEN.test(token)) return false;
  const found = await ctx.db
    .q()
    .selectFrom('agent_invitations')
    .select('id')
    .where('agent_id', '=', sellerId)
    .where('token_hash', '=', hashOf(token))
    .where('used_at', 'is', null)
    .where('expires_at', '>', ctx.now())
    .executeTakeFirst();
  return found !== undefined;
}

/** Marks all open invitations of a seller as used. */
export async function markInvitationsUsed(ctx: Ctx, sellerId: string): Promise<void> {
  await ctx.db
    .q()
    .updateTable('agent_invitations')
    .set({ used_at: ctx.now() })
    .where('agent_id', '=', sellerId)
    .where('used_at', 'is', null)
    .execute();
}
