import { basename } from 'node:path';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { type BatchRow, writeBatch } from '../import/batch.ts';
import { readCsv, UnusableFile } from '../import/csv.ts';
import type { ListingsFile } from '../import/file.ts';
import { countNotes, countRefusal, emptyReport, type ImportReport } from '../import/report.ts';
import { type Refusal, type RowRules, readRow, typeKey } from '../import/rows.ts';
import { type ImportSeller, importSeller } from '../import/seller.ts';
import { propertyTypes } from '../reads.ts';
import { mayImport } from '../rules.ts';

export interface ImportRequest {
  /** what `surveyFile` found, docs/importing.md */
  file: ListingsFile;
  /** e-mail of the seller; null for the only registered one */
  sellerEmail: string | null;
  /** true to find out what would happen and write nothing */
  dryRun: boolean;
  onRefusal?: (line: number, refusal: Refusal) => void;
  /** after every batch */
  onProgress?: (done: number, total: number) => void;
}

export type ImportResult =
  | { ok: true; seller: ImportSeller; report: ImportReport }
  | { ok: false; reason: string };

const BATCH = 250;

/**
 * Imports a file of listings: new ones become Active, known ones (by seller and source_id) are brought up to date, the
 * others are refused with line and reason. Every batch is a transaction: an import that was cut off is completed by
 * running it again.
 */
export async function importListings(ctx: Ctx, request: ImportRequest): Promise<ImportResult> {
  authorize(ctx, mayImport);
  try {
    const found = await importSeller(ctx, request.sellerEmail);
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
    const row = readRow(record.cells, rules);
    if (!row.ok) {
      refuse(line, spanning(row.refusal, record));
      continue;
    }
    const { sourceId, values } = row;
    const earlier = lineOf.get(sourceId);
    if (earlier !== undefined) {
      const detail = `${sourceId}, line ${earlier}`;
      refuse(line, { column: 'source_id', reason: 'Stands in the file before.', detail });
      continue;
    }
    lineOf.set(sourceId, line);
    countNotes(report, row.notes);
    batch.push({ line, sourceId, values });
    if (batch.length === BATCH) await flush();
  }
  if (batch.length) await flush();
  return report;
}

/** A row with the wrong number of cells that spans lines has swallowed them by a quotation mark: say which. */
function spanning(refusal: Refusal, record: { firstLine: number; lastLine: number }): Refusal {
  if (refusal.column !== null || record.lastLine === record.firstLine) return refusal;
  return { ...refusal, detail: `${refusal.detail}, up to line ${record.lastLine}` };
}
