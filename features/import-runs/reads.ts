import { sql } from 'kysely';
import type { FieldChoices } from '#features/listing-import/mapping.ts';
import type { SameHome } from '#features/listing-import/model.ts';
import type { ListingsFile } from '#features/listing-import/read-file.ts';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';
import { describeColumns } from './columns.ts';
import type {
  BackgroundCounts,
  FirstStatus,
  ImportDetails,
  ImportEntry,
  ImportPage,
  ImportStatus,
  RefusalGroup,
  SparedListing,
} from './model.ts';
import { visibleImports } from './own-import.ts';
import { mayReadImports } from './rules.ts';
import { typeChoicesOf } from './type-choices.ts';

const PAGE_SIZE = 20;
/** Groups of refusals, and spared listings, that the page of an import shows. */
const SHOWN = 50;

const entries = (ctx: Ctx) =>
  visibleImports(ctx)
    .leftJoin('agents as a', 'a.id', 'i.agent_id')
    .leftJoin('users as u', 'u.id', 'i.made_by')
    .select(['i.id', 'i.file_name', 'i.status', 'i.created_at', 'i.rows_total', 'i.rows_done'])
    .select(['i.added', 'i.changed', 'i.unchanged', 'i.refused', 'i.removed', 'i.restored', 'i.spared'])
    .select(['a.name as seller', 'u.name as maker']);

type EntryRow = Awaited<ReturnType<ReturnType<typeof entries>['execute']>>[number];

const entryOf = (row: EntryRow): ImportEntry => ({
  id: row.id,
  fileName: row.file_name,
  status: row.status as ImportStatus,
  seller: row.seller,
  madeBy: row.maker,
  createdAt: row.created_at.toISOString(),
  rowsTotal: row.rows_total,
  rowsDone: Math.min(row.rows_done, row.rows_total),
  counts: { added: row.added, changed: row.changed, unchanged: row.unchanged, refused: row.refused },
  removed: row.removed,
  restored: row.restored,
  spared: row.spared,
});

/**
 * The history of imports, newest first: a seller's own, for administrators everyone's.
 * @throws Unauthenticated, Forbidden
 */
export async function importHistory(ctx: Ctx, { page }: { page: number }): Promise<ImportPage> {
  authorize(ctx, mayReadImports);
  const { total } = await visibleImports(ctx)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const pages = Math.max(1, Math.ceil(Number(total) / PAGE_SIZE));
  const shown = Math.min(Math.max(1, page), pages);
  const rows = await entries(ctx)
    .orderBy('i.created_at', 'desc')
    .orderBy('i.id', 'desc')
    .limit(PAGE_SIZE)
    .offset((shown - 1) * PAGE_SIZE)
    .execute();
  return { entries: rows.map(entryOf), total: Number(total), page: shown, pages };
}

/**
 * An import with everything that its page shows.
 * @throws Unauthenticated, Forbidden; NotFound for another seller's
 */
export async function importDetails(ctx: Ctx, { importId }: { importId: string }): Promise<ImportDetails> {
  authorize(ctx, mayReadImports);
  if (!isUuid(importId)) throw new NotFound('Import not found');
  const row = await entries(ctx)
    .select(['i.problem', 'i.agent_id', 'i.made_as', 'i.first_status', 'i.description', 'i.mapping'])
    .select(['i.activate_types', 'i.same_home', 'i.check_added', 'i.check_changed', 'i.check_unchanged'])
    .select(['i.pictured', 'i.check_refused', 'i.notes', 'i.lease', 'i.finished_at', 'i.undone_at'])
    .select(['i.type_words', 'i.types', 'a.email as seller_email', 'a.status as seller_status'])
    .where('i.id', '=', importId)
    .executeTakeFirst();
  if (!row) throw new NotFound('Import not found');
  const checked = ['uploaded', 'checking', 'checked'].includes(row.status);
  const [typeChoices, refusals, photos, photoProblems, places, sparedListings, waits] = await Promise.all([
    checked ? typeChoicesOf(ctx, row) : { typeWords: [], moreTypeWords: 0, types: [] },
    refusalGroups(ctx, { importId, step: checked ? 'check' : 'import' }),
    photoCounts(ctx, importId),
    problemsOfPhotos(ctx, importId),
    placeCounts(ctx, importId),
    spared(ctx, importId, SHOWN),
    row.lease === null && row.agent_id !== null ? isBusy(ctx, row.agent_id) : false,
  ]);
  return {
    ...entryOf(row),
    problem: row.problem,
    agentId: row.agent_id,
    sellerEmail: row.seller_email,
    sellerSuspended: row.seller_status === 'suspended',
    byAdmin: row.made_as === 'admin',
    firstStatus: row.first_status as FirstStatus,
    ...describeColumns(row.description as unknown as ListingsFile, row.mapping as FieldChoices, checked),
    ...typeChoices,
    activateTypes: row.activate_types,
    sameHome: row.same_home as SameHome,
    check: {
      added: row.check_added,
      changed: row.check_changed,
      unchanged: row.check_unchanged,
      refused: row.check_refused,
    },
    notes: row.notes as Record<string, number>,
    refusals,
    waits: waits && ['checking', 'running', 'undoing'].includes(row.status),
    photos,
    pictured: row.pictured,
    photoProblems,
    places,
    sparedListings,
    finishedAt: row.finished_at?.toISOString() ?? null,
    undoneAt: row.undone_at?.toISOString() ?? null,
  };
}

