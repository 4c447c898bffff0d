import type { Ctx } from '#platform/context.ts';

/** True for an active property type, the one that the listing already has, or none, which only administrators may leave. */
export async function isTypeAllowed(
  ctx: Ctx,
  typeId: number | null,
  currentTypeId: number | null = null,
): Promise<boolean> {
  if (typeId === null || typeId === currentTypeId) return true;
  const found = await ctx.db
    .q()
    .selectFrom('property_types')
    .select('id')
    .where('id', '=', typeId)
    .where('is_active', '=', true)
    .executeTakeFirst();
  return found !== undefined;
}
