import { createHash, randomBytes } from 'node:crypto';
import { paths } from '#app/paths.ts';
import type { Ctx } from '#platform/context.ts';
import { mailInvitation } from './mails.ts';
import { INVITATION_MS } from './model.ts';

const TOKEN = /^[\w-]{16,100}$/;

/** What the table keeps of a token (B-095). */
const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

interface Invited {
  id: string;
  name: string;
  email: string;
}

/**
 * Writes a new invitation and queues its mail, in the running transaction. Earlier links of the seller end with it
 * (B-153). The token itself stands in the mail alone.
 * @returns the absolute link of the mail
 */
export async function issueInvitation(ctx: Ctx, seller: Invited): Promise<string> {
  const q = ctx.db.q();
  const token = randomBytes(24).toString('base64url');
  await q
    .deleteFrom('agent_invitations')
    .where('agent_id', '=', seller.id)
    .where('used_at', 'is', null)
    .execute();
  const { id } = await q
    .insertInto('agent_invitations')
    .values({
      agent_id: seller.id,
      token_hash: hashOf(token),
      expires_at: new Date(ctx.now().getTime() + INVITATION_MS),
      created_at: ctx.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const link = ctx.config.publicUrl + paths.agentRegister({ id: seller.id, token });
  await mailInvitation(ctx, seller, { id, link });
  return link;
}

/** Whether a token is a seller's open invitation: known, not used, not too old. */
export async function isInvited(ctx: Ctx, sellerId: string, token: string): Promise<boolean> {
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

/** Ends all open invitations of a seller: each works once. */
export async function spendInvitations(ctx: Ctx, sellerId: string): Promise<void> {
  await ctx.db
    .q()
    .updateTable('agent_invitations')
    .set({ used_at: ctx.now() })
    .where('agent_id', '=', sellerId)
    .where('used_at', 'is', null)
    .execute();
}
