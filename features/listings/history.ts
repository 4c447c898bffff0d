import type { Ctx } from '#platform/context.ts';
import type { HistoryEntry } from './model.ts';

/** Records changes in the listing's history: stored values as text, prices in cents. */
export async function recordHistory(
  ctx: Ctx,
  propertyId: string,
  entries: readonly HistoryEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  const text = (value: string | number | null) => (value === null ? null : String(value));
  await ctx.db
    .q()
    .insertInto('property_changes')
    .values(
      entries.map(({ field, from, to, reason }) => ({
        property_id: propertyId,
        changed_by: ctx.actor.kind === 'user' ? ctx.actor.id : null,
        field,
        previous_value: text(from),
        new_value: text(to),
        reason: reason ?? null,
        created_at: ctx.now(),
      })),
    )
    .execute();
}
