import { mayEditListings, mayList, mayReadOwnListings } from '#features/listings/rules.ts';
import { nobody, type Permission } from '#platform/access.ts';
import { DAY, MINUTE } from '#platform/durations.ts';
import type { ImportRefusal, ImportStatus } from './model.ts';

/** Sellers import their own listings, administrators those of every seller; a suspended seller has read-only access. */
export const mayImportFiles: Permission = (actor) => mayList(actor) || mayEditListings(actor);
export const mayReadImports: Permission = (actor) => mayReadOwnListings(actor) || mayEditListings(actor);
/** Who has the pages of imports in each area: an administrator's are not a seller's. */
export const mayOpenImports: Readonly<Record<'agent' | 'admin', Permission>> = {
  agent: mayReadOwnListings,
  admin: mayEditListings,
};
/** Imports are worked by jobs only. */
export const mayWorkImports = nobody;

/** A process that dies leaves its import to another one after this time. */
export const LEASE_MS = MINUTE;
/** How long a file is kept that was never imported, and one that was. */
export const UNUSED_RETENTION_MS = 7 * DAY;
export const FILE_RETENTION_MS = 30 * DAY;

/** What can be done with an import, by its status. */
export const possible = {
  choose: ['uploaded', 'checked'],
  start: ['checked', 'stopped'],
  stop: ['checking', 'running'],
  discard: ['uploaded', 'checked'],
  undo: ['stopped', 'done'],
} as const satisfies Record<string, readonly ImportStatus[]>;

type ImportStep = keyof typeof possible;

export const isPossible = (step: ImportStep, status: ImportStatus): boolean =>
  (possible[step] as readonly ImportStatus[]).includes(status);

/** Whether an import can go on after it was stopped: what was undone of one would not be imported again. */
export const isWhole = (undone: { removed: number; restored: number; spared: number }): boolean =>
  undone.removed + undone.restored + undone.spared === 0;

export const importMessages = {
  noFile: 'Choose a file first.',
  tooLarge: 'The file is larger than 100 MB. Please split it.',
  emptyFile: 'The file is empty.',
  uploadFailed: 'The file could not be uploaded. Please try again.',
  notSent: 'The file could not be sent. Please check your connection and try again.',
  failed: 'Nothing was changed. Please try again.',
  noSeller: 'Choose whose listings these are.',
  archivedSeller: 'This seller is archived and can have no listings.',
  suspendedSeller: 'This seller is suspended. Lift that before you import listings.',
  noSuchType: 'There is no such property type. Please choose another one.',
  typeOff: 'This property type is off. Please choose another one.',
  stopped: 'The import was stopped. What was imported until then stays.',
  interrupted: 'Something went wrong, so the import was stopped. What was imported until then stays.',
  checkFailed: 'Something went wrong, so the file could not be checked. Please try again.',
  undoFailed: 'Something went wrong, so the import is not undone completely. Please try again.',
  partlyUndone:
    'A part of this import was undone, so it cannot be continued. Undo the rest, then upload the file again.',
  fileGone: 'The file of this import was deleted. Please upload it again.',
} as const;

export const refusalTexts: Record<ImportRefusal, string> = {
  state: 'This import has changed meanwhile. Please look again.',
  seller: importMessages.suspendedSeller,
};

/** Why undoing an import leaves a listing as it is. */
export const sparedBecause = {
  deleted: 'The listing was deleted since.',
  sale: 'The property was bought, or is being bought.',
  inquiry: 'A buyer has asked about the property.',
  tour: 'A buyer has asked for a tour.',
  later: 'A later import changed the listing.',
  status: 'The status of the listing has changed.',
  ownership: 'A proof of ownership was uploaded.',
  document: 'A document was added.',
  photo: 'Photos were added or changed.',
  edited: 'The listing was edited.',
} as const;

export type SparedReason = keyof typeof sparedBecause;
