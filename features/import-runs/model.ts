import type { FieldChoices } from '#features/listing-import/mapping.ts';
import type { SameHome } from '#features/listing-import/model.ts';
import type { ListingsFile } from '#features/listing-import/read-file.ts';

/**
 * `uploaded`: its columns are being chosen; `checking` and `checked`: a check that writes nothing; `running`, `stopped`, `done`: the import
 * itself; `undoing`, `undone`: the way back.
 */
export const importStatuses = [
  'uploaded',
  'checking',
  'checked',
  'running',
  'stopped',
  'done',
  'undoing',
  'undone',
] as const;
export type ImportStatus = (typeof importStatuses)[number];

/** In these a job works on it. */
export const workingStatuses = ['checking', 'running', 'undoing'] as const satisfies readonly ImportStatus[];

/** 100 MB. */
export const MAX_IMPORT_BYTES = 100_000_000;

/** Status of new listings: an administrator chooses, a seller's wait for approval. */
export type FirstStatus = 'pending' | 'Active';

/** Rows of a file by what they do. */
export interface RowCounts {
  added: number;
  changed: number;
  unchanged: number;
  refused: number;
}

/** An import in the history. */
export interface ImportEntry {
  id: string;
  fileName: string;
  status: ImportStatus;
  /** null until an administrator has chosen one */
  seller: string | null;
  /** null when the account is gone */
  madeBy: string | null;
  createdAt: Date;
  rowsTotal: number;
  rowsDone: number;
  counts: RowCounts;
  removed: number;
  restored: number;
  spared: number;
}

export interface ImportPage {
  entries: ImportEntry[];
  total: number;
  page: number;
  pages: number;
}

/** How far something that goes on in the background is. */
export interface BackgroundCounts {
  waiting: number;
  done: number;
  failed: number;
}

/** Refused rows with the same reason. */
export interface RefusalGroup {
  column: string | null;
  reason: string;
  count: number;
  /** of the first row */
  line: number;
  detail: string | null;
}

/** A listing that undoing left as it is, and why. */
export interface SparedListing {
  propertyId: string;
  line: number;
  address: string;
  because: string;
}

/** What the page of an import shows. */
export interface ImportDetails extends ImportEntry {
  problem: string | null;
  agentId: string | null;
  sellerEmail: string | null;
  sellerSuspended: boolean;
  byAdmin: boolean;
  firstStatus: FirstStatus;
  file: Omit<ListingsFile, 'path'>;
  choices: FieldChoices;
  activateTypes: boolean;
  sameHome: SameHome;
  check: RowCounts;
  notes: Record<string, number>;
  /** refused rows of the last step, most frequent first */
  refusals: RefusalGroup[];
  /** another import of the same seller works, and this one waits for it */
  waits: boolean;
  photos: BackgroundCounts;
  /** why photos were not added, most frequent first */
  photoProblems: { reason: string; count: number }[];
  places: BackgroundCounts;
  sparedListings: SparedListing[];
  finishedAt: Date | null;
  undoneAt: Date | null;
}

/** Errors of the form with the columns, by field. */
export type ChoiceErrors = Partial<Record<'seller' | 'columns' | `map.${string}`, string>>;

/** Why an import cannot be changed; `state`: someone or a job did something else with it. */
export type ImportRefusal = 'state' | 'seller';
export type ImportResult = { ok: true } | { ok: false; reason: ImportRefusal; text: string };
