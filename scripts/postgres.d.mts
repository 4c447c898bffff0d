/** A PostgreSQL server for tests, or why there is none. */
export function findPostgres(
  environment?: Record<string, string | undefined>,
): Promise<{ url: string; version: string; stop(): Promise<void> } | { reason: string }>;
