import type { Context } from 'hono';
import { readJson } from '#app/actions/read-json.ts';
import type { WebEnv } from '#app/server/environment.ts';
import { sendInquiryNotification } from '#features/inquiries/commands/send-inquiry-notification.ts';
import { inquiryNotificationSchema } from '#features/inquiries/schema.ts';

/**
 * POST /api/send-inquiry-notification {inquiryId, messageId, type}: notifies the other party of a message of the caller, once
 * for each message however often it is called. Returns {ok}.
 */
export async function inquiryNotification(c: Context<WebEnv>): Promise<Response> {
  const { ctx } = c.var;
  if (ctx.actor.kind === 'visitor') return c.json({ error: 'Authentication required' }, 401);
  const call = await readJson(c, inquiryNotificationSchema, () => 'Expected inquiryId, messageId and type');
  await sendInquiryNotification(ctx, call);
  return c.json({ ok: true });
}
