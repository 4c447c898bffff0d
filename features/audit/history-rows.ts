import { sql } from 'kysely';
import type { Ctx } from '#platform/context.ts';
import { isUuid } from '#platform/uuid.ts';
import { changesInWords, idsIn } from './changes.ts';
import { actionInWords, recordInWords, roleInWords } from './labels.ts';
import type { HistoryEntry } from './model.ts';

/** Columns of an audit row that its words are made of. */
export interface HistoryRow {
  id: number;
  at: Date;
  actor_id: string | null;
  actor_role: string;
  action: string;
  entity: string;
  entity_id: string;
  before: unknown;
  after: unknown;
}

export const historyColumns = [
  'id',
  'at',
  'actor_id',
  'actor_role',
  'action',
  'entity',
  'entity_id',
  'before',
  'after',
] as const;

/** Records about a person, whose personal data may have been erased. */
const PERSONAL_RECORDS = new Set(['user', 'agent']);
/** Names looked up for one page. */
const MAX_NAMES = 1000;

/** Audit rows in words, in two statements however many rows there are. */
export async function rowsInWords(ctx: Ctx, rows: readonly HistoryRow[]): Promise<HistoryEntry[]> {
  const ids = rows.flatMap((row) => [
    ...(row.actor_id === null ? [] : [row.actor_id]),
    ...idsIn(row.before),
    ...idsIn(row.after),
  ]);
  const [names, erased] = await Promise.all([
    namesOf(ctx, [...new Set(ids)].slice(0, MAX_NAMES)),
    erasedRecords(ctx, rows),
  ]);
  return rows.map((row) => ({
    id: row.id,
    at: row.at.toISOString(),
    ...whoIs(row, names),
    what: actionInWords(row.action),
    entity: row.entity,
    recordId: row.entity_id,
    record: recordInWords(row.entity),
    changes: changesInWords(stateOf(row, row.before), stateOf(row, row.after), {
      isPerson: PERSONAL_RECORDS.has(row.entity),
      erased: erased.has(`${row.entity}:${row.entity_id}`),
      names,
    }),
  }));
}

/** The value of a setting is called like the setting. */
const stateOf = ({ entity, entity_id }: HistoryRow, state: unknown): unknown =>
  entity === 'platform_setting' && typeof state === 'object' && state !== null && 'value' in state
    ? { [entity_id]: state.value }
    : state;

function whoIs({ actor_id, actor_role }: HistoryRow, names: ReadonlyMap<string, string>) {
  if (actor_id === null) return { who: roleInWords(actor_role), role: null };
  return { who: names.get(actor_id) ?? 'A deleted account', role: roleInWords(actor_role) };
}

async function namesOf(ctx: Ctx, ids: string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; name: string }>`
    select id::text, name from users where id = any(${ids}::uuid[])
    union all
    select id::text, name from agents where id = any(${ids}::uuid[])`.execute(ctx.db.q());
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Accounts and sellers among the records whose account was closed or is gone. */
async function erasedRecords(ctx: Ctx, rows: readonly HistoryRow[]): Promise<ReadonlySet<string>> {
  const about = rows.filter(({ entity }) => PERSONAL_RECORDS.has(entity));
  if (about.length === 0) return new Set();
  const ids = [...new Set(about.map(({ entity_id }) => entity_id).filter(isUuid))];
  const { rows: known } = await sql<{ record: string }>`
    select 'user:' || u.id as record from users u where u.id = any(${ids}::uuid[]) and u.closed_at is null
    union all
    select 'agent:' || a.id from agents a left join users u on u.id = a.user_id
      where a.id = any(${ids}::uuid[]) and u.closed_at is null`.execute(ctx.db.q());
  const kept = new Set(known.map(({ record }) => record));
  return new Set(
    about.map(({ entity, entity_id }) => `${entity}:${entity_id}`).filter((key) => !kept.has(key)),
  );
}
