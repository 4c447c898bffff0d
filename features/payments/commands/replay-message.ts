import { sql } from 'kysely';
import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { MESSAGES_KEY, messagesJob } from '../message-job.ts';
import { mayReplayMessages } from '../rules.ts';

export type MessageActionResult = { ok: true } | { ok: false; reason: 'gone' | 'no_reason' };

/**
 * Has a provider's message processed again: its provider is asked about the payment that it names, as when it arrived. Nothing
 * happens while it waits to be processed.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function replayMessage(ctx: Ctx, { id }: { id: number }): Promise<MessageActionResult> {
  authorize(ctx, mayReplayMessages);
  return ctx.db.tx(async (): Promise<MessageActionResult> => {
    const { rows } = await sql<{ status: string; attempts: number }>`
      with found as (select id, status, attempts from provider_events where id = ${safeId(id)} and status <> 'received' for update)
      update provider_events e set status = 'received', attempts = 0, next_attempt_at = ${ctx.now()}, processed_at = null
      from found where e.id = found.id returning found.status, found.attempts`.execute(ctx.db.q());
    const [before] = rows;
    if (!before) return { ok: false, reason: 'gone' };
    await audit(ctx, {
      action: 'message.replay',
      entity: 'provider_event',
      entityId: String(id),
      before: { status: before.status, attempts: before.attempts },
      after: { status: 'received', attempts: 0 },
    });
    await enqueue(ctx, messagesJob, {}, { key: MESSAGES_KEY });
    return { ok: true };
  });
}

/** An id that the database can compare. */
const safeId = (id: number): number => (Number.isSafeInteger(id) && id > 0 ? id : 0);
