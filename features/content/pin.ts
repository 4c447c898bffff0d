import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { fileCid, profileOf } from '#gateways/content/cid.ts';
import { type ContentStore, ContentStoreError } from '#gateways/content/port.ts';
import { FileStoreError } from '#gateways/files/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { cutText } from '#platform/cut-text.ts';
import { LEASE_MS, MAX_ATTEMPTS, retryDelayMs } from './limits.ts';
import { METADATA_FILE, type PinStatus } from './model.ts';
import { pinReasons } from './rules.ts';

export type PinCtx = CtxWith<'files' | 'content'>;

interface Claimed {
  cid: string;
  status: 'waiting' | 'unpinning';
  attempts: number;
  /** by which the end of the work knows that no other process has taken it over */
  lease: string;
}

type Outcome =
  | { ok: true; bytes?: number }
  /** `again`: another attempt can succeed without anyone doing something */
  | { ok: false; reason: string; again: boolean };

/**
 * Publishes, or stops publishing, the address that is due first, or the given one.
 * @returns what became of it; null when none was due
 */
export async function workOnPin(
  ctx: PinCtx,
  cid?: string,
): Promise<{ cid: string; status: PinStatus } | null> {
  const { content } = ctx;
  if (!content) return null;
  const claimed = await claim(ctx, cid);
  if (!claimed) return null;
  try {
    const outcome = await attempt(ctx, content, claimed);
    return { cid: claimed.cid, status: await finish(ctx, claimed, outcome) };
  } catch (error) {
    // A fault of ours: it must not be tried again every moment, nor hold the address until the lease ends.
    await finish(ctx, claimed, { ok: false, reason: 'Internal error', again: true });
    throw error;
  }
}

/** Takes an address for this process alone. The database's clock counts, since its triggers set what is due. */
async function claim(ctx: Ctx, cid: string | undefined): Promise<Claimed | null> {
  const q = ctx.db.q();
  const row = await q
    .updateTable('content_pins')
    .set({
      leased_until: sql`now() + make_interval(secs => ${LEASE_MS / 1000})`,
      // From now on it may be in the store, whatever happens.
      touched: sql`touched or status = 'waiting'`,
    })
    .where('cid', '=', (of) =>
      of
        .selectFrom('content_pins')
        .select('cid')
        .where('status', 'in', ['waiting', 'unpinning'])
        .where('due_at', '<=', sql<Date>`now()`)
        .where((is) => is.or([is('leased_until', 'is', null), is('leased_until', '<', sql<Date>`now()`)]))
        .$if(cid !== undefined, (some) => some.where('cid', '=', cid ?? ''))
        .orderBy('due_at')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['cid', 'status', 'attempts', sql<string>`leased_until::text`.as('lease')])
    .executeTakeFirst();
  return row ? { ...row, status: row.status as Claimed['status'] } : null;
}

async function attempt(ctx: PinCtx, store: ContentStore, { cid, status }: Claimed): Promise<Outcome> {
  try {
    if (status === 'waiting') return await publish(ctx, store, cid);
    await store.remove(cid);
    return { ok: true };
  } catch (error) {
    return failureOf(ctx, error);
  }
}

function failureOf(ctx: Ctx, error: unknown): Outcome {
  if (error instanceof FileStoreError) {
    ctx.log.warn({ err: error }, 'the file of a public document could not be read');
    return { ok: false, reason: pinReasons.files, again: error.retryable };
  }
  if (!(error instanceof ContentStoreError)) throw error;
  ctx.log.warn({ err: error }, 'the store of public documents failed');
  const reason = error.retryable ? pinReasons.silent : pinReasons.store(error.message);
  return { ok: false, reason, again: error.retryable };
}

/** Adds the file and compares the address that the store gives it with ours. */
async function publish(ctx: PinCtx, store: ContentStore, cid: string): Promise<Outcome> {
  const content = await contentOf(ctx, cid);
  if (!content.ok) return content;
  const { bytes, name } = content;
  const { profile } = ctx.config.content;
  if (fileCid(bytes, profile) !== cid) {
    const former = profileOf(bytes, cid);
    const reason = former ? pinReasons.profile(former) : pinReasons.changed;
    return { ok: false, reason, again: false };
  }
  const answer = await store.add(bytes, name);
  if (answer.cid === cid) return { ok: true, bytes: bytes.length };
  // Under the other address no one would find it when the document becomes private again.
  if (!(await isKeptAs(ctx, answer.cid))) await store.remove(answer.cid);
  const theirs = profileOf(bytes, answer.cid);
  return {
    ok: false,
    reason: theirs ? pinReasons.mismatchOf(theirs) : pinReasons.mismatch(answer.cid),
    again: false,
  };
}

