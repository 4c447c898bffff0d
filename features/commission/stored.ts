import type { Ctx } from '#platform/context.ts';
import { type Commission, DEFAULT_ADMIN_PERCENTAGE } from './model.ts';

/** What is stored, or the default. */
export async function storedCommission(ctx: Ctx): Promise<Commission> {
  const row = await ctx.db
    .q()
    .selectFrom('commission_settings')
    .select(['admin_percentage', 'effective_from', 'next_percentage', 'next_from'])
    .executeTakeFirst();
  if (!row) return { percent: DEFAULT_ADMIN_PERCENTAGE, effectiveFrom: null, next: null };
  const { next_percentage: percent, next_from: from } = row;
  return {
    percent: row.admin_percentage,
    effectiveFrom: row.effective_from,
    next: percent === null || from === null ? null : { percent, from },
  };
}
