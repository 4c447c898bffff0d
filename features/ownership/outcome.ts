import type { OwnershipStatus } from '#features/listings/ownership.ts';
import type { Ctx } from '#platform/context.ts';
import type { WithdrawnFor } from './model.ts';

/** Why a proof no longer counts, for administrators. */
const withdrawals: Record<WithdrawnFor, string> = {
  address: 'The address of the listing has changed since it was verified.',
  seller: 'The listing belongs to another seller now.',
  deleted: 'Its seller has deleted the listing.',
  malware: 'Malware was found in the document, so it was deleted.',
};

interface Decided {
  status: OwnershipStatus | 'replaced';
  decided_by: string | null;
  decider: string | null;
  withdrawn_for: WithdrawnFor | null;
}

/** What became of a proof, in a sentence: who decided what, or why it no longer counts; null while it waits. */
export function outcomeOf(ctx: Ctx, { status, decided_by, decider, withdrawn_for }: Decided): string | null {
  if (status === 'waiting') return null;
  if (status === 'replaced') return 'Its seller has uploaded another document since.';
  if (withdrawn_for) return withdrawals[withdrawn_for];
  const mine = ctx.actor.kind === 'user' && ctx.actor.id === decided_by;
  return mine ? `You have already ${status} it.` : `${decider ?? 'The system'} has already ${status} it.`;
}
