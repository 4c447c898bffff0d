import type { Ctx } from '#platform/context.ts';

/** True for an active property type, or the one that the listing already has. */
export async function isTypeAllowed(
  ctx: Ctx,
  typeId: number,
  currentTypeId: number | null = null,
): Promise<boolean> {
  if (typeId === currentTypeId) return true;
  const found = await ctx.db
    .q()
    .selectFrom('property_types')
    .select('id')
    .where('id', '=', typeId)
    .where('is_active', '=', true)
    .executeTakeFirst();
  return found !== undefined;
}
