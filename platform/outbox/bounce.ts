import type { Ctx } from '../context.ts';
import { mailsTotal } from '../metrics.ts';
import { UNDELIVERABLE } from './outbox.ts';

/**
 * Gives up a mail that was sent and came back, so that administrators see it among those that could not be sent.
 * @param messageId its Message-ID, with the angle brackets
 * @returns false when no such mail was sent, it was given up before, or its account was erased since
 */
export async function recordBounce(
  { db }: Pick<Ctx, 'db'>,
  { messageId, reason }: { messageId: string; reason: string },
): Promise<boolean> {
  const row = await db
    .q()
    .updateTable('mail_outbox')
    .set({ status: 'dead', last_error: `It came back: ${reason || 'without a reason'}` })
    .where('message_id', '=', messageId)
    .where('status', '=', 'sent')
    .where('to_address', 'not like', `%${UNDELIVERABLE}`)
    .returning('id')
    .executeTakeFirst();
  if (row) mailsTotal.inc({ outcome: 'bounced' });
  return row !== undefined;
}
