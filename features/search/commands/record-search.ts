import { createHmac } from 'node:crypto';
import { isbot } from 'isbot';
import { anyone, authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { MINUTE } from '#platform/durations.ts';
import { networkOf } from '#platform/http/network-of.ts';
import { hasTokens } from '#platform/rate-limits.ts';
import { searchLimits } from '../limits.ts';
import type { SearchCriteria } from '../model.ts';

/** So long the same search of the same person is one: a list is opened again on the way back from each property. */
const REPEAT_MS = 30 * MINUTE;

/**
 * Records a search for the Search Patterns report: one row per search with text or filters, unless it is an administrator's or a
 * bot's, or one that the same person has made in the same half hour, whichever part of the map they looked at and in whichever
 * order. Visitors are told apart by their network alone; their searches beyond the limit are ignored. The page does not wait for it; a
 * failure is only logged.
 * @param input.results the total, at most 1,000
 */
export async function recordSearch(
  ctx: Ctx,
  input: { criteria: SearchCriteria; results: number; userAgent: string | null },
): Promise<void> {
  authorize(ctx, anyone);
  const { text, page, sort: _sort, after: _after, ...filters } = input.criteria;
  const used = Object.fromEntries(
    Object.entries(filters).filter(([, value]) => value !== null && value !== '' && !isEmptyList(value)),
  );
  if (page > 1 || (text === '' && Object.keys(used).length === 0)) return;
  const { actor } = ctx;
  const isUser = actor.kind === 'user';
  // Bots do not sign in.
  if (isUser ? actor.role === 'admin' : isbot(input.userAgent)) return;
  try {
    const network = `ip:${networkOf(ctx.ip)}`;
    if (!isUser && !(await hasTokens(ctx, searchLimits.record, network))) return;
    await ctx.db
      .q()
      .insertInto('search_events')
      .values({
        user_id: isUser ? actor.id : null,
        query: text,
        filters: JSON.stringify(used),
        results: input.results,
        created_at: ctx.now(),
        repeat_key: repeatKey(ctx, isUser ? actor.id : network, { text, used }),
      })
      .onConflict((conflict) => conflict.column('repeat_key').where('repeat_key', 'is not', null).doNothing())
      .execute();
  } catch (error) {
    ctx.log.error({ err: error }, 'a search was not recorded');
  }
}

/** The same for everything that counts as one search. */
function repeatKey(
  ctx: Ctx,
  viewer: string,
  { text, used: { bbox: _bbox, area: _area, ...filters } }: { text: string; used: Record<string, unknown> },
): string {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean).join(' ');
  const halfHour = Math.floor(ctx.now().getTime() / REPEAT_MS);
  return createHmac('sha256', ctx.config.secret)
    .update(JSON.stringify([halfHour, viewer, words, filters]))
    .digest('base64url')
    .slice(0, 22);
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
