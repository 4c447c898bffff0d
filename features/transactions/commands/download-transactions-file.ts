import type { CtxWith } from '#gateways/ports.ts';
import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';
import { fileName, fileType } from '../file-formats.ts';
import { readParts } from '../file-parts.ts';
import { mayOverseeSales } from '../rules.ts';

interface DownloadedFile {
  name: string;
  type: string;
  bytes: number;
  body: AsyncGenerator<Uint8Array>;
}

/**
 * A file that was prepared, for the administrator who asked for it and for a day; that it was downloaded is recorded.
 * @throws Unauthenticated, Forbidden for everyone but administrators; NotFound for one that somebody else asked for, that is not ready
 * or has expired
 */
export async function downloadTransactionsFile(
  ctx: CtxWith<'files'>,
  { fileId }: { fileId: string },
): Promise<DownloadedFile> {
  const user = authorizedUser(ctx, mayOverseeSales);
  const file = isUuid(fileId)
    ? await ctx.db
        .q()
        .selectFrom('transaction_files')
        .select(['id', 'format', 'parts', 'bytes', 'created_at'])
        .where('id', '=', fileId)
        .where('requested_by', '=', user.id)
        .where('status', '=', 'ready')
        .where('expires_at', '>', ctx.now())
        .executeTakeFirst()
    : undefined;
  if (!file) throw new NotFound('This file is no longer available.');
  const { id, format, parts, bytes, created_at } = file;
  await audit(ctx, { action: 'transactions.download_file', entity: 'transaction_file', entityId: id });
  return {
    name: fileName(format, created_at),
    type: fileType(format),
    bytes: bytes ?? 0,
    body: readParts(ctx.files, { id, format, parts: parts ?? 0 }),
  };
}