/**
 * Whether the same bytes are published under an address already, or are to be, as those of a document of an earlier profile. They are
 * removed once that is no longer so.
 */
async function isKeptAs(ctx: Ctx, cid: string): Promise<boolean> {
  const row = await ctx.db
    .q()
    .updateTable('content_pins')
    .set({ touched: true })
    .where('cid', '=', cid)
    .where('status', 'in', ['waiting', 'pinned', 'failed'])
    .returning('cid')
    .executeTakeFirst();
  return row !== undefined;
}

type Content = { ok: true; bytes: Uint8Array; name: string } | (Outcome & { ok: false });

/** What is published under an address: the file of a public document, or the metadata of a token. */
async function contentOf(ctx: PinCtx, cid: string): Promise<Content> {
  const document = await publicDocument(ctx, cid);
  if (!document) {
    const text = await tokenMetadata(ctx, cid);
    // It has just become private, and is due for its removal.
    if (text === null) return { ok: false, reason: pinReasons.gone, again: true };
    return { ok: true, bytes: new TextEncoder().encode(text), name: METADATA_FILE };
  }
  const file = await ctx.files.get(document.file_key);
  if (!file) return { ok: false, reason: pinReasons.missing, again: false };
  const bytes = new Uint8Array(await new Response(file.body).arrayBuffer());
  if (createHash('sha256').update(bytes).digest('hex') !== document.sha256)
    return { ok: false, reason: pinReasons.changed, again: false };
  return { ok: true, bytes, name: document.document_name };
}

async function tokenMetadata(ctx: Ctx, cid: string): Promise<string | null> {
  const token = await ctx.db
    .q()
    .selectFrom('completion_nfts')
    .select('token_metadata')
    .where('metadata_cid', '=', cid)
    .limit(1)
    .executeTakeFirst();
  return token?.token_metadata ?? null;
}

const publicDocument = (ctx: Ctx, cid: string) =>
  ctx.db
    .q()
    .selectFrom('document_registry')
    .select(['file_key', 'document_name', 'sha256'])
    .where('cid', '=', cid)
    .where('visibility', '=', 'public')
    .where('scan', '<>', 'held')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();

/**
 * Writes down what happened, unless what is wanted has changed meanwhile: then only the lease ends, and the address is due for what is
 * wanted now.
 */
function finish(ctx: Ctx, claimed: Claimed, outcome: Outcome): Promise<PinStatus> {
  const { cid } = claimed;
  return ctx.db.tx(async () => {
    const q = ctx.db.q();
    const { status, lease } = await q
      .selectFrom('content_pins')
      .select(['status', sql<string | null>`leased_until::text`.as('lease')])
      .where('cid', '=', cid)
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (lease !== claimed.lease) return status;
    const attempts = claimed.attempts + 1;
    const update = (set: Record<string, unknown>) =>
      q
        .updateTable('content_pins')
        .set({ leased_until: null, updated_at: sql`now()`, ...set })
        .where('cid', '=', cid)
        .execute();
    if (status !== claimed.status) {
      await update({});
      return status;
    }
    if (outcome.ok) {
      const done = status === 'waiting' ? 'pinned' : 'unpinned';
      const pinned =
        done === 'pinned' ? { pinned_at: sql`now()`, byte_size: outcome.bytes } : { touched: false };
      await update({ status: done, reason: null, attempts, ...pinned });
      await audit(ctx, {
        action: done === 'pinned' ? 'content.pin' : 'content.unpin',
        entity: 'content',
        entityId: cid,
        after: { status: done },
      });
      return done;
    }
    const reason = cutText(outcome.reason, 300);
    if (outcome.again && attempts < MAX_ATTEMPTS) {
      const due_at = sql`now() + make_interval(secs => ${retryDelayMs(attempts) / 1000})`;
      await update({ attempts, reason, due_at });
      return status;
    }
    const failed = status === 'waiting' ? 'failed' : 'unpin_failed';
    await update({ status: failed, reason, attempts });
    await audit(ctx, {
      action: failed === 'failed' ? 'content.pin_failed' : 'content.unpin_failed',
      entity: 'content',
      entityId: cid,
      after: { status: failed, reason },
    });
    ctx.log.error({ cid, reason }, 'a public document could not be published, or no longer published');
    return failed;
  });
}
