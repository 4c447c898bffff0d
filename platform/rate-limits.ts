import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { Ctx } from './context.ts';
import { DAY, MINUTE, SECOND } from './durations.ts';
import { TooManyRequests } from './errors.ts';
import { defineJob, handle } from './jobs/job.ts';

/** At most `limit` uses per window of `windowSeconds`, counted across all processes. */
interface RateLimit {
  name: string;
  limit: number;
  windowSeconds: number;
}

/** A limit of `limit` uses per window; the window is a duration in milliseconds. */
export const per = (name: string, limit: number, window: number): RateLimit => ({
  name,
  limit,
  windowSeconds: window / SECOND,
});

/** Rate limits by operation. All limits of a list apply. */
export const rateLimits = {
  /** two listings of fifty photos, with some retries */
  upload: [per('upload', 150, 10 * MINUTE), per('upload-day', 1_500, DAY)],
} as const satisfies Record<string, readonly RateLimit[]>;

/** LIMITS=relaxed multiplies every limit by this. */
export const RELAXED_FACTOR = 1_000;
const RETENTION_MS = 2 * DAY;

/** Takes a token of one limit, as `takeTokens` does of a list. */
export const takeToken = (ctx: Ctx, { key, ...limit }: RateLimit & { key: string }): Promise<void> =>
  takeTokens(ctx, [limit], key);

/**
 * Counts one use in every limit of a list, up to the first that is exceeded, and rejects it there. Must be called outside a transaction,
 * so that a use that fails and rolls back stays counted. The key (an address, an account) is stored only as a keyed hash.
 * @throws TooManyRequests with the seconds until the next use is possible
 */
export async function takeTokens(ctx: Ctx, list: readonly RateLimit[], key: string): Promise<void> {
  if (ctx.db.q().isTransaction) throw new Error(`The limit ${list[0]?.name} was asked inside a transaction`);
  if (list.length === 0) return;
  const now = ctx.now().getTime();
  const counters = list.map(({ name, limit, windowSeconds }, at) => ({
    name: sql.raw(`counter_${at}`),
    before: at > 0 ? sql.raw(`counter_${at - 1}`) : null,
    bucket: bucket(ctx, name, key),
    start: now - (now % (windowSeconds * SECOND)),
    most: limit * (ctx.config.relaxedLimits ? RELAXED_FACTOR : 1),
    windowSeconds,
  }));
  // In one statement: many of the requests that are limited do little else.
  const { rows } = await sql<{ hits: (number | null)[] }>`with ${sql.join(
    counters.map(
      ({ name, before, bucket, start }, at) => sql`${name} as (
        insert into rate_limits (bucket, window_start, hits)
        select ${bucket}, ${new Date(start)}::timestamptz, 1
          ${before ? sql`from ${before} where hits <= ${counters[at - 1]?.most}` : sql``}
        on conflict (bucket, window_start) do update set hits = rate_limits.hits + 1
        returning hits)`,
    ),
  )} select array[${sql.join(counters.map(({ name }) => sql`(select hits from ${name})`))}] as hits`.execute(
    ctx.db.q(),
  );
  for (const [at, { start, most, windowSeconds }] of counters.entries())
    if ((rows[0]?.hits[at] ?? 0) > most)
      throw new TooManyRequests(Math.ceil((start + windowSeconds * SECOND - now) / SECOND));
}

/** Takes a token of every limit of a list; false beyond one, for what is then left out rather than refused. */
export async function hasTokens(ctx: Ctx, list: readonly RateLimit[], key: string): Promise<boolean> {
  try {
    await takeTokens(ctx, list, key);
    return true;
  } catch (error) {
    if (error instanceof TooManyRequests) return false;
    throw error;
  }
}

/** Resets the counters of a key, for instance after the right password. */
export async function resetTokens(ctx: Ctx, list: readonly RateLimit[], key: string): Promise<void> {
  const buckets = list.map(({ name }) => bucket(ctx, name, key));
  await ctx.db.q().deleteFrom('rate_limits').where('bucket', 'in', buckets).execute();
}

const bucket = (ctx: Ctx, name: string, key: string) =>
  `${name}:${createHmac('sha256', ctx.config.secret).update(key).digest('base64url')}`;

/** Deletes the counters of past windows. */
export const deleteOldCounters = handle(defineJob('limits.sweep', { cron: '17 * * * *' }), async (ctx) => {
  const before = new Date(ctx.now().getTime() - RETENTION_MS);
  await ctx.db.q().deleteFrom('rate_limits').where('window_start', '<', before).execute();
});
