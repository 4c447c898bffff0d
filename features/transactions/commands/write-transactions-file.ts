import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { publish } from '#platform/events/events.ts';
import { fileOf } from '../file-formats.ts';
import { storeParts } from '../file-parts.ts';
import { type FileRow, fileRows } from '../file-rows.ts';
import { transactionQueryFrom } from '../filters.ts';
import { transactionCount } from '../list.ts';
import { mailFileFailed, mailFileReady } from '../mails.ts';
import type { FileFormat } from '../model.ts';
import { FILE_LASTS_MS } from '../model.ts';
import { mayMakeFiles } from '../rules.ts';
import { withSeller } from '../seller-filter.ts';

interface Attempt {
  fileId: string;
  signal: AbortSignal;
  /** a failure is final: whoever asked is notified of it */
  isLastTry: boolean;
}

/**
 * Writes a file that was asked for to the file store, and notifies whoever asked, once. Repeated after a failure it begins again; of
 * a file that is written or gone it does nothing.
 * @throws Unauthenticated, Forbidden for every user; FileStoreError; what `signal` was aborted with
 */
export async function writeTransactionsFile(ctx: CtxWith<'files'>, attempt: Attempt): Promise<void> {
  authorize(ctx, mayMakeFiles);
  const { fileId, signal, isLastTry } = attempt;
  const file = await ctx.db
    .q()
    .selectFrom('transaction_files')
    .select(['id', 'format', 'query', 'requested_by', 'created_at'])
    .where('id', '=', fileId)
    .where('status', '=', 'preparing')
    .executeTakeFirst();
  if (!file) return;
  const wanted = { ...file, params: file.query as Record<string, string> };
  try {
    const written = await write(ctx, wanted, signal);
    await end(ctx, wanted, { status: 'ready', ...written });
  } catch (error) {
    if (isLastTry) await end(ctx, wanted, { status: 'failed' });
    throw error;
  }
}

interface Wanted {
  id: string;
  format: FileFormat;
  params: Record<string, string>;
  requested_by: string;
  created_at: Date;
}

async function write(ctx: CtxWith<'files'>, { id, format, params }: Wanted, signal: AbortSignal) {
  const { sort, page: _, ...filters } = transactionQueryFrom(new URLSearchParams(params));
  const { filter } = await withSeller(ctx, filters);
  const { more } = await transactionCount(ctx, filter);
  let sales = 0;
  async function* counted(): AsyncGenerator<FileRow[]> {
    for await (const rows of fileRows(ctx, { filter, sort, few: !more })) {
      signal.throwIfAborted();
      sales += rows.length;
      yield rows;
    }
  }
  const stored = await storeParts(
    ctx.files,
    { id, format },
    fileOf(format, filter, counted(), ctx.now()),
    signal,
  );
  return { ...stored, sales };
}

type Outcome = { status: 'ready'; parts: number; bytes: number; sales: number } | { status: 'failed' };

/** Records how it went, unless another attempt has, and notifies whoever asked. */
async function end(ctx: Ctx, { id, format, requested_by, created_at }: Wanted, outcome: Outcome) {
  await ctx.db.tx(async () => {
    const now = ctx.now();
    const ended = await ctx.db
      .q()
      .updateTable('transaction_files')
      .set({ ...outcome, finished_at: now, expires_at: new Date(now.getTime() + FILE_LASTS_MS) })
      .where('id', '=', id)
      .where('status', '=', 'preparing')
      .returning('id')
      .executeTakeFirst();
    if (!ended) return;
    const mail = { fileId: id, to: requested_by, format, createdAt: created_at };
    if (outcome.status === 'ready') await mailFileReady(ctx, { ...mail, sales: outcome.sales });
    else await mailFileFailed(ctx, mail);
    await publish(ctx, {
      audience: `user:${requested_by}`,
      type: 'transactions.file',
      payload: { file: id },
    });
  });
}
