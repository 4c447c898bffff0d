import type { PropertyStatus } from '#features/listings/model.ts';
import type { Ctx } from '#platform/context.ts';

const done: Readonly<Record<string, string>> = {
  'listing.approve': 'approved it',
  'listing.request_changes': 'requested changes',
  'listing.reject': 'rejected it',
};

/** What became of a listing that no longer waits for a decision, in a sentence: who decided what, or that it is gone. */
export async function outcomeOf(ctx: Ctx, id: string, status: PropertyStatus | null): Promise<string> {
  if (status === null) return 'Its seller has deleted it.';
  if (status === 'withdrawn') return 'Its seller has withdrawn it.';
  const last = await ctx.db
    .q()
    .selectFrom('audit_log')
    .leftJoin('users', 'users.id', 'audit_log.actor_id')
    .select(['audit_log.action', 'audit_log.actor_id', 'users.name'])
    .where('entity', '=', 'property')
    .where('entity_id', '=', id)
    .where('action', 'in', Object.keys(done))
    .orderBy('audit_log.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const what = last && done[last.action];
  if (!what) return 'It no longer waits for approval.';
  const mine = ctx.actor.kind === 'user' && ctx.actor.id === last.actor_id;
  return mine ? `You have already ${what}.` : `${last.name ?? 'The system'} has already ${what}.`;
}
