import { moveListing } from '#features/listings/commands/move-listing.ts';
import type { PropertyStatus } from '#features/listings/model.ts';
import { isOwnershipMissing } from '#features/listings/ownership-fact.ts';
import { type ApprovalMarks, BEING_BOUGHT, firstListingStatus } from '#features/listings/rules.ts';
import { heldBySale } from '#features/listings/sale-hold.ts';
import { type AuditEntry, auditAll } from '#platform/audit.ts';
import { asSystem, type Ctx } from '#platform/context.ts';
import { takeLock } from '#platform/db/locks.ts';
import {
  applyRow,
  fieldWhileBought,
  isOnlyPlaced,
  lockedReason,
  mergeRow,
  newListingValues,
  type StoredValues,
} from './changes.ts';
import { type ExistingListing, existingListings, holdListingsOf, listingOf, sameHomes } from './existing.ts';
import { checkImportSeller } from './import-seller.ts';
import {
  type ImportBatch,
  type ImportedRow,
  type Refusal,
  type RefusedRow,
  type SameHome,
  STATUS_REASON,
  type StoredColumns,
} from './model.ts';
import { doubtOf, type OwnTypes } from './own-export.ts';
import { countNotes } from './report.ts';
import { type Leaving, marksBefore, marksOf } from './review-marks.ts';
import type { ParsedRow } from './rows.ts';
import {
  activateTypes,
  type Change,
  insertListings,
  type NewListing,
  recordChanges,
  updateListings,
} from './store.ts';
import { type Surface, surfaceWords } from './surface.ts';

/** A row on its way to the database. */
export interface BatchRow {
  line: number;
  row: ParsedRow;
  /** the line of the same file on which the home stands from another source */
  sameHomeLine: number | null;
}

export interface BatchTarget {
  agentId: string;
  /** name of the file, for the audit log */
  file: string;
  importId: string | null;
  firstStatus: 'Active' | 'pending';
  sameHome: SameHome;
  /** types that are off and are switched on by the first row that needs one */
  inactiveTypes: ReadonlyMap<number, string>;
  ownTypes: OwnTypes;
  /** whose controls refusals name */
  surface: Surface;
}

interface BatchOutcome {
  accepted: number;
  updated: number;
  unchanged: number;
  sold: number;
  merged: number;
  refused: RefusedRow[];
  activatedTypes: string[];
}

/** Thrown to roll back a dry run. */
class DryRunRollback extends Error {}

/**
 * Writes rows of one file (each id once) in one transaction: new listings begin with the status of the target, or Sold; existing ones
 * are updated and keep their status, unless the file says that they are no longer for sale. Imports for the same seller are serialized.
 * @param dryRun true to roll everything back; the outcome is the one that writing would have had
 */
export async function writeBatch(
  ctx: Ctx,
  target: BatchTarget,
  rows: readonly BatchRow[],
  options: {
    dryRun: boolean;
    line: number;
    refused: readonly RefusedRow[];
    onBatch: ((batch: ImportBatch) => Promise<void>) | null;
  },
): Promise<BatchOutcome> {
  let outcome: BatchOutcome | null = null;
  try {
    await ctx.db.tx(async () => {
      await checkImportSeller(ctx, target.agentId);
      const batch = new Batch(ctx, target, options.dryRun);
      await batch.write(rows);
      outcome = batch.outcome;
      if (options.dryRun) throw new DryRunRollback();
      const refusals = [...options.refused, ...batch.outcome.refused].toSorted((a, b) => a.line - b.line);
      const notes = new Map<string, number>();
      for (const { row } of rows) countNotes(notes, row.notes);
      await options.onBatch?.({ line: options.line, rows: batch.imported, refusals, notes });
    });
  } catch (error) {
    if (!(error instanceof DryRunRollback)) throw error;
  }
  if (outcome === null) throw new Error('The batch has no outcome');
  return outcome;
}

