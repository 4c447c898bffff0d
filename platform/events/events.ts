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

/** Publishes an event to one audience or several, in every process, when the current transaction commits; in one statement. */
export async function publish(
  ctx: Ctx,
  { audience, type, payload }: Omit<LiveEvent, 'audience'> & { audience: Audience | readonly Audience[] },
): Promise<void> {
  const audiences = [audience].flat();
  if (audiences.length === 0) return;
  await sql`with published as (
      insert into live_events (audience, type, payload, created_at)
      select audience, ${type}, ${JSON.stringify(payload)}::jsonb, ${ctx.now()} from unnest(${audiences}::text[]) audience)
    select pg_notify(${CHANNEL}, '')`.execute(ctx.db.q());
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
