import type { Ctx } from '#platform/context.ts';

/** True for an active property type, and for the one that the listing has already (B-108). */
export async function typeAllowed(ctx: Ctx, typeId: number, had: number | null = null): Promise<boolean> {
  if (typeId === had) return true;
  const found = await ctx.db
    .q()
    .selectFrom('property_types')
    .select('id')
    .where('id', '=', typeId)
    .where('is_active', '=', true)
    .executeTakeFirst();
  return found !== undefined;
}
