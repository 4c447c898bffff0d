import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { readHistory } from '../message-history.ts';
import type { MessageHistory } from '../oversight-model.ts';
import { mayOversee } from '../rules.ts';

/**
 * A conversation of others, with up to 100 of its messages, for an administrator. Every opening is recorded; its parties are told
 * above their message box that it can happen.
 * @throws Unauthenticated, Forbidden for everyone but administrators; NotFound; BadRequest for an invalid cursor
 */
export async function openConversation(
  ctx: Ctx,
  { inquiryId, before = null }: { inquiryId: string; before?: string | null },
): Promise<MessageHistory> {
  authorize(ctx, mayOversee);
  return ctx.db.tx(async () => {
    const history = await readHistory(ctx, inquiryId, before);
    await audit(ctx, { action: 'inquiry.open', entity: 'property_inquiry', entityId: history.id });
    return history;
  });
}
