import { isbot } from 'isbot';
import { signedIn } from '#platform/access.ts';
import type { Actor } from '#platform/context.ts';

/** What one looked at is one's own (S0 §6). */
export const maySeeOwnViews = signedIn;

/**
 * Whether an opening counts: not the owner's, not an administrator's, not a robot's (B-045). Robots do not sign in, so
 * whoever is signed in is a person, whatever their browser calls itself.
 */
export function countsAsView(actor: Actor, sellerId: string, userAgent: string | null): boolean {
  if (actor.kind !== 'user') return !isbot(userAgent);
  return actor.role !== 'admin' && actor.agentId !== sellerId;
}
