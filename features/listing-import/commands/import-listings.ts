import { basename } from 'node:path';
import { mayEditListings, mayImport } from '#features/listings/rules.ts';
import { authorize, sellerOf } from '#platform/access.ts';
import { invalidate } from '#platform/cache.ts';
import type { Ctx } from '#platform/context.ts';
import { Forbidden } from '#platform/errors.ts';
import { type BatchRow, type BatchTarget, writeBatch } from '../batch.ts';
import type { FileRecord } from '../csv.ts';
import { findImportSeller, SellerUnavailable } from '../import-seller.ts';
import { importTypes } from '../import-types.ts';
import type { ImportRequest, ImportResult, Refusal, RefusedRow } from '../model.ts';
import { OwnTypes } from '../own-export.ts';
import { type ImportType, TypeWords } from '../property-types.ts';
import { readRows } from '../read-file.ts';
import { Repeats } from '../repeats.ts';
import { countNotes, countRefusal, emptyReport, type ImportReport } from '../report.ts';
import { parseRow, type RowRules } from '../rows.ts';
import { UnusableFile } from '../unusable-file.ts';

const BATCH_SIZE = 250;

/**
 * Imports a file of listings: new ones become Active, or wait for approval where the request or the marketplace says so, sold ones
 * become Sold; known ones (by seller and id in the source) are updated, invalid ones are refused with line and reason. Each batch is its own
 * transaction, so an interrupted import is completed by running it again; it ends with the batch before its seller is suspended or archived. The file is one that `openListingsFile` has read: who may name a
 * path on the server's disk is decided by whoever calls this.
 * @throws Unauthenticated; Forbidden for buyers, for a seller who imports for another one, not into the review, or switches on types
 */
export async function importListings(ctx: Ctx, request: ImportRequest): Promise<ImportResult> {
  authorize(ctx, mayImport);
  authorizeRequest(ctx, request);
  try {
    const found = await findImportSeller(ctx, {
      agentId: request.agentId ?? null,
      email: request.sellerEmail ?? null,
    });
    if (!found.ok) return found;
    const run = new ImportRun(ctx, request, found.seller.id, await importTypes(ctx));
    const completed = await run.run();
    return { ok: true, seller: found.seller, report: run.report, completed };
  } catch (error) {
    if (error instanceof UnusableFile || error instanceof SellerUnavailable)
      return { ok: false, reason: error.message };
    throw error;
  }
}

/** A seller imports the own listings, into the review. */
function authorizeRequest(ctx: Ctx, { agentId, firstStatus, activateTypes }: ImportRequest): void {
  if (ctx.actor.kind === 'system' || mayEditListings(ctx.actor)) return;
  // Without an id the seller is found by email. That is no one's own: not that of someone who is no seller either.
  const isOther = sellerOf(ctx.actor)?.agentId !== (agentId ?? null);
  if (isOther || firstStatus !== 'pending' || activateTypes) throw new Forbidden();
}

class ImportRun {
  readonly report: ImportReport = emptyReport();
  readonly #ctx: Ctx;
  readonly #request: ImportRequest;
  readonly #rules: RowRules;
  readonly #target: BatchTarget;
  /** names of the types that are off and that the import may switch on */
  readonly #inactive = new Map<number, string>();
  readonly #repeats = new Repeats();
  #batch: BatchRow[] = [];
  #refused: RefusedRow[] = [];
  #line = 0;
  /** the batch that is being written while the next one is read */
  #writing: Promise<void> = Promise.resolve();

