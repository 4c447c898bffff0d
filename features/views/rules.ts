import { isbot } from 'isbot';
import { nobody, signedIn } from '#platform/access.ts';
import type { Actor } from '#platform/context.ts';

/** Users see only their own views. */
export const maySeeOwnViews = signedIn;

/** Views are kept and dropped by jobs. */
export const mayKeepViews = nobody;

/**
 * Whether a page view counts: not the owner's, an administrator's or a bot's. Bots do not sign in, so the user agent of
 * signed-in users is not checked.
 */
export function countsAsView(actor: Actor, sellerId: string, userAgent: string | null): boolean {
  if (actor.kind !== 'user') return !isbot(userAgent);
  return actor.role !== 'admin' && actor.agentId !== sellerId;
}
