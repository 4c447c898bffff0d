import { sql } from 'kysely';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { announce } from '../announce.ts';
import { applyChange, DAY_BEFORE, HOURS_BEFORE } from '../change-tour.ts';
import { openStatuses } from '../model.ts';
import { readTours } from '../parties.ts';
import { mayUpdateTours } from '../rules.ts';
import { settleTours } from '../settle-tours.ts';

/** Tours of one transaction. */
const BATCH = 50;
const GONE = 'The property is no longer for sale by this seller.';

/** What one run has done. */
interface UpdatedTours {
  ended: number;
  cancelled: number;
  reminded: number;
}

/**
 * Keeps tours up to date: ends those whose time has come, cancels those of properties that are no longer for sale by their seller, and
 * reminds both parties the day before and two hours before, once each. Safe to repeat and to run twice at the same time.
 * @throws Unauthenticated, Forbidden for every user
 */
export async function updateTours(ctx: Ctx): Promise<UpdatedTours> {
  authorize(ctx, mayUpdateTours);
  return {
    ended: await inBatches(ctx, () => settleTours(ctx, (tours) => tours.and([]), BATCH)),
    cancelled: await inBatches(ctx, () => cancelGone(ctx)),
    reminded:
      (await inBatches(ctx, () => remind(ctx, 'hours'))) + (await inBatches(ctx, () => remind(ctx, 'day'))),
  };
}

async function inBatches(ctx: Ctx, work: () => Promise<number>): Promise<number> {
  for (let total = 0; ; ) {
    const done = await ctx.db.tx(work);
    total += done;
    if (done < BATCH) return total;
  }
}

/** Cancels tours of properties that were sold, withdrawn, deleted or given to another seller, or whose seller is suspended. */
async function cancelGone(ctx: Ctx): Promise<number> {
  const gone = await ctx.db
    .q()
    .selectFrom('tours as t')
    .innerJoin('properties as p', 'p.id', 't.property_id')
    .select('t.id')
    .where('t.status', 'in', openStatuses)
    .where('t.starts_at', '>', ctx.now())
    .where(sql<boolean>`not (p.is_public and p.status = 'Active' and p.agent_id = t.agent_id)`)
    .orderBy('t.starts_at')
    .limit(BATCH)
    .forUpdate(['t'])
    .skipLocked()
    .execute();
  const ids = gone.map(({ id }) => id);
  if (ids.length === 0) return 0;
  for (const tour of await readTours(ctx, (tours) => tours.and([tours('tours.id', 'in', ids)])))
    await applyChange(ctx, tour, { action: 'cancel', by: 'system', at: tour.startsAt, answer: GONE });
  return ids.length;
}

const reminders = {
  day: { column: 'day_reminder_at', before: DAY_BEFORE },
  hours: { column: 'hours_reminder_at', before: HOURS_BEFORE },
} as const;

/** Reminds the parties of confirmed tours. Two hours before, the reminder of the day before is no longer due. */
async function remind(ctx: Ctx, kind: keyof typeof reminders): Promise<number> {
  const { column, before } = reminders[kind];
  const now = ctx.now();
  const due = await ctx.db
    .q()
    .selectFrom('tours')
    .select('id')
    .where('status', '=', 'confirmed')
    .where('starts_at', '>', now)
    .where('starts_at', '<=', new Date(now.getTime() + before))
    .where(column, 'is', null)
    .orderBy('starts_at')
    .limit(BATCH)
    .forUpdate()
    .skipLocked()
    .execute();
  const ids = due.map(({ id }) => id);
  if (ids.length === 0) return 0;
  await ctx.db
    .q()
    .updateTable('tours')
    .set({
      [column]: now,
      ...(kind === 'hours' && { day_reminder_at: sql`coalesce(day_reminder_at, ${now})` }),
    })
    .where('id', 'in', ids)
    .execute();
  for (const tour of await readTours(ctx, (tours) => tours.and([tours('tours.id', 'in', ids)])))
    await announce(ctx, tour, kind, { by: 'system' });
  return ids.length;
}
