import type { FieldName } from '#features/listing-import/fields.ts';
import type { SameHome } from '#features/listing-import/model.ts';
import type { ListingsFile } from '#features/listing-import/read-file.ts';
import type { TypeWord } from '#features/listing-import/type-words.ts';

/**
 * `uploaded`: its columns are being chosen; `checking` and `checked`: a check that writes nothing; `running`, `stopped`, `done`: the import
 * itself; `undoing`, `undone`: the way back.
 */
const importStatuses = [
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
  /** ISO, UTC */
  createdAt: string;
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

/** What a file is. `header` and `examples` (three values of each column) are empty once the columns are decided. */
export interface FileFacts {
  format: ListingsFile['format'];
  encoding: ListingsFile['encoding'];
  /** the source that the columns tell, in words */
  source: string | null;
  size: number;
  header: string[];
  examples: string[][];
}

/** A field of a listing, and the column that it is read from. */
export interface ImportColumn {
  field: FieldName;
  label: string;
  /** every row needs it, or what can stand for it */
  needed: boolean;
  /** only together with others, such as the number of a street */
  part: boolean;
  /** `#3` for the third column, `=NH` for the same value in every row; empty when it is not read */
  choice: string;
  how: 'exact' | 'preset' | 'chosen' | null;
  /** a column that is probably meant, not read unless it is chosen */
  suggestion: { choice: string; header: string } | null;
}

/** A word of the file for a property type that is not known here. */
export interface ImportTypeWord extends TypeWord {
  /** the name of the type that it stands for; empty when its rows are left out */
  choice: string;
}

/** What the page of an import shows. */
export interface ImportDetails extends ImportEntry {
  problem: string | null;
  agentId: string | null;
  sellerEmail: string | null;
  sellerSuspended: boolean;
  byAdmin: boolean;
  firstStatus: FirstStatus;
  file: FileFacts;
  columns: ImportColumn[];
  /** headers that no field is read from */
  ignored: string[];
  /** words for property types that are not known here, most frequent first; empty once the columns are decided */
  typeWords: ImportTypeWord[];
  /** how many different ones there are besides */
  moreTypeWords: number;
  /** the types that can be chosen for them */
  types: string[];
  activateTypes: boolean;
  sameHome: SameHome;
  check: RowCounts;
  notes: Record<string, number>;
  /** refused rows of the last step, most frequent first */
  refusals: RefusalGroup[];
  /** another import of the same seller works, and this one waits for it */
  waits: boolean;
  photos: BackgroundCounts;
  /** listings that are unchanged but for photos */
  pictured: number;
  /** why photos were not added, most frequent first */
  photoProblems: { reason: string; count: number }[];
  places: BackgroundCounts;
  sparedListings: SparedListing[];
  /** ISO, UTC */
  finishedAt: string | null;
  undoneAt: string | null;
}

/** Errors of the form with the columns, by field. */
export type ChoiceErrors = Partial<Record<'seller' | 'columns' | `map.${string}` | `type.${string}`, string>>;

/** Why an import cannot be changed; `state`: someone or a job did something else with it. */
export type ImportRefusal = 'state' | 'seller';
export type ImportResult = { ok: true } | { ok: false; reason: ImportRefusal; text: string };
