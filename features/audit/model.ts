import type { BoundedCount } from '#platform/counts.ts';

/** Something that must not be. */
export interface AuditFinding {
  check: AuditCheck;
  /** what it is about, such as `audit row 17` */
  subject: string;
  detail: string;
}

/** What must hold, as the command prints it. */
export const auditChecks = [
  'every chained audit row is as it was written',
  'no chained audit row is missing',
  'the positions of the chain have no gap',
  'every audit row is chained within an hour',
  'the pinned head is in the chain',
  'sales, listings, sellers and settings are as their audit rows say',
  'each change of state has one audit row',
] as const;
export type AuditCheck = (typeof auditChecks)[number];

/** A link of the chain that was written down outside of the database; without a position it may stand anywhere. */
export interface PinnedHead {
  position: number | null;
  /** 64 hexadecimal digits */
  hash: string;
}

export interface AuditReport {
  findings: AuditFinding[];
  /** all findings; `findings` holds the first 100 of each check */
  total: number;
  /** the end of the chain; null while it is empty */
  head: { position: number; hash: string } | null;
}

/** Reads `POSITION:HASH` or `HASH`; null for anything else. */
export function pinnedHeadFrom(text: string): PinnedHead | null {
  const found = /^(?:([1-9]\d{0,14}):)?([0-9a-f]{64})$/i.exec(text.trim());
  const [, position, hash] = found ?? [];
  return hash === undefined
    ? null
    : { position: position === undefined ? null : Number(position), hash: hash.toLowerCase() };
}

/** A field of an audit row that differs before and after, in words; null where the row does not say. */
export interface HistoryChange {
  field: string;
  before: string | null;
  after: string | null;
}

/** An audit row in words. */
export interface HistoryEntry {
  id: number;
  /** ISO, UTC */
  at: string;
  /** who did it: the name of an account, or 'The system' */
  who: string;
  /** the role of that account then; null when it was none */
  role: string | null;
  what: string;
  /** as in the audit log */
  entity: string;
  recordId: string;
  /** the kind of record, in words */
  record: string;
  changes: HistoryChange[];
}

/** A page of the audit log, the latest first. */
export interface HistoryPage {
  entries: HistoryEntry[];
  /** what the next page comes before; null on the last one */
  older: string | null;
  /** true on all pages but the first */
  isLater: boolean;
}

/** How far the audit log is chained. */
export interface ChainState {
  /** the last link; `at` is ISO, UTC; null while there is none */
  head: { position: number; hash: string; at: string } | null;
  /** rows that wait to be chained */
  waiting: BoundedCount;
  /** a task says that the check found something */
  isBroken: boolean;
}

/** A page of what was done to one record, the latest first. */
export interface RecordHistoryPage {
  entries: HistoryEntry[];
  /** what the next page comes before; null on the last one */
  older: number | null;
  /** true on all pages but the first */
  isLater: boolean;
}
