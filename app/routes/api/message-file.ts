import type { Context } from 'hono';
import type { WebEnv } from '#app/server/environment.ts';
import { openMessageFile } from '#features/message-files/commands/open-message-file.ts';

/** GET /message-files/:id : leads those who may read a file of a conversation to its signed address. */
export async function messageFile(c: Context<WebEnv>): Promise<Response> {
  const link = await openMessageFile(c.var.ctx, { fileId: c.req.param('id') ?? '' });
  c.header('cache-control', 'private, no-store');
  return c.redirect(link, 303);
}
