import type { FieldName } from './fields.ts';
import type { ImportSeller } from './import-seller.ts';
import type { Mapping } from './mapping.ts';
import type { ListingsFile } from './read-file.ts';
import type { Surface } from './surface.ts';

/** What the history says of a status that a file has changed, before the file's own word. */
export const STATUS_REASON = 'The file says: ';

/** Why a row is refused. `reason` is one of a few fixed sentences, `detail` the offending cell or line. */
export interface Refusal {
  /** null when it is about the whole row */
  column: FieldName | null;
  reason: string;
  detail: string | null;
}

/** A cell that was left blank or corrected in an accepted row. */
export interface Note {
  column: FieldName;
  reason: string;
}

/** A row that was refused, as it is listed. */
export interface RefusedRow {
  /** of the file, or the entry's number in a JSON file */
  line: number;
  refusal: Refusal;
}

/** Values by database column, prices in cents. */
export type StoredColumns = Readonly<Record<string, string | number | null>>;

/** What a row of the file did to a listing. */
export interface ImportedRow {
  line: number;
  sourceId: string;
  propertyId: string;
  outcome: 'added' | 'changed' | 'unchanged';
  /** of a changed listing, the changed columns as they were before (with `status` and `off_market_at` when it was sold) */
  before?: StoredColumns;
  /** the same columns as the import wrote them */
  after?: StoredColumns;
  /** addresses of pictures in the row, http or https, as the file has them, at most 50 */
  photoUrls: string[];
}

/** One batch of an import, handed over in its transaction. */
export interface ImportBatch {
  /** the last line of the batch; everything up to it is decided */
  line: number;
  rows: readonly ImportedRow[];
  refusals: readonly RefusedRow[];
  /** of its rows, as the report counts them */
  notes: ReadonlyMap<string, number>;
}

/** What becomes of a home that the seller already lists from another source. */
export type SameHome =
  /** the row is refused, with the listing named: the decision is offered */
  | 'ask'
  /** the row fills what is blank in that listing */
  | 'merge'
  /** the row becomes a listing of its own */
  | 'keep';

export interface ImportRequest {
  /** result of `openListingsFile` */
  file: ListingsFile;
  /** result of `applyMapping` */
  mapping: Mapping;
  /** the seller: by id, else by email; neither for the only registered seller */
  agentId?: string | null;
  sellerEmail?: string | null;
  /** status of new listings that are for sale; 'Active' becomes 'pending' where listings need a verified ownership. Default Active. */
  firstStatus?: 'Active' | 'pending';
  /** report what would happen without writing */
  dryRun: boolean;
  /** noted in the audit log, so that it leads to the import's record */
  importId?: string;
  /** goes on after this line, from `ImportBatch.line` */
  resumeAfterLine?: number;
  /** switches on the property types that the file needs and that are off; for administrators and the operator */
  activateTypes?: boolean;
  /** names of property types by the file's own words or codes: `{ R1: 'Single Family' }`; empty for rows that are left out */
  types?: Readonly<Record<string, string>>;
  /** the same by the words of whole rows (`rowWords`), for rows that are not known otherwise */
  typesOfRows?: Readonly<Record<string, string>>;
  /** default 'ask' */
  sameHome?: SameHome;
  /** whose controls refusals name; default 'command' */
  surface?: Surface;
  /** called in each batch's transaction, not in a dry run */
  onBatch?: (batch: ImportBatch) => Promise<void>;
  onRefusal?: (line: number, refusal: Refusal) => void;
  /** after every batch: rows done of all */
  onProgress?: (done: number, total: number) => void | Promise<void>;
  /** stops the import after the batch that is being written */
  signal?: AbortSignal;
}

export type ImportResult =
  | {
      ok: true;
      seller: ImportSeller;
      report: ImportReport /** false when the signal stopped it */;
      completed: boolean;
    }
  | { ok: false; reason: string };

/** How often rows were refused for one reason, and the values that were. */
export interface ReasonCount {
  count: number;
  /** how often each value was refused, for the first 200 different ones */
  values: Map<string, number>;
}

/** Result of an import, in rows of the file. */
export interface ImportReport {
  rows: number;
  accepted: number;
  updated: number;
  unchanged: number;
  refused: number;
  /** of the accepted and updated rows, those of homes that are sold */
  sold: number;
  /** rows that filled blanks of a listing from another source */
  merged: number;
  /** refusals by column and reason, in order of first occurrence */
  reasons: Map<string, ReasonCount>;
  /** cells left blank or corrected in accepted rows, by column and reason */
  notes: Map<string, number>;
  /** names of the property types that were switched on */
  activatedTypes: string[];
}
