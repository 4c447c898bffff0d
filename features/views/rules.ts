import { isbot } from 'isbot';
import type { Actor } from '#platform/context.ts';

/** Whether an opening counts: not the owner's, not an administrator's, not a robot's (B-045). */
export function countsAsView(actor: Actor, sellerId: string, userAgent: string | null): boolean {
  if (isbot(userAgent)) return false;
  return actor.kind !== 'user' || (actor.role !== 'admin' && actor.agentId !== sellerId);
}
