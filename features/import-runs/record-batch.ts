import { sql } from 'kysely';
import type { ImportBatch, RefusedRow } from '#features/listing-import/model.ts';
import type { Ctx } from '#platform/context.ts';
import { cutText } from '#platform/cut-text.ts';
import { queueFollowUps } from './follow-up.ts';
import { holdImport, type LeasedImport } from './lease.ts';

/**
 * Records what a batch of an import did, in its transaction: each row, so that undoing is exact, each refusal, what was corrected, what is left
 * to do in the background, and the line after which an interrupted import resumes.
 * @throws LeaseLost
 */
export async function recordBatch(ctx: Ctx, leased: LeasedImport, batch: ImportBatch): Promise<void> {
  const { id } = leased;
  const of = (outcome: ImportBatch['rows'][number]['outcome']) =>
    batch.rows.filter((row) => row.outcome === outcome).length;
  await holdImport(ctx, leased, {
    resume_line: batch.line,
    rows_done: sql<number>`rows_done + ${batch.rows.length + batch.refusals.length}`,
    added: sql<number>`added + ${of('added')}`,
    changed: sql<number>`changed + ${of('changed')}`,
    unchanged: sql<number>`unchanged + ${of('unchanged')}`,
    refused: sql<number>`refused + ${batch.refusals.length}`,
    ...(batch.notes.size > 0 && { notes: notesWith(batch.notes) }),
  });
  await recordRefusals(ctx, { id, step: 'import' }, batch.refusals);
  // The fingerprints are of the listings with their places.
  const { pictured } = await queueFollowUps(ctx, batch, id);
  const written = new Set(batch.rows.flatMap((row) => (row.outcome === 'unchanged' ? [] : row.propertyId)));
  const onlyPictured = batch.rows.filter(
    ({ outcome, propertyId }) =>
      outcome === 'unchanged' && pictured.has(propertyId) && !written.has(propertyId),
  );
  if (onlyPictured.length > 0)
    await holdImport(ctx, leased, { pictured: sql<number>`pictured + ${onlyPictured.length}` });
  const recorded = [
    ...batch.rows.filter(({ outcome }) => outcome !== 'unchanged'),
    ...onlyPictured.map((row) => ({ ...row, outcome: 'pictured' as const, before: {} })),
  ];
  if (recorded.length === 0) return;
  await sql`
    insert into listing_import_rows (import_id, line, property_id, outcome, before, fingerprint, at)
    select ${id}, v.line, v.property_id, v.outcome,
      case when v.outcome = 'pictured' then jsonb_build_object('changed_since_approval_at', p.changed_since_approval_at,
        'needs_approval_since', p.needs_approval_since) else v.before end, listing_fingerprint(p), ${ctx.now()}
    from unnest(${recorded.map(({ line }) => line)}::integer[], ${recorded.map(({ propertyId }) => propertyId)}::uuid[],
      ${recorded.map(({ outcome }) => outcome)}::text[],
      ${recorded.map(({ before }) => (before ? JSON.stringify(before) : null))}::jsonb[])
      as v (line, property_id, outcome, before)
    join properties p on p.id = v.property_id`.execute(ctx.db.q());
}

/** The notes of an import with those of another batch. */
const notesWith = (notes: ImportBatch['notes']) =>
  sql<string>`(
    select jsonb_object_agg(note, times) from (
      select note, sum(times::integer) as times from (
        select * from jsonb_each_text(listing_imports.notes)
        union all select * from jsonb_each_text(${JSON.stringify(Object.fromEntries(notes))}::jsonb)) as one (note, times)
      group by note) as of_both)`;

/** Keeps refused rows, once each. */
export async function recordRefusals(
  ctx: Ctx,
  { id, step }: { id: string; step: 'check' | 'import' },
  refusals: readonly RefusedRow[],
): Promise<void> {
  if (refusals.length === 0) return;
  const short = (text: string | null, length: number) => (text === null ? null : cutText(text, length));
  await sql`
    insert into listing_import_refusals (import_id, step, line, column_name, reason, detail)
    select ${id}, ${step}, * from unnest(${refusals.map(({ line }) => line)}::integer[],
      ${refusals.map(({ refusal }) => refusal.column)}::text[],
      ${refusals.map(({ refusal }) => short(refusal.reason, 500))}::text[],
      ${refusals.map(({ refusal }) => short(refusal.detail, 500))}::text[])
    on conflict do nothing`.execute(ctx.db.q());
}
