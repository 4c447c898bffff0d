import type { PropertyStatus } from '#features/listings/model.ts';
import { type ApprovalMarks, marksOfChange } from '#features/listings/rules.ts';
import { keysOf } from '#platform/typed-keys.ts';
import type { StoredValues } from './changes.ts';
import type { StoredColumns } from './model.ts';

/** How a listing leaves the market by an import. */
export type Leaving = 'import_sold' | 'import_withdraw';

interface How {
  firstStatus: 'Active' | 'pending';
  leaves: Leaving | null;
  at: Date;
}

/** What an import that waits for approval leaves for an administrator when it changes these columns of a listing. */
export function marksOf(
  { status, listed_at: listedAt }: { status: PropertyStatus; listed_at: Date | null },
  changed: readonly (keyof StoredValues)[],
  { firstStatus, leaves, at }: How,
): ApprovalMarks {
  if (firstStatus !== 'pending' || changed.length === 0) return {};
  return marksOfChange(
    { status: leaves === 'import_withdraw' ? 'withdrawn' : status, listedAt },
    { onlyPrice: changed.every((name) => name === 'price_cents'), at },
  );
}

/** The marks that a change sets, as they were. */
export const marksBefore = (
  listing: Readonly<Record<keyof ApprovalMarks, Date | null>>,
  marks: ApprovalMarks,
): StoredColumns =>
  Object.fromEntries(keysOf(marks).map((name) => [name, listing[name]?.toISOString() ?? null]));