async function refusalGroups(
  ctx: Ctx,
  { importId, step }: { importId: string; step: 'check' | 'import' },
): Promise<RefusalGroup[]> {
  const { rows } = await sql<RefusalGroup>`
    select g."column", g.reason, g.count, g.line, r.detail from (
      select column_name as "column", reason, count(*)::integer as count, min(line) as line
      from listing_import_refusals where import_id = ${importId} and step = ${step}
      group by column_name, reason order by count desc, line limit ${SHOWN}) g
    join listing_import_refusals r on r.import_id = ${importId} and r.step = ${step} and r.line = g.line
    order by g.count desc, g.line`.execute(ctx.db.q());
  return rows;
}

async function photoCounts(ctx: Ctx, importId: string): Promise<BackgroundCounts> {
  const { rows } = await sql<BackgroundCounts>`
    select count(*) filter (where status = 'waiting')::integer as waiting,
      count(*) filter (where status = 'added')::integer as done,
      count(*) filter (where status in ('failed', 'skipped'))::integer as failed
    from remote_photos where import_id = ${importId}`.execute(ctx.db.q());
  return rows[0] ?? { waiting: 0, done: 0, failed: 0 };
}

async function problemsOfPhotos(ctx: Ctx, importId: string) {
  const { rows } = await sql<{ reason: string; count: number }>`
    select reason, count(*)::integer as count from remote_photos
    where import_id = ${importId} and status in ('failed', 'skipped') and reason is not null
    group by reason order by count desc, reason limit 10`.execute(ctx.db.q());
  return rows;
}

async function placeCounts(ctx: Ctx, importId: string): Promise<BackgroundCounts> {
  const { rows } = await sql<BackgroundCounts>`
    select count(*) filter (where status = 'waiting')::integer as waiting,
      count(*) filter (where status = 'found')::integer as done,
      count(*) filter (where status = 'unknown')::integer as failed
    from listing_places where import_id = ${importId}`.execute(ctx.db.q());
  return rows[0] ?? { waiting: 0, done: 0, failed: 0 };
}

async function spared(ctx: Ctx, importId: string, limit: number): Promise<SparedListing[]> {
  const rows = await ctx.db
    .q()
    .selectFrom('listing_import_rows as r')
    .innerJoin('properties as p', 'p.id', 'r.property_id')
    .select(['r.property_id', 'r.line', 'p.address', 'r.spared_because'])
    .where('r.import_id', '=', importId)
    .where('r.undone', '=', 'spared')
    .orderBy('r.line')
    .limit(limit)
    .execute();
  return rows.map(({ property_id, line, address, spared_because }) => ({
    propertyId: property_id,
    line,
    address,
    because: spared_because ?? '',
  }));
}

/** Whether an import of a seller is being worked on. */
async function isBusy(ctx: Ctx, agentId: string): Promise<boolean> {
  const row = await ctx.db
    .q()
    .selectFrom('listing_imports')
    .select('id')
    .where('agent_id', '=', agentId)
    .where('lease', 'is not', null)
    .where('leased_until', '>=', ctx.now())
    .executeTakeFirst();
  return row !== undefined;
}

/** A row of the file of refused rows. */
export interface RefusedRowOfFile {
  line: number;
  column: string | null;
  reason: string;
  detail: string | null;
}

const FILE_BATCH = 1_000;

/**
 * All refused rows of the last step of an import, by line, in batches.
 * @throws Unauthenticated, Forbidden; NotFound for another seller's
 */
export async function refusedRows(
  ctx: Ctx,
  { importId }: { importId: string },
): Promise<{ fileName: string; rows: AsyncGenerator<RefusedRowOfFile[]> }> {
  authorize(ctx, mayReadImports);
  const row = isUuid(importId)
    ? await visibleImports(ctx)
        .select(['i.file_name', 'i.status'])
        .where('i.id', '=', importId)
        .executeTakeFirst()
    : undefined;
  if (!row) throw new NotFound('Import not found');
  const step = ['uploaded', 'checking', 'checked'].includes(row.status) ? 'check' : 'import';
  async function* rows(): AsyncGenerator<RefusedRowOfFile[]> {
    for (let after = 0; ; ) {
      const found = await ctx.db
        .q()
        .selectFrom('listing_import_refusals')
        .select(['line', 'column_name as column', 'reason', 'detail'])
        .where('import_id', '=', importId)
        .where('step', '=', step)
        .where('line', '>', after)
        .orderBy('line')
        .limit(FILE_BATCH)
        .execute();
      const last = found.at(-1);
      if (!last) return;
      yield found;
      after = last.line;
    }
  }
  return { fileName: row.file_name, rows: rows() };
}

/**
 * All listings that undoing an import left as they are.
 * @throws Unauthenticated, Forbidden; NotFound for another seller's
 */
export async function sparedRows(
  ctx: Ctx,
  { importId }: { importId: string },
): Promise<{ fileName: string; rows: SparedListing[] }> {
  authorize(ctx, mayReadImports);
  const row = isUuid(importId)
    ? await visibleImports(ctx).select('i.file_name').where('i.id', '=', importId).executeTakeFirst()
    : undefined;
  if (!row) throw new NotFound('Import not found');
  return { fileName: row.file_name, rows: await spared(ctx, importId, 1_000_000) };
}
