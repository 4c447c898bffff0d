import { type RawBuilder, sql } from 'kysely';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { DAY } from '#platform/durations.ts';
import { type HistoryFilters, SYSTEM } from './history-filters.ts';
import { type HistoryRow, rowsInWords } from './history-rows.ts';
import type { HistoryPage } from './model.ts';
import { mayReadHistory } from './rules.ts';

/** Rows on one page. */
const PAGE_SIZE = 50;

/**
 * The audit log in words, the latest first, by pages of 50; `before` is `older` of the page before.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function historyList(
  ctx: Ctx,
  { before, ...filters }: HistoryFilters & { before: string | null },
): Promise<HistoryPage> {
  authorize(ctx, mayReadHistory);
  return historyPage(ctx, filters, keyFrom(before), PAGE_SIZE);
}

/** One page of the audit log, for the list and the file. */
export async function historyPage(
  ctx: Ctx,
  filters: HistoryFilters,
  key: HistoryKey | null,
  size: number,
): Promise<HistoryPage> {
  const conditions = await conditionsOf(ctx, filters);
  if (conditions === null) return { entries: [], older: null, isLater: key !== null };
  if (key)
    conditions.push(
      sql`(a.at, a.id) < (timestamptz 'epoch' + ${key.micros}::bigint * interval '1 microsecond', ${key.id}::bigint)`,
    );
  const found = sql`select a.* from audit_log a
    ${conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`}`;
  // One record has few rows, which an index finds; an index in the order of time would be walked until they are met.
  const rows = filters.recordId
    ? sql<KeyedRow>`with a as materialized (${found}) select ${columns} from a order by a.at desc, a.id desc limit ${size + 1}`
    : sql<KeyedRow>`select ${columns} from (${found} order by a.at desc, a.id desc limit ${size + 1}) a
        order by a.at desc, a.id desc`;
  const { rows: all } = await rows.execute(ctx.db.q());
  const page = all.slice(0, size);
  const last = page.at(-1);
  return {
    entries: await rowsInWords(ctx, page),
    older: all.length > size && last ? `${last.micros}~${last.id}` : null,
    isLater: key !== null,
  };
}

type KeyedRow = HistoryRow & { micros: string };

const columns = sql`a.id, a.at, a.actor_id, a.actor_role, a.action, a.entity, a.entity_id, a.before, a.after,
  (extract(epoch from a.at) * 1000000)::bigint::text as micros`;

interface HistoryKey {
  /** microseconds since 1970, UTC */
  micros: string;
  id: number;
}

/** The last row of a page, as the browser sends it; null for anything that was no such row. */
export function keyFrom(text: string | null): HistoryKey | null {
  const [, micros, id] = /^(\d{1,17})~([1-9]\d{0,14})$/.exec(text ?? '') ?? [];
  return micros === undefined || id === undefined ? null : { micros, id: Number(id) };
}

/** SQL conditions on `audit_log a`; null when nothing can match. */
async function conditionsOf(ctx: Ctx, filters: HistoryFilters): Promise<RawBuilder<unknown>[] | null> {
  const { who, action, record, recordId, from, to } = filters;
  const all: RawBuilder<unknown>[] = [];
  if (who === SYSTEM) all.push(sql`a.actor_id is null`);
  else if (who) {
    const id = await accountOf(ctx, who);
    if (id === null) return null;
    all.push(sql`a.actor_id = ${id}`);
  }
  if (action) all.push(sql`a.action = ${action}`);
  if (record) all.push(sql`a.entity = ${record}`);
  if (recordId) {
    if (!record) return null;
    all.push(sql`a.entity_id = ${recordId}`);
  }
  if (from) all.push(sql`a.at >= ${new Date(from)}`);
  if (to) all.push(sql`a.at < ${new Date(Date.parse(to) + DAY)}`);
  return all;
}

async function accountOf(ctx: Ctx, email: string): Promise<string | null> {
  const user = await ctx.db
    .q()
    .selectFrom('users')
    .select('id')
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst();
  return user?.id ?? null;
}
