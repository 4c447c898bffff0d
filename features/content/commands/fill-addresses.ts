import { createHash } from 'node:crypto';
import { FileCid } from '#gateways/content/cid.ts';
import { FileStoreError } from '#gateways/files/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import { MINUTE } from '#platform/durations.ts';
import { mayPublishContent } from '../rules.ts';

const BATCH_SIZE = 100;
/** A run ends after this, so that the job is never given up as lost. */
const RUN_MS = 3 * MINUTE;

interface Row {
  id: string;
  file_key: string;
  sha256: string;
}

/**
 * Computes the content addresses of documents that were registered without one. A document whose file is missing, or differs from its
 * hash, keeps none, as does one that was erased.
 * @returns how many got an address, and how many keep none
 * @throws Unauthenticated, Forbidden for every user; FileStoreError when the store cannot be reached
 */
export async function fillAddresses(ctx: CtxWith<'files'>): Promise<{ filled: number; left: number }> {
  authorize(ctx, mayPublishContent);
  const start = performance.now();
  let [filled, left] = [0, 0];
  for (let after: string | null = null; performance.now() - start < RUN_MS; ) {
    const rows: Row[] = await ctx.db
      .q()
      .selectFrom('document_registry')
      .select(['id', 'file_key', 'sha256'])
      .where('cid', 'is', null)
      .where('erased_at', 'is', null)
      .$if(after !== null, (some) => some.where('id', '>', after ?? ''))
      .orderBy('id')
      .limit(BATCH_SIZE)
      .execute();
    for (const row of rows) {
      if (await fill(ctx, row)) filled += 1;
      else left += 1;
    }
    const last = rows.at(-1);
    if (!last || rows.length < BATCH_SIZE) break;
    after = last.id;
  }
  if (left > 0)
    ctx.log.warn({ left }, 'documents have no content address: their files are missing or differ');
  return { filled, left };
}

async function fill(ctx: CtxWith<'files'>, { id, file_key, sha256 }: Row): Promise<boolean> {
  const cid = await addressOf(ctx, file_key, sha256);
  if (cid === null) return false;
  await ctx.db
    .q()
    .updateTable('document_registry')
    .set({ cid })
    .where('id', '=', id)
    .where('cid', 'is', null)
    .execute();
  return true;
}

async function addressOf(ctx: CtxWith<'files'>, key: string, sha256: string): Promise<string | null> {
  try {
    const file = await ctx.files.get(key);
    if (!file) return null;
    const cid = new FileCid(ctx.config.content.profile);
    const hash = createHash('sha256');
    for await (const piece of file.body) {
      cid.update(piece);
      hash.update(piece);
    }
    return hash.digest('hex') === sha256 ? cid.digest() : null;
  } catch (error) {
    // Only of this file; that the store cannot be reached ends the run.
    if (error instanceof FileStoreError && !error.retryable) return null;
    throw error;
  }
}
