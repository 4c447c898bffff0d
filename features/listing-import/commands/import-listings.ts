import { basename } from 'node:path';
import { propertyTypes } from '#features/listings/reads.ts';
import { mayImport } from '#features/listings/rules.ts';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { type BatchRow, writeBatch } from '../batch.ts';
import { readCsv } from '../csv.ts';
import { findImportSeller, type ImportSeller } from '../import-seller.ts';
import type { ListingsFile } from '../inspect-file.ts';
import { countNotes, countRefusal, emptyReport, type ImportReport } from '../report.ts';
import { parseRow, type Refusal, type RowRules, typeKey } from '../rows.ts';
import { UnusableFile } from '../unusable-file.ts';

export interface ImportRequest {
  /** result of `inspectFile`; see docs/importing.md */
  file: ListingsFile;
  /** the seller's e-mail; null for the only registered seller */
  sellerEmail: string | null;
  /** report what would happen without writing */
  dryRun: boolean;
  onRefusal?: (line: number, refusal: Refusal) => void;
  /** after every batch */
  onProgress?: (done: number, total: number) => void;
}

export type ImportResult =
  | { ok: true; seller: ImportSeller; report: ImportReport }
  | { ok: false; reason: string };

const BATCH_SIZE = 250;

/**
 * Imports a file of listings: new ones become Active, or wait for approval where
 * listings need a verified ownership, known ones (by seller and source_id) are updated, invalid ones
 * are refused with line and reason. Each batch is its own transaction, so an interrupted import is completed by
 * running it again.
 */
export async function importListings(ctx: Ctx, request: ImportRequest): Promise<ImportResult> {
  authorize(ctx, mayImport);
  try {
    const found = await findImportSeller(ctx, request.sellerEmail);
    if (!found.ok) return found;
    const rules: RowRules = {
      columns: request.file.columns,
      types: new Map((await propertyTypes(ctx)).map((type) => [typeKey(type.name), type.id])),
      year: ctx.now().getUTCFullYear(),
    };
    const report = await importRows(ctx, request, rules, found.seller.id);
    return { ok: true, seller: found.seller, report };
  } catch (error) {
    if (error instanceof UnusableFile) return { ok: false, reason: error.message };
    throw error;
  }
}

async function importRows(
  ctx: Ctx,
  request: ImportRequest,
  rules: RowRules,
  agentId: string,
): Promise<ImportReport> {
  const report = emptyReport();
  const { path } = request.file;
  const target = { agentId, file: basename(path) };
  const lineOf = new Map<string, number>();
  let batch: BatchRow[] = [];
  const refuse = (line: number, refusal: Refusal) => {
    countRefusal(report, refusal);
    request.onRefusal?.(line, refusal);
  };
  const flush = async () => {
    const outcome = await writeBatch(ctx, target, batch, request.dryRun);
    report.accepted += outcome.accepted;
    report.updated += outcome.updated;
    report.unchanged += outcome.unchanged;
    for (const { line, refusal } of outcome.refused) refuse(line, refusal);
    batch = [];
    request.onProgress?.(report.rows, request.file.rows);
  };

  let header = true;
  for await (const record of readCsv(path)) {
    if (header) {
      header = false;
      continue;
    }
    report.rows++;
    const line = record.firstLine;
    const row = parseRow(record.cells, rules);
    if (!row.ok) {
      refuse(line, withLineSpan(row.refusal, record));
      continue;
    }
    const { sourceId, values } = row;
    const earlier = lineOf.get(sourceId);
    if (earlier !== undefined) {
      const detail = `${sourceId}, line ${earlier}`;
      refuse(line, { column: 'source_id', reason: 'Appears earlier in the file.', detail });
      continue;
    }
    lineOf.set(sourceId, line);
    countNotes(report, row.notes);
    batch.push({ line, sourceId, values });
    if (batch.length === BATCH_SIZE) await flush();
  }
  if (batch.length) await flush();
  return report;
}

/** An unclosed quotation mark swallows lines: when such a row spans several, say up to which. */
function withLineSpan(refusal: Refusal, record: { firstLine: number; lastLine: number }): Refusal {
  if (refusal.column !== null || record.lastLine === record.firstLine) return refusal;
  return { ...refusal, detail: `${refusal.detail}, up to line ${record.lastLine}` };
}
