import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import type { WebEnv } from '#app/server/environment.ts';
import { parseBounce } from '#gateways/mail/bounce.ts';
import { recordBounce } from '#platform/outbox/bounce.ts';

/**
 * POST /api/webhooks/mail-bounces: a mail that arrived at our return path, as it is (RFC 5322), from the operator's mail server, which shows
 * the secret of `MAIL_BOUNCE_SECRET` as a bearer token. Mails that report no bounce are accepted and ignored.
 */
export async function mailBounces(c: Context<WebEnv>): Promise<Response> {
  const { ctx } = c.var;
  const secret = ctx.config.mailBounceSecret;
  if (secret === undefined) return c.json({ error: 'Not set up' }, 503);
  if (!isSame(c.req.header('authorization') ?? '', `Bearer ${secret}`))
    return c.json({ error: 'The secret is not accepted' }, 401);
  const bounce = await readBounce(new Uint8Array(await c.req.raw.arrayBuffer()));
  if (bounce === undefined) return c.json({ error: 'This is no mail' }, 400);
  if (bounce && !(await recordBounce(ctx, bounce)))
    ctx.log.warn({ messageId: bounce.messageId }, 'a mail came back that is not known as sent');
  return c.json({ received: true });
}

/** Undefined for what cannot be read. */
const readBounce = (mail: Uint8Array) => parseBounce(mail).catch(() => undefined);

/** Compares hashes, since texts of different lengths cannot be compared in constant time. */
function isSame(given: string, expected: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(expected));
}