  constructor(ctx: Ctx, request: ImportRequest, agentId: string, types: readonly ImportType[]) {
    this.#ctx = ctx;
    this.#request = request;
    const { activateTypes = false, surface = 'command' } = request;
    if (activateTypes)
      for (const { id, name, isActive } of types) if (!isActive) this.#inactive.set(id, name);
    this.#rules = {
      mapping: request.mapping,
      types: new TypeWords(types, request.types ?? {}, activateTypes, request.typesOfRows, surface),
      now: ctx.now(),
    };
    this.#target = {
      agentId,
      file: basename(request.file.path),
      importId: request.importId ?? null,
      firstStatus: request.firstStatus ?? 'Active',
      sameHome: request.sameHome ?? 'ask',
      inactiveTypes: this.#inactive,
      ownTypes: new OwnTypes(types),
      surface,
    };
  }

  /** @returns false when the signal stopped it */
  async run(): Promise<boolean> {
    const { file, resumeAfterLine = 0, signal } = this.#request;
    try {
      for await (const record of readRows(file)) {
        this.#read(record, record.firstLine <= resumeAfterLine);
        if (this.#batch.length + this.#refused.length >= BATCH_SIZE || this.#mustWriteFirst())
          await this.#flush();
        if (signal?.aborted) return false;
      }
      if (this.#batch.length + this.#refused.length > 0) await this.#flush();
    } finally {
      await this.#writing;
    }
    return !signal?.aborted;
  }

  #read(record: FileRecord, isDone: boolean): void {
    this.#line = record.firstLine;
    const parsed = parseRow(record.cells, this.#rules);
    const { row } = parsed;
    if (!row) {
      if (!isDone && !parsed.ok)
        this.#refused.push({ line: record.firstLine, refusal: withLineSpan(parsed.refusal, record) });
      return;
    }
    const repeat = this.#repeats.see(row, record.firstLine);
    // Rows of an import that is resumed are only known, so that repeats of them are found.
    if (isDone) return;
    if (repeat.kind === 'refused') this.#refused.push({ line: record.firstLine, refusal: repeat.refusal });
    else
      this.#batch.push({
        line: record.firstLine,
        row,
        sameHomeLine: repeat.kind === 'same home' ? repeat.line : null,
      });
  }

  /** Merging into a row of the same batch needs that row to be stored. */
  #mustWriteFirst(): boolean {
    const last = this.#batch.at(-1);
    return this.#target.sameHome === 'merge' && last?.sameHomeLine !== null && this.#batch.length > 1;
  }

  /** Begins to write what was read, once the batch before it is written; a failure of that one is thrown here. */
  async #flush(): Promise<void> {
    await this.#writing;
    if (this.#request.signal?.aborted) return;
    const last = this.#batch.at(-1);
    // The row that merges into one of this batch goes on its own, after it.
    const split = this.#mustWriteFirst() && last ? [this.#batch.slice(0, -1), [last]] : [this.#batch];
    const [line, refused] = [this.#line, this.#refused];
    this.#batch = [];
    this.#refused = [];
    this.#writing = this.#write(split, refused, line);
    // It is awaited above or in `run`; until then a failure is no unhandled one.
    this.#writing.catch(() => undefined);
  }

  async #write(split: BatchRow[][], refused: RefusedRow[], line: number): Promise<void> {
    const { dryRun, onBatch, onProgress, file } = this.#request;
    const all = [...refused];
    let before = 0;
    for (const [part, rows] of split.entries()) {
      const upTo = part === split.length - 1 ? line : (rows.at(-1)?.line ?? line);
      const outcome = await writeBatch(this.#ctx, this.#target, rows, {
        dryRun,
        line: upTo,
        // An import that goes on after this part does not see the lines up to its end again.
        refused: refused.filter((one) => one.line > before && one.line <= upTo),
        onBatch: onBatch ?? null,
      });
      before = upTo;
      all.push(...outcome.refused);
      for (const { row } of rows) countNotes(this.report.notes, row.notes);
      this.report.rows += rows.length;
      this.report.accepted += outcome.accepted;
      this.report.updated += outcome.updated;
      this.report.unchanged += outcome.unchanged;
      this.report.sold += outcome.sold;
      this.report.merged += outcome.merged;
      this.#activated(outcome.activatedTypes);
    }
    this.report.rows += refused.length;
    for (const { line: at, refusal } of all.toSorted((a, b) => a.line - b.line)) {
      countRefusal(this.report, refusal);
      this.#request.onRefusal?.(at, refusal);
    }
    await onProgress?.(this.report.rows, file.rows);
  }

  #activated(names: readonly string[]): void {
    for (const name of names)
      if (!this.report.activatedTypes.includes(name)) this.report.activatedTypes.push(name);
    if (names.length === 0 || this.#request.dryRun) return;
    for (const [id, name] of this.#inactive) if (names.includes(name)) this.#inactive.delete(id);
    invalidate(this.#ctx.db, 'property_types');
  }
}

/** An unclosed quotation mark swallows lines: when such a row spans several, say up to which. */
function withLineSpan(refusal: Refusal, record: { firstLine: number; lastLine: number }): Refusal {
  if (refusal.column !== null || record.lastLine === record.firstLine) return refusal;
  return { ...refusal, detail: `${refusal.detail}, up to line ${record.lastLine}` };
}
