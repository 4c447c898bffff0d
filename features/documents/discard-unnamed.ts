import { sql } from 'kysely';
import type { CtxWith } from '#gateways/ports.ts';

/**
 * Deletes a file that was stored for a row, now that saving the row was refused or failed, unless a row names it after all: a commit whose
 * answer was lost. Must run outside of a transaction. What could not be asked or deleted is logged: it is served to no one, and no reason
 * to hide why nothing was saved.
 * @param file a document, or a file of a message
 */
export async function discardUnnamed(
  ctx: CtxWith<'files'>,
  file: { key: string; sha256: string },
): Promise<void> {
  try {
    const { rows } = await sql<{ named: boolean }>`
      select exists (select from document_registry where sha256 = ${file.sha256} and file_key = ${file.key})
        or exists (select from message_files where file_key = ${file.key}) as named`.execute(ctx.db.q());
    if (!rows[0]?.named) await ctx.files.delete(file.key);
  } catch (error) {
    ctx.log.error({ err: error, key: file.key }, 'an unused file could not be deleted');
  }
}
