import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { recordHistory } from '../history.ts';
import type { HistoryEntry } from '../model.ts';
import { mayRecordChanges } from '../rules.ts';

/**
 * Records changes in a listing's history, in the transaction that makes them.
 * @throws Unauthenticated; Forbidden
 */
export async function recordChanges(
  ctx: Ctx,
  { propertyId, changes }: { propertyId: string; changes: readonly HistoryEntry[] },
): Promise<void> {
  authorize(ctx, mayRecordChanges);
  await recordHistory(ctx, propertyId, changes);
}
