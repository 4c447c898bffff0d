import type { ExpressionBuilder } from 'kysely';
import { sql } from 'kysely';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import { MINUTE } from '#platform/durations.ts';
import { announce } from './announce.ts';
import { openStatuses, TOUR_MINUTES } from './model.ts';
import { readTours } from './parties.ts';

type Where = (tours: ExpressionBuilder<DB, 'tours'>) => ReturnType<ExpressionBuilder<DB, 'tours'>['and']>;

/**
 * Ends tours whose time has come, in the current transaction: a confirmed one is done half an hour after it began, one without an
 * answer has lapsed when it would have begun. Tours that another transaction holds are left to the next time.
 * @returns how many have ended
 */
export async function settleTours(ctx: Ctx, where: Where, limit = 100): Promise<number> {
  const now = ctx.now();
  const over = new Date(now.getTime() - TOUR_MINUTES * MINUTE);
  const ended = await ctx.db
    .q()
    .selectFrom('tours')
    .select('id')
    .where('status', 'in', openStatuses)
    .where('starts_at', '<=', now)
    .where((tours) => tours.or([tours('status', '<>', 'confirmed'), tours('starts_at', '<=', over)]))
    .where((tours) => where(tours as unknown as ExpressionBuilder<DB, 'tours'>))
    .orderBy('starts_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
  if (ended.length === 0) return 0;
  const ids = ended.map(({ id }) => id);
  await ctx.db
    .q()
    .updateTable('tours')
    .set((tour) => ({
      status: sql<
        'done' | 'lapsed'
      >`case when ${tour.ref('status')} = 'confirmed' then 'done' else 'lapsed' end`,
      sequence: sql`${tour.ref('sequence')} + 1`,
      changed_at: now,
    }))
    .where('id', 'in', ids)
    .execute();
  for (const tour of await readTours(ctx, (tours) => tours.and([tours('tours.id', 'in', ids)]))) {
    await audit(ctx, {
      action: tour.status === 'done' ? 'tour.done' : 'tour.lapse',
      entity: 'tour',
      entityId: tour.id,
    });
    if (tour.status === 'lapsed') await announce(ctx, tour, 'lapsed', { by: 'system' });
  }
  return ended.length;
}