class Batch {
  readonly outcome: BatchOutcome = {
    accepted: 0,
    updated: 0,
    unchanged: 0,
    sold: 0,
    merged: 0,
    refused: [],
    activatedTypes: [],
  };
  readonly imported: ImportedRow[] = [];
  readonly #ctx: Ctx;
  readonly #target: BatchTarget;
  readonly #dryRun: boolean;
  readonly #added: { line: number; row: ParsedRow; listing: NewListing }[] = [];
  readonly #updates: { id: string; values: StoredValues; marks: ApprovalMarks }[] = [];
  readonly #changes: Change[] = [];
  /** listings that a row of this batch changes, once each: a second change would begin with the values from before the first one */
  readonly #updated = new Set<string>();
  /** listings that somebody is paying for */
  #bought: ReadonlySet<string> = new Set();
  readonly #entries: AuditEntry[] = [];

  constructor(ctx: Ctx, target: BatchTarget, dryRun: boolean) {
    this.#ctx = ctx;
    this.#target = target;
    this.#dryRun = dryRun;
  }

  async write(rows: readonly BatchRow[]): Promise<void> {
    const ctx = this.#ctx;
    const { agentId, inactiveTypes, sameHome } = this.#target;
    await takeLock(ctx, `import ${agentId}`);
    const needed = new Set(
      rows.map(({ row }) => row.values.type_id).filter((id) => id !== null && inactiveTypes.has(id)),
    );
    this.outcome.activatedTypes = await activateTypes(ctx, [...needed]);
    const fresh: BatchRow[] = [];
    const parsed = rows.map(({ row }) => row);
    await holdListingsOf(ctx, { agentId, rows: parsed, withHomes: sameHome !== 'keep' });
    const existing = await existingListings(ctx, agentId, parsed);
    await this.#readBought(existing.values());
    for (const one of rows) {
      const { listing, sourceId } = listingOf(one.row, existing);
      one.row.sourceId = sourceId;
      if (listing) await this.#applyTo(listing, one);
      else fresh.push(one);
    }
    await this.#addNew(fresh);
    await updateListings(ctx, this.#updates);
    await recordChanges(ctx, this.#changes);
    if (this.outcome.accepted + this.outcome.updated === 0) return;
    await this.#audit(rows);
  }

  /** Rows without a listing: refused, merged into the same home from another source, or added. */
  async #addNew(rows: readonly BatchRow[]): Promise<void> {
    const { sameHome, agentId } = this.#target;
    const first = firstListingStatus(
      'import',
      this.#target.firstStatus === 'pending' || (await isOwnershipMissing(this.#ctx, null)),
    );
    const homes =
      sameHome === 'keep'
        ? new Map<number, ExistingListing>()
        : await sameHomes(
            this.#ctx,
            agentId,
            rows.map(({ row }) => row),
          );
    await this.#readBought(homes.values());
    for (const [place, one] of rows.entries()) {
      const refusal = this.#refusalOfNew(one.row);
      const home = homes.get(place);
      if (refusal) this.#refuse(one.line, refusal);
      else if (sameHome === 'ask' && (home || one.sameHomeLine !== null)) this.#offerMerge(one, home);
      else if (sameHome === 'merge' && home) this.#mergeInto(home, one);
      else if (sameHome === 'merge' && one.sameHomeLine !== null && this.#dryRun) {
        // The listing that the real run merges into was taken back with its batch.
        this.outcome.merged++;
        this.outcome.updated++;
      } else this.#add(one, one.row.market === 'sold' ? 'Sold' : first);
    }
    const written = await insertListings(
      this.#ctx,
      agentId,
      this.#added.map(({ listing }) => listing),
    );
    const { file, importId } = this.#target;
    for (const { line, row, listing } of this.#added) {
      const propertyId = written.get(listing.sourceId) ?? '';
      this.imported.push({
        line,
        sourceId: listing.sourceId,
        propertyId,
        outcome: 'added',
        photoUrls: row.photoUrls,
      });
      this.#entries.push({
        action: listing.status === 'Sold' ? 'listing.import_sold' : 'listing.import',
        entity: 'property',
        entityId: propertyId,
        after: { status: listing.status, file, ...(importId && { import: importId }) },
      });
    }
  }

  /** Asked once the listings are held, so that no purchase begins until the batch is written. */
  async #readBought(listings: Iterable<ExistingListing>): Promise<void> {
    const ids = [...listings].map(({ id }) => id);
    this.#bought = new Set([...this.#bought, ...(await heldBySale(this.#ctx, ids))]);
  }

  #refusalOfNew({ market, statusWord, doubts }: ParsedRow): Refusal | null {
    const [doubt] = doubts;
    if (doubt) return doubt;
    const refuse = (reason: string): Refusal => ({ column: 'status', reason, detail: statusWord });
    if (market === 'under_contract')
      return refuse('The home is under contract elsewhere, so it is not for sale.');
    if (market === 'off_market') return refuse('The home is not on the market.');
    if (market === 'sold' && this.#target.firstStatus === 'pending')
      return refuse('The home is sold. Only an import that skips the review stores sold homes.');
    return null;
  }

  #add({ line, row }: BatchRow, status: PropertyStatus): void {
    this.outcome.accepted++;
    if (status === 'Sold') this.outcome.sold++;
    const { sourceId, soldAt, values } = row;
    this.#added.push({ line, row, listing: { sourceId, soldAt, values: newListingValues(values), status } });
  }

  #offerMerge({ line, sameHomeLine, row }: BatchRow, home: ExistingListing | undefined): void {
    const where = sameHomeLine === null ? (home?.source_id ?? home?.address ?? '') : `line ${sameHomeLine}`;
    this.#refuse(line, {
      column: 'address',
      reason: `The same home is listed from another source${surfaceWords[this.#target.surface].sameHome}`,
      detail: `${row.values.address}, ${where}`,
    });
  }

  #mergeInto(home: ExistingListing, one: BatchRow): void {
    const { after, changed } = mergeRow(home, one.row.values);
    if (this.#isRefusedWhileBought(home, one, changed)) return;
    // A second row for the same listing waits for a later import, since the first one has not been written yet.
    const isLater = this.#updated.has(home.id);
    this.outcome.merged++;
    if (changed.length === 0 || isLater || lockedReason(home, true)) this.#unchanged(home, one);
    else this.#update(home, one, after, changed);
  }

  /** A row of a listing that is there. */
  async #applyTo(listing: ExistingListing, one: BatchRow): Promise<void> {
    const { line, row } = one;
    const doubt = doubtOf(listing, row);
    if (doubt) return this.#refuse(line, doubt);
    let { after, changed } = applyRow(listing, row.values);
    // Most rows change nothing, so what an export says is asked of the others alone.
    if (changed.length > 0)
      ({ after, changed } = applyRow(
        listing,
        this.#target.ownTypes.withoutOwn(listing, row, this.#ctx.now()),
      ));
    const leaves = this.#leaving(listing, row);
    const hasSoldOn = row.soldAt !== null && dayOf(listing.off_market_at) !== dayOf(row.soldAt);
    const isOtherSale = listing.status === 'Sold' && hasSoldOn;
    const locked = lockedReason(listing, changed.length > 0 || leaves !== null || isOtherSale);
    const detail = row.sourceId;
    const isSame = leaves === null && !isOtherSale && isOnlyPlaced(row.values, changed);
    if (isSame && !listing.deleted_at) this.#unchanged(listing, one);
    else if (locked) this.#refuse(line, { column: null, reason: locked, detail });
    else if (leaves !== null && !(await this.#move(listing, leaves, row)))
      this.#refuse(line, {
        column: 'status',
        reason: 'The file says that the home is no longer for sale, but someone is buying it here.',
        detail,
      });
    else if (!this.#isRefusedWhileBought(listing, one, changed))
      this.#update(listing, one, after, changed, leaves === 'import_sold' ? row.soldAt : undefined, leaves);
  }

  #isRefusedWhileBought(
    { id }: ExistingListing,
    { line, row }: BatchRow,
    changed: readonly (keyof StoredValues)[],
  ): boolean {
    const column = this.#bought.has(id) ? fieldWhileBought(row.values, changed) : null;
    if (column) this.#refuse(line, { column, reason: BEING_BOUGHT, detail: row.sourceId });
    return column !== null;
  }

  /** How a listing leaves the market, when the file says so. */
  #leaving(listing: ExistingListing, row: ParsedRow): Leaving | null {
    if (row.market === 'for_sale' || listing.status === 'Sold') return null;
    if (row.market === 'sold' && this.#target.firstStatus === 'Active') return 'import_sold';
    return listing.status === 'Active' ? 'import_withdraw' : null;
  }

  async #move(listing: ExistingListing, event: Leaving, row: ParsedRow): Promise<boolean> {
    // The import has its own permission; of the life cycle it is the party `import`, whoever runs it.
    const ctx = asSystem(this.#ctx, 'import');
    const moved = await moveListing(ctx, {
      propertyId: listing.id,
      event,
      reason: STATUS_REASON + (row.statusWord || row.market),
    });
    if (!moved.ok || event === 'import_withdraw') return moved.ok;
    await this.#ctx.db
      .q()
      .updateTable('properties')
      .set({ off_market_at: row.soldAt })
      .where('id', '=', listing.id)
      .execute();
    this.outcome.sold++;
    return true;
  }

  #update(
    listing: ExistingListing,
    { line, row }: BatchRow,
    after: StoredValues,
    changed: readonly (keyof StoredValues)[],
    soldAt?: Date | null,
    leaves: Leaving | null = null,
  ): void {
    this.outcome.updated++;
    this.#updated.add(listing.id);
    const marks = marksOf(listing, changed, { ...this.#target, leaves, at: this.#ctx.now() });
    if (changed.length > 0) this.#updates.push({ id: listing.id, values: after, marks });
    for (const field of changed)
      this.#changes.push({ propertyId: listing.id, field, from: listing[field], to: after[field] });
    const columns = (values: StoredValues): StoredColumns =>
      Object.fromEntries(changed.map((name) => [name, values[name]]));
    const moved =
      leaves === null
        ? null
        : {
            before: { status: listing.status, off_market_at: listing.off_market_at?.toISOString() ?? null },
            after: {
              status: leaves === 'import_sold' ? 'Sold' : 'withdrawn',
              off_market_at: (soldAt ?? this.#ctx.now()).toISOString(),
            },
          };
    this.imported.push({
      line,
      sourceId: row.sourceId,
      propertyId: listing.id,
      outcome: 'changed',
      before: { ...columns(listing), ...marksBefore(listing, marks), ...moved?.before },
      after: { ...columns(after), ...moved?.after },
      photoUrls: row.photoUrls,
    });
  }

  #unchanged(listing: ExistingListing, { line, row }: BatchRow): void {
    this.outcome.unchanged++;
    const { sourceId, photoUrls } = row;
    this.imported.push({ line, sourceId, propertyId: listing.id, outcome: 'unchanged', photoUrls });
  }

  #refuse(line: number, refusal: Refusal): void {
    this.outcome.refused.push({ line, refusal });
  }

  /** What was added, each by itself, and the batch. */
  async #audit(rows: readonly BatchRow[]): Promise<void> {
    const { accepted, updated } = this.outcome;
    const { file, agentId, importId } = this.#target;
    const after = {
      file,
      lines: [rows[0]?.line, rows.at(-1)?.line],
      accepted,
      updated,
      ...(importId && { import: importId }),
    };
    await auditAll(this.#ctx, [
      ...this.#entries,
      { action: 'listings.import', entity: 'agent', entityId: agentId, after },
    ]);
  }
}

const dayOf = (at: Date | null): string | undefined => at?.toISOString().slice(0, 10);
