import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { Ctx } from './context.ts';
import { TooManyRequests } from './errors.ts';
import { defineJob, handle } from './jobs/job.ts';

/** `limit` times in each window of `windowSeconds`, counted together by all processes. */
export interface Limit {
  name: string;
  limit: number;
  windowSeconds: number;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const per = (name: string, limit: number, windowSeconds: number): Limit => ({ name, limit, windowSeconds });

/** What people may do how often. Every limit of a list holds. */
export const limits = {
  /** B-089: five tries, then longer and longer waits; by account and address */
  signIn: [per('sign-in', 5, MINUTE), per('sign-in-quarter', 10, 15 * MINUTE), per('sign-in-day', 40, DAY)],
  /** one address trying many accounts */
  signInByAddress: [per('sign-in-address', 30, 5 * MINUTE)],
  signUp: [per('sign-up', 10, HOUR)],
  /** B-092: 3 an hour for each account, known or not */
  passwordReset: [per('password-reset', 3, HOUR)],
  inquiry: [per('inquiry', 3, MINUTE), per('inquiry-day', 10, DAY)],
  reply: [per('reply', 30, MINUTE), per('reply-day', 500, DAY)],
  report: [per('report', 10, HOUR)],
  /** R18; unpaid holds are counted apart, from the sales themselves */
  beginPurchase: [per('begin-purchase', 10, MINUTE), per('begin-purchase-day', 100, DAY)],
  openCheckout: [per('open-checkout', 20, MINUTE)],
  actOnSale: [per('act-on-sale', 20, MINUTE)],
  /** B-080 */
  diagnostics: [per('diagnostics', 5, MINUTE)],
  /** two listings of fifty photographs, with some tries again */
  upload: [per('upload', 150, 10 * MINUTE), per('upload-day', 1_500, DAY)],
} as const satisfies Record<string, readonly Limit[]>;

/** What LIMITS=relaxed multiplies every limit by. */
export const RELAXED = 1_000;
const KEPT_DAYS = 2;

/**
 * Counts one use and refuses it beyond the limit. Must stand outside a transaction: a use that then fails and rolls
 * back has to stay counted. The key (an address, an account) is stored only as a keyed hash.
 * @throws TooManyRequests with the seconds until the next use is possible
 */
export async function takeToken(
  ctx: Ctx,
  { name, key, limit, windowSeconds }: Limit & { key: string },
): Promise<void> {
  if (ctx.db.q().isTransaction) throw new Error(`The limit ${name} was asked inside a transaction`);
  const now = ctx.now().getTime();
  const start = now - (now % (windowSeconds * 1000));
  const { hits } = await ctx.db
    .q()
    .insertInto('rate_limits')
    .values({ bucket: bucket(ctx, name, key), window_start: new Date(start), hits: 1 })
    .onConflict((conflict) =>
      conflict.columns(['bucket', 'window_start']).doUpdateSet({ hits: sql`rate_limits.hits + 1` }),
    )
    .returning('hits')
    .executeTakeFirstOrThrow();
  if (hits <= limit * (ctx.config.relaxedLimits ? RELAXED : 1)) return;
  throw new TooManyRequests(Math.ceil((start + windowSeconds * 1000 - now) / 1000));
}

/**
 * Takes a token of every limit of a list, for instance `limits.inquiry`.
 * @throws TooManyRequests
 */
export async function takeTokens(ctx: Ctx, list: readonly Limit[], key: string): Promise<void> {
  for (const limit of list) await takeToken(ctx, { ...limit, key });
}

/** Forgets the uses of a key, for instance after the right password. */
export async function returnTokens(ctx: Ctx, list: readonly Limit[], key: string): Promise<void> {
  const buckets = list.map(({ name }) => bucket(ctx, name, key));
  await ctx.db.q().deleteFrom('rate_limits').where('bucket', 'in', buckets).execute();
}

const bucket = (ctx: Ctx, name: string, key: string) =>
  `${name}:${createHmac('sha256', ctx.config.secret).update(key).digest('base64url')}`;

/** Drops the counters of windows long past. */
export const sweepLimits = handle(defineJob('limits.sweep', { cron: '17 * * * *' }), async (ctx) => {
  const before = new Date(ctx.now().getTime() - KEPT_DAYS * DAY * 1000);
  await ctx.db.q().deleteFrom('rate_limits').where('window_start', '<', before).execute();
});
