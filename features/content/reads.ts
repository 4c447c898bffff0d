import type { Expression, SqlBool } from 'kysely';
import { sql } from 'kysely';
import { setting } from '#features/settings/setting.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { anyone, authorize } from '#platform/access.ts';
import { cached } from '#platform/cache.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { derivedGateway, gatewayLink } from './gateway.ts';
import {
  type FailedPin,
  METADATA_FILE,
  type SavedGateway,
  type StorageStatus,
  type TestDocument,
} from './model.ts';
import { contentMessages, mayManageContent, mayReadPublished } from './rules.ts';
import { testsRefusal } from './test-documents.ts';

/** Rows of the list of failed documents, and of test documents. */
const LIST_SIZE = 50;

/**
 * Where links to public documents lead, with {cid}: what the setting says, else our own address while the store is local, else a
 * public gateway. Cached in memory until a setting changes.
 */
export async function contentGateway(ctx: Ctx): Promise<string> {
  authorize(ctx, anyone);
  const set = await cached(ctx.db, 'platform_settings', 'content_gateway', () =>
    setting(ctx, 'content_gateway'),
  );
  return set ?? derivedGateway(ctx.config);
}

/**
 * The address of each of these at the gateway, for those that are published: what is not in the answer has no link, and a private
 * document never is.
 */
export async function contentLinks(ctx: Ctx, cids: readonly string[]): Promise<Record<string, string>> {
  authorize(ctx, anyone);
  if (cids.length === 0) return {};
  const [gateway, rows] = await Promise.all([
    contentGateway(ctx),
    ctx.db
      .q()
      .selectFrom('content_pins')
      .select('cid')
      .where('cid', 'in', [...new Set(cids)])
      .where('status', '=', 'pinned')
      .execute(),
  ]);
  return Object.fromEntries(rows.map(({ cid }) => [cid, gatewayLink(gateway, cid)]));
}

/**
 * The gateway as administrators edit it.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function savedGateway(ctx: Ctx): Promise<SavedGateway> {
  authorize(ctx, mayManageContent);
  return { gateway: await setting(ctx, 'content_gateway'), derived: derivedGateway(ctx.config) };
}

/**
 * The store of public content and what is in it; test documents count nowhere.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function storageStatus(ctx: Ctx): Promise<StorageStatus> {
  authorize(ctx, mayManageContent);
  const q = ctx.db.q();
  const [gateway, pinned, waiting, failedCount, failed] = await Promise.all([
    contentGateway(ctx),
    q
      .selectFrom('content_pins')
      .select((of) => [
        of.fn.countAll().as('count'),
        of.fn.coalesce(of.fn.sum('byte_size'), of.val(0)).as('bytes'),
        of.fn.max('pinned_at').as('last'),
      ])
      .where('status', '=', 'pinned')
      .where('documents', '>', 0)
      .executeTakeFirstOrThrow(),
    q
      .selectFrom('content_pins')
      .select((of) => of.fn.countAll().as('count'))
      .where('status', 'in', ['waiting', 'unpinning'])
      .where(countsNoTest())
      .executeTakeFirstOrThrow(),
    q
      .selectFrom('content_pins')
      .select((of) => of.fn.countAll().as('count'))
      .where('status', 'in', ['failed', 'unpin_failed'])
      .executeTakeFirstOrThrow(),
    failedPins(ctx),
  ]);
  const { store, profile } = ctx.config.content;
  return {
    provider: store === 'off' ? null : store,
    gateway,
    profile,
    pinned: { count: Number(pinned.count), bytes: Number(pinned.bytes) },
    waiting: Number(waiting.count),
    lastPinAt: pinned.last?.toISOString() ?? null,
    failed,
    failedCount: Number(failedCount.count),
    testsRefused: store === 'off' ? contentMessages.notConfigured : testsRefusal(ctx.config),
  };
}

/** Not one that only test documents have. */
const countsNoTest = (): Expression<SqlBool> => sql<SqlBool>`(documents > 0 or tests = 0)`;

