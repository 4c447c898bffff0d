import { sql } from 'kysely';
import type { Actor, Ctx, Role } from '../context.ts';
import { defineJob, handle } from '../jobs/job.ts';

export type Audience = `user:${string}` | `role:${Role}` | 'public';

/** What happened, for those who look at it now. `payload` is JSON without secrets; pages re-read what they show. */
export interface LiveEvent {
  audience: Audience;
  /** as `noun.happened`; `session` means that a sign-in or sign-out changed who the person is */
  type: string;
  payload: Record<string, unknown>;
}

export const CHANNEL = 'live';
/** A stream may resume for this long. */
export const KEPT_MS = 24 * 3_600_000;

/** Tells everyone in the audience, in every process, when the running transaction commits. */
export async function publish(ctx: Ctx, { audience, type, payload }: LiveEvent): Promise<void> {
  await ctx.db.tx(async (q) => {
    await q
      .insertInto('live_events')
      .values({ audience, type, payload: JSON.stringify(payload), created_at: ctx.now() })
      .execute();
    await sql`select pg_notify(${CHANNEL}, '')`.execute(q);
  });
}

/** The same event to many people, by one statement. */
export async function publishToUsers(
  ctx: Ctx,
  userIds: readonly string[],
  { type, payload }: Omit<LiveEvent, 'audience'>,
): Promise<void> {
  if (userIds.length === 0) return;
  await ctx.db.tx(async (q) => {
    await sql`insert into live_events (audience, type, payload, created_at)
      select 'user:' || id, ${type}, ${JSON.stringify(payload)}::jsonb, ${ctx.now()}
      from unnest(${userIds}::uuid[]) id`.execute(q);
    await sql`select pg_notify(${CHANNEL}, '')`.execute(q);
  });
}

/** Which events an actor may see. */
export function audiencesOf(actor: Actor): Audience[] {
  return actor.kind === 'user' ? ['public', `role:${actor.role}`, `user:${actor.id}`] : ['public'];
}

/** Drops events that no stream can ask for any more. */
export const sweepEvents = handle(defineJob('events.sweep', { cron: '37 * * * *' }), async (ctx) => {
  const before = new Date(ctx.now().getTime() - KEPT_MS);
  await ctx.db.q().deleteFrom('live_events').where('created_at', '<', before).execute();
});
