import type { Database } from '#platform/db/database.ts';

/** A backup and its way back, for one kind of database. */
export interface BackupMethod {
  /**
   * Backs up one snapshot of the original while it is in use; `read` reads that same snapshot.
   * @returns what `read` returned, the size of the backup in bytes, and the seconds for which writers had to wait
   */
  take<T>(
    original: Database,
    read: (snapshot: Database) => Promise<T>,
  ): Promise<{ facts: T; bytes: number; blockedSeconds: number }>;
  /** Restores the backup elsewhere and opens it. */
  restore(): Promise<Database>;
  /** Removes the backup and the restored database, which must be closed. */
  remove(): Promise<void>;
}