async function failedPins(ctx: Ctx): Promise<FailedPin[]> {
  const rows = await ctx.db
    .q()
    .selectFrom('content_pins as pin')
    .leftJoinLateral(
      (of) =>
        of
          .selectFrom('document_registry as d')
          .select(['d.id', 'd.document_name', 'd.property_id'])
          .whereRef('d.cid', '=', 'pin.cid')
          .where('d.visibility', '=', 'public')
          .orderBy('d.created_at', 'desc')
          .limit(1)
          .as('document'),
      (join) => join.onTrue(),
    )
    .select(['pin.cid', 'pin.status', 'pin.reason', 'pin.updated_at', 'pin.tokens'])
    .select(['document.id', 'document.document_name', 'document.property_id'])
    .where('pin.status', 'in', ['failed', 'unpin_failed'])
    .orderBy('pin.updated_at', 'desc')
    .orderBy('pin.cid')
    .limit(LIST_SIZE)
    .execute();
  return rows.map((row) => ({
    cid: row.cid,
    kind: row.status === 'failed' ? 'pin' : 'unpin',
    document:
      row.id === null ? null : { id: row.id, name: row.document_name ?? '', propertyId: row.property_id },
    isMetadata: row.tokens > 0,
    reason: row.reason ?? '',
    failedAt: row.updated_at.toISOString(),
  }));
}

/**
 * The latest test documents, at most 50.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function testDocuments(ctx: Ctx): Promise<TestDocument[]> {
  authorize(ctx, mayManageContent);
  return readTests(ctx, null);
}

/**
 * One test document.
 * @throws Unauthenticated, Forbidden for everyone but administrators; NotFound
 */
export async function testDocument(ctx: Ctx, id: string): Promise<TestDocument> {
  authorize(ctx, mayManageContent);
  const [found] = await readTests(ctx, id);
  if (!found) throw new NotFound('Document not found');
  return found;
}

async function readTests(ctx: Ctx, id: string | null): Promise<TestDocument[]> {
  const [gateway, rows] = await Promise.all([
    contentGateway(ctx),
    ctx.db
      .q()
      .selectFrom('document_registry as d')
      .leftJoin('content_pins as pin', 'pin.cid', 'd.cid')
      .select(['d.id', 'd.document_name', 'd.byte_size', 'd.cid', 'd.created_at', 'pin.status', 'pin.reason'])
      .where('d.is_test', '=', true)
      .$if(id !== null, (some) => some.where('d.id', '=', id ?? ''))
      .orderBy('d.created_at', 'desc')
      .orderBy('d.id')
      .limit(LIST_SIZE)
      .execute(),
  ]);
  return rows.map((row) => ({
    id: row.id,
    name: row.document_name,
    bytes: Number(row.byte_size),
    cid: row.cid ?? '',
    status: row.status ?? 'waiting',
    reason: row.reason,
    link: row.status === 'pinned' && row.cid ? gatewayLink(gateway, row.cid) : null,
    createdAt: row.created_at.toISOString(),
  }));
}

/** A published file. */
interface PublishedContent {
  name: string;
  contentType: string;
  bytes: Uint8Array;
}

/**
 * What our own store gives out under an address: published content of a local store only, since others have gateways.
 * @throws NotFound for everything else, in particular for documents that have become private; ContentStoreError
 */
export async function publishedContent(ctx: CtxWith<'content'>, cid: string): Promise<PublishedContent> {
  authorize(ctx, mayReadPublished);
  if (ctx.content?.provider !== 'local') throw new NotFound();
  const document = await ctx.db
    .q()
    .selectFrom('content_pins as pin')
    .innerJoin('document_registry as d', 'd.cid', 'pin.cid')
    .select(['d.document_name', 'd.content_type'])
    .where('pin.cid', '=', cid)
    .where('pin.status', '=', 'pinned')
    .where('d.visibility', '=', 'public')
    .where('d.scan', '<>', 'held')
    .orderBy('d.created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!document && !(await isPublishedMetadata(ctx, cid))) throw new NotFound();
  const bytes = await ctx.content.get(cid);
  if (!bytes) throw new NotFound();
  return document
    ? { name: document.document_name, contentType: document.content_type, bytes }
    : { name: METADATA_FILE, contentType: 'application/json', bytes };
}

async function isPublishedMetadata(ctx: Ctx, cid: string): Promise<boolean> {
  const pin = await ctx.db
    .q()
    .selectFrom('content_pins')
    .select('tokens')
    .where('cid', '=', cid)
    .where('status', '=', 'pinned')
    .executeTakeFirst();
  return pin !== undefined && pin.tokens > 0;
}
