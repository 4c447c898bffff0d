/** A PostgreSQL server for tests, or why there is none. */
export function findPostgres(
  environment?: Record<string, string | undefined>,
): Promise<{ url: string; version: string; stop(): Promise<void> } | { reason: string }>;

/** The folder of the newest installed PostgreSQL that has all of these programs; undefined when there is none. */
export function programFolder(programs: readonly string[]): string | undefined;

/** Whom PostgreSQL runs as, which refuses root; null when this process is not root's. */
export function unprivileged(): { uid: number; gid: number } | null;
