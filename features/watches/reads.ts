import { sql } from 'kysely';
import { anyone, authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';

export interface Marks {
  watched: string[];
  viewed: string[];
}

/** Which of these properties the person watches and has viewed before; nothing for visitors, and without a query. */
export async function marksFor(ctx: Ctx, propertyIds: readonly string[]): Promise<Marks> {
  authorize(ctx, anyone);
  if (ctx.actor.kind !== 'user' || propertyIds.length === 0) return { watched: [], viewed: [] };
  const { rows } = await sql<{ watched: string[]; viewed: string[] }>`select
    array(select property_id from property_watches
      where user_id = ${ctx.actor.id} and property_id = any(${propertyIds}::uuid[])) as watched,
    array(select property_id from property_views
      where user_id = ${ctx.actor.id} and property_id = any(${propertyIds}::uuid[])) as viewed
  `.execute(ctx.db.q());
  return rows[0] ?? { watched: [], viewed: [] };
}
