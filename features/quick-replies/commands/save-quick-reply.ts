import { fieldErrors } from '#features/accounts/model.ts';
import { authorizedSeller } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { Forbidden } from '#platform/errors.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { quickReplyLimits } from '../limits.ts';
import { MAX_QUICK_REPLIES, type SaveReplyResult } from '../model.ts';
import { mayHaveQuickReplies } from '../rules.ts';
import { quickReplySchema } from '../schema.ts';

interface Input {
  /** the quick reply to change, as its form was shown; null for a new one */
  of: { id: string; version: number } | null;
  name: unknown;
  text: unknown;
}

/**
 * Adds a quick reply of the seller, or changes one. A name that another one of theirs has is refused; a form that is
 * sent again, as when its answer was lost, is saved, and adds or changes nothing.
 * @throws Unauthenticated, Forbidden for everyone but sellers and for suspended ones; TooManyRequests
 */
export async function saveQuickReply(ctx: Ctx, { of, ...input }: Input): Promise<SaveReplyResult> {
  const seller = authorizedSeller(ctx, mayHaveQuickReplies);
  if (seller.suspended) throw new Forbidden();
  const parsed = quickReplySchema.safeParse(input);
  if (!parsed.success) return { ok: false, reason: 'invalid', errors: fieldErrors(parsed.error) };
  await takeTokens(ctx, quickReplyLimits.save, seller.id);
  const { name, text } = parsed.data;
  return ctx.db.tx(async (): Promise<SaveReplyResult> => {
    const q = ctx.db.q();
    // One after the other for each seller, so that neither the count nor the name is outrun.
    await q.selectFrom('agents').select('id').where('id', '=', seller.agentId).forUpdate().execute();
    const own = await q
      .selectFrom('quick_replies')
      .select(['id', 'name', 'text', 'version'])
      .where('agent_id', '=', seller.agentId)
      .execute();
    const before = of && own.find(({ id }) => id === of.id);
    if (of && !before) return { ok: false, reason: 'gone' };
    if (before && before.version !== of.version)
      return before.name === name && before.text === text
        ? { ok: true }
        : { ok: false, reason: 'newer', current: before };
    if (!of && own.some((reply) => reply.name === name && reply.text === text)) return { ok: true };
    const others = own.filter((reply) => reply !== before);
    if (others.some((reply) => reply.name.toLowerCase() === name.toLowerCase()))
      return { ok: false, reason: 'invalid', errors: { name: 'You have a quick reply of this name.' } };
    if (others.length >= MAX_QUICK_REPLIES) return { ok: false, reason: 'too_many' };
    const saved = before
      ? await q
          .updateTable('quick_replies')
          .set({ name, text, version: before.version + 1 })
          .where('id', '=', before.id)
          .returning('id')
          .executeTakeFirstOrThrow()
      : await q
          .insertInto('quick_replies')
          .values({ agent_id: seller.agentId, name, text, created_at: ctx.now() })
          .returning('id')
          .executeTakeFirstOrThrow();
    await audit(ctx, {
      action: before ? 'quick_reply.change' : 'quick_reply.add',
      entity: 'quick_reply',
      entityId: saved.id,
      ...(before && { before: { name: before.name, text: before.text } }),
      after: { name, text },
    });
    return { ok: true };
  });
}
