import { anyone, authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import type { SearchCriteria } from '../model.ts';

/**
 * Records a search for the Search Patterns report: one row per search with text or filters. The page does not wait
 * for it; a failure is only logged.
 * @param input.results the total, at most 1,000
 */
export async function recordSearch(
  ctx: Ctx,
  input: { criteria: SearchCriteria; results: number },
): Promise<void> {
  authorize(ctx, anyone);
  const { text, page, sort: _sort, after: _after, ...filters } = input.criteria;
  const used = Object.fromEntries(
    Object.entries(filters).filter(([, value]) => value !== null && value !== '' && !isEmptyList(value)),
  );
  if (page > 1 || (text === '' && Object.keys(used).length === 0)) return;
  try {
    await ctx.db
      .q()
      .insertInto('search_events')
      .values({
        user_id: ctx.actor.kind === 'user' ? ctx.actor.id : null,
        query: text,
        filters: JSON.stringify(used),
        results: input.results,
        created_at: ctx.now(),
      })
      .execute();
  } catch (error) {
    ctx.log.error({ err: error }, 'a search was not recorded');
  }
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
