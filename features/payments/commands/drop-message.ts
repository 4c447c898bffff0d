import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { cutText } from '#platform/cut-text.ts';
import { SHORT_REASON_MAX_LENGTH } from '#platform/reason-length.ts';
import { mayReplayMessages } from '../rules.ts';
import type { MessageActionResult } from './replay-message.ts';

/**
 * Ignores a provider's message that could not be processed, with a reason. What it was about is still asked for at its provider
 * as long as the sale can change.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function dropMessage(
  ctx: Ctx,
  input: { id: number; reason: string },
): Promise<MessageActionResult> {
  authorize(ctx, mayReplayMessages);
  const reason = cutText(input.reason.trim(), SHORT_REASON_MAX_LENGTH);
  if (reason === '') return { ok: false, reason: 'no_reason' };
  return ctx.db.tx(async (): Promise<MessageActionResult> => {
    const dropped = Number.isSafeInteger(input.id)
      ? await ctx.db
          .q()
          .updateTable('provider_events')
          .set({ status: 'ignored', processed_at: ctx.now() })
          .where('id', '=', input.id)
          .where('status', '=', 'dead')
          .returning('last_error')
          .executeTakeFirst()
      : undefined;
    if (!dropped) return { ok: false, reason: 'gone' };
    await audit(ctx, {
      action: 'message.drop',
      entity: 'provider_event',
      entityId: String(input.id),
      before: { status: 'dead', failure: dropped.last_error },
      after: { status: 'ignored', reason },
    });
    return { ok: true };
  });
}
