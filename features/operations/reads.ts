import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { type DeadLetter, readDeadLetters, readQueues } from '#platform/jobs/jobs.ts';
import { type DeadMail, readDeadMails } from '#platform/outbox/outbox.ts';
import { within } from '#platform/within.ts';
import { type HealthItem, healthOf } from './health.ts';
import { mayOperate } from './rules.ts';
import { readVersions, type Versions } from './versions.ts';

/** Rows on one page. */
const PAGE_SIZE = 50;

/** A page of a list, with whether there is another. */
export interface PageOf<Row> {
  rows: Row[];
  /** from 1; not the one asked for where that has nothing */
  page: number;
  more: boolean;
}

/**
 * A page of a list that is not counted. One that is empty, because its last row was just retried or dropped, means the page
 * before it, else the first.
 */
async function pageOf<Row>(
  asked: number,
  read: (limit: number, offset: number) => Promise<Row[]>,
): Promise<PageOf<Row>> {
  for (const page of [asked, asked - 1]) {
    if (page <= 1) break;
    const rows = await read(PAGE_SIZE + 1, (page - 1) * PAGE_SIZE);
    if (rows.length > 0) return cut(rows, page);
  }
  return cut(await read(PAGE_SIZE + 1, 0), 1);
}

const cut = <Row>(rows: Row[], page: number): PageOf<Row> => ({
  rows: rows.slice(0, PAGE_SIZE),
  page,
  more: rows.length > PAGE_SIZE,
});

/**
 * Jobs that failed for good, the latest first, of one type or all.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function deadJobs(
  ctx: Ctx,
  { page, job }: { page: number; job: string | null },
): Promise<PageOf<DeadLetter>> {
  authorize(ctx, mayOperate);
  return pageOf(page, (limit, offset) => readDeadLetters(ctx, limit, { offset, job }));
}

/**
 * Emails that were given up, the latest first.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function deadMails(ctx: Ctx, { page }: { page: number }): Promise<PageOf<DeadMail>> {
  authorize(ctx, mayOperate);
  return pageOf(page, (limit, offset) => readDeadMails(ctx, limit, { offset }));
}

/** A part of the page that could not be read is left out, and the reason logged. */
const unread = (ctx: Ctx, part: string) => (error: unknown) => {
  ctx.log.warn({ err: error, part }, 'a part of the state of the system could not be read');
  return null;
};

export interface SystemState {
  items: HealthItem[];
  queues: { job: string; waiting: number; oldest: string }[] | null;
  versions: Versions | null;
}

/**
 * How everything is that the marketplace depends on. Each part has its own time limit, so that the answer comes within three
 * seconds whatever hangs; a part that cannot be read is null.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function systemState(
  ctx: CtxWith<'files' | 'mailer' | 'malware' | 'payments' | 'payouts'>,
): Promise<SystemState> {
  authorize(ctx, mayOperate);
  const [items, queues, versions] = await Promise.all([
    healthOf(ctx),
    within(readQueues(ctx)).catch(unread(ctx, 'queues')),
    within(readVersions(ctx)).catch(unread(ctx, 'versions')),
  ]);
  return {
    items,
    queues:
      queues?.map(({ job, waiting, oldest }) => ({ job, waiting, oldest: oldest.toISOString() })) ?? null,
    versions,
  };
}
