import { sql } from 'kysely';
import type { Actor, Ctx, Role } from '../context.ts';
import { DAY } from '../durations.ts';
import { defineJob, handle } from '../jobs/job.ts';

export type Audience = `user:${string}` | `role:${Role}` | 'public';

/** A notification for open pages. `payload` is JSON without secrets; pages reload the data that they show. */
export interface LiveEvent {
  audience: Audience;
  /** as `noun.happened`; `session` means that the user signed in or out */
  type: string;
  payload: Record<string, unknown>;
}

export const CHANNEL = 'live';
/** How long a stream can be resumed. */
export const RETENTION_MS = DAY;

/** Publishes an event to its audience, in every process, when the current transaction commits. */
export async function publish(ctx: Ctx, { audience, type, payload }: LiveEvent): Promise<void> {
  await ctx.db.tx(async () => {
    await ctx.db
      .q()
      .insertInto('live_events')
      .values({ audience, type, payload: JSON.stringify(payload), created_at: ctx.now() })
      .execute();
    await sql`select pg_notify(${CHANNEL}, '')`.execute(ctx.db.q());
  });
}

/** Publishes the same event to many users with one statement. */
export async function publishToUsers(
  ctx: Ctx,
  userIds: readonly string[],
  { type, payload }: Omit<LiveEvent, 'audience'>,
): Promise<void> {
  if (userIds.length === 0) return;
  await ctx.db.tx(async () => {
    await sql`insert into live_events (audience, type, payload, created_at)
      select 'user:' || id, ${type}, ${JSON.stringify(payload)}::jsonb, ${ctx.now()}
      from unnest(${userIds}::uuid[]) id`.execute(ctx.db.q());
    await sql`select pg_notify(${CHANNEL}, '')`.execute(ctx.db.q());
  });
}

/** The audiences that an actor belongs to. */
export function audiencesOf(actor: Actor): Audience[] {
  return actor.kind === 'user' ? ['public', `role:${actor.role}`, `user:${actor.id}`] : ['public'];
}

/** Deletes events that are too old for any stream to resume from. */
export const deleteOldEvents = handle(defineJob('events.sweep', { cron: '37 * * * *' }), async (ctx) => {
  const before = new Date(ctx.now().getTime() - RETENTION_MS);
  await ctx.db.q().deleteFrom('live_events').where('created_at', '<', before).execute();
});
