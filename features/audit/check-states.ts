import { sql } from 'kysely';
import type { Ctx } from '#platform/context.ts';
import type { FindingList } from './findings.ts';
import { ID_WINDOW } from './id-window.ts';
import { BASELINE, presentState, type StateKind, stateKinds } from './states.ts';

/** Sales, listings … looked at in one statement. */
const PAGE = 500;

interface Found {
  wrong: 'state' | 'change';
  id: string;
  detail: string;
}

/**
 * Follows the audit rows of each sale, listing, seller and setting, from its beginning or its latest baseline: each must go on
 * where the one before it ended, the last one must end at the present state, and each entry of a history of its own must have
 * one audit row and each such audit row its entry. A change without its row, a second row for one change and a change behind
 * the application's back all break this.
 */
export async function checkStates(
  ctx: Ctx,
  found: FindingList,
  kinds: readonly StateKind[] = stateKinds,
): Promise<void> {
  for (const kind of kinds) {
    await checkPresent(ctx, kind, found);
    await findVanished(ctx, kind, found);
  }
}

async function checkPresent(ctx: Ctx, kind: StateKind, found: FindingList): Promise<void> {
  let page = await readPage(ctx, kind, null);
  for (;;) {
    for (const { wrong, id, detail } of page.found)
      found.add(
        wrong === 'state'
          ? 'sales, listings, sellers and settings are as their audit rows say'
          : 'each change of state has one audit row',
        `${kind.name} ${id}`,
        detail,
      );
    if (page.size < PAGE) return;
    page = await readPage(ctx, kind, page.last);
  }
}

interface Page {
  /** key of its last row */
  last: string | null;
  size: number;
  found: Found[];
}

async function readPage(ctx: Ctx, kind: StateKind, after: string | null): Promise<Page> {
  const { rows } = await sql<Page>`
    with page as materialized (${pageOf(kind, after)}),
      ${rowsOf(kind)},
      wrong as (${brokenPaths(kind)} ${kind.history ? sql`union all ${unmatchedChanges()}` : sql``})
    select (select id from page order by key desc limit 1) as last, (select count(*) from page) as size,
      (select coalesce(jsonb_agg(w), '[]') from wrong w) as found`.execute(ctx.db.q());
  return rows[0] ?? { last: null, size: 0, found: [] };
}

/** The next rows of the table with their state and the entries of their history. */
function pageOf(kind: StateKind, after: string | null) {
  const key = sql.raw(`t.${kind.key}`);
  const { history } = kind;
  const entries = history
    ? sql`(select jsonb_agg(jsonb_build_object('id', entry.id, 'what', ${sql.raw(history.entry)})) from ${sql.raw(history.from)})`
    : sql`null::jsonb`;
  const further = after === null ? sql`true` : sql`${key} > ${after}::${sql.raw(kind.keyType)}`;
  return sql`select ${key} as key, ${key}::text as id, ${sql.raw(presentState(kind))} as state, ${entries} as entries
    from ${sql.table(kind.table)} t where ${further} order by ${key} limit ${PAGE}`;
}

/** `audited`: the audit rows of the page since the latest baseline of each, `began` being that baseline. */
function rowsOf({ entity, initial, history }: StateKind) {
  return sql`
    began as (
      select page.id, max(b.id) as audit_id, coalesce(max((b.after ->> 'history')::bigint), 0) as history
      from page left join audit_log b on b.entity = ${entity} and b.entity_id = page.id and b.action = ${BASELINE}
      group by page.id),
    audited as (
      select began.id, a.id as audit_id, a.action, a.before,
        coalesce(${JSON.stringify(initial)}::jsonb -> a.action, '{}') || coalesce(a.after, '{}') as after,
        ${history ? sql`case when ${sql.raw(history.isChange)} then ${sql.raw(history.audited)} end` : sql`null`} as what
      from began join audit_log a on a.entity = ${entity} and a.entity_id = began.id
        and a.id >= coalesce(began.audit_id, 0))`;
}

const brokenPaths = ({ fields }: StateKind) => sql`
  select 'state' as wrong, id, 'audit row ' || audit_id || ' (' || action || ') changes ' || field || ' from '
      || coalesce(was, 'null') || ', but the row before it left ' || coalesce(previous, 'null') as detail
    from (
      select a.id, a.audit_id, a.action, f.field, nullif(a.before -> f.field, 'null') as was,
        lag(nullif(a.after -> f.field, 'null')) over (partition by a.id, f.field order by a.audit_id) as previous
      from audited a, unnest(${Object.keys(fields)}::text[]) f (field) where a.after ? f.field) step
    where action <> ${BASELINE} and was is distinct from previous
  union all
  select 'state', page.id, f.field || ' is ' || coalesce(nullif(page.state -> f.field, 'null'), 'null')
      || ', its audit rows end with ' || coalesce(last.value, 'null')
    from page cross join unnest(${Object.keys(fields)}::text[]) f (field)
    left join lateral (
      select nullif(a.after -> f.field, 'null') as value from audited a
      where a.id = page.id and a.after ? f.field order by a.audit_id desc limit 1) last on true
    where nullif(page.state -> f.field, 'null') is distinct from last.value`;

/** Pairs the n-th entry that says something with the n-th audit row that says the same. */
const unmatchedChanges = () => sql`
  select 'change', coalesce(e.id, a.id), case when a.id is null then 'no audit row says: ' || e.what
      else 'no entry of its history says: ' || a.what || ' (audit row ' || a.audit_id || ')' end
    from (
      select page.id, entry ->> 'what' as what,
        row_number() over (partition by page.id, entry ->> 'what' order by (entry ->> 'id')::bigint) as n
      from page join began on began.id = page.id, jsonb_array_elements(page.entries) entry
      where (entry ->> 'id')::bigint > began.history) e
    full join (
      select id, audit_id, what, row_number() over (partition by id, what order by audit_id) as n
      from audited where what is not null) a on a.id = e.id and a.what = e.what and a.n = e.n
    where a.id is null or e.id is null`;

/** What the audit log knows in some state and the database does not have anymore. */
async function findVanished(ctx: Ctx, kind: StateKind, found: FindingList): Promise<void> {
  const { rows } = await sql<{ newest: number | null }>`select max(id) as newest from audit_log`.execute(
    ctx.db.q(),
  );
  const newest = rows[0]?.newest ?? 0;
  const fields = Object.keys(kind.fields);
  for (let after = 0; after < newest; after += ID_WINDOW) {
    const vanished = await sql<{ id: string }>`select distinct a.entity_id as id from audit_log a
      where a.id > ${after} and a.id <= ${after + ID_WINDOW} and a.entity = ${kind.entity} and a.after ?| ${fields}::text[]
        and not exists (select from ${sql.table(kind.table)} t where t.${sql.raw(kind.key)}::text = a.entity_id)
        -- A setting may be deleted; its last row then says so.
        and exists (select from jsonb_each((select l.after from audit_log l where l.entity = a.entity
          and l.entity_id = a.entity_id order by l.id desc limit 1)) where key = any(${fields}::text[]) and value <> 'null')`.execute(
      ctx.db.q(),
    );
    for (const { id } of vanished.rows)
      found.add(
        'sales, listings, sellers and settings are as their audit rows say',
        `${kind.name} ${id}`,
        'audit rows tell of it, but it is gone',
      );
  }
}
