import { sql } from 'kysely';
import { addFetchedPhoto } from '#features/photos/commands/add-fetched-photo.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { PictureNotFetched, type RemotePictures } from '#gateways/remote-pictures/port.ts';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { MINUTE } from '#platform/durations.ts';
import { isUuid } from '#platform/uuid.ts';
import { MAX_ATTEMPTS, mayFetchPhotos, remotePhotoMessages } from '../rules.ts';

/** How many are fetched together. */
const TOGETHER = 4;
/** A process that dies leaves its photos to another one after this time, longer than a fetch and its processing take. */
const LEASE_MS = 5 * MINUTE;
const WORK_MS = 4 * MINUTE;

interface Wanted {
  id: string;
  property_id: string;
  url: string;
  position: number;
  attempts: number;
  of_seller: boolean;
}

interface Outcome {
  status: 'waiting' | 'added' | 'skipped' | 'failed';
  reason: string | null;
  due?: Date;
  /** it was given up before anything was known, which counts as no attempt */
  stopped?: boolean;
}

/**
 * Fetches photos that are due until none is left, for at most four minutes. Each is a step of its own, so that one that was interrupted is
 * fetched again and all others are not. A server that does not answer is asked again after one, ten and a hundred minutes.
 * @returns how many were tried
 * @throws Unauthenticated, Forbidden for everyone but jobs
 */
export async function fetchPhotos(
  ctx: CtxWith<'files'>,
  { pictures, signal }: { pictures: RemotePictures; signal?: AbortSignal },
): Promise<number> {
  authorize(ctx, mayFetchPhotos);
  const end = ctx.now().getTime() + WORK_MS;
  let done = 0;
  while (!signal?.aborted && ctx.now().getTime() < end) {
    const wanted = await take(ctx);
    if (wanted.length === 0) break;
    await Promise.all(
      wanted.map(async (photo) => save(ctx, photo, await fetchOne(ctx, photo, pictures, signal))),
    );
    done += wanted.length;
  }
  return done;
}

async function take(ctx: Ctx): Promise<Wanted[]> {
  const now = ctx.now();
  const { rows } = await sql<Wanted>`
    with due as (
      select id from remote_photos where status = 'waiting' and due_at <= ${now}
      order by due_at, property_id, position limit ${TOGETHER} for update skip locked)
    update remote_photos r set due_at = ${new Date(now.getTime() + LEASE_MS)}, attempts = r.attempts + 1,
      updated_at = ${now}
    from due where r.id = due.id
    returning r.id, r.property_id, r.url, r.position, r.attempts,
      coalesce((select made_as = 'agent' from listing_imports where id = r.import_id), false) as of_seller`.execute(
    ctx.db.q(),
  );
  return rows.sort((one, other) => one.position - other.position);
}

async function fetchOne(
  ctx: CtxWith<'files'>,
  { id, property_id, url, position, attempts, of_seller }: Wanted,
  pictures: RemotePictures,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  // It was tried as often as it may, and the process died each time.
  if (attempts > MAX_ATTEMPTS) return { status: 'failed', reason: remotePhotoMessages.crashed };
  try {
    const file = await pictures.fetch(url, signal);
    const added = await addFetchedPhoto(ctx, {
      propertyId: property_id,
      key: id,
      position,
      isWanted: () => isWanted(ctx, id),
      isAsFetched: (other) => isAsFetched(ctx, other),
      needsApproval: of_seller,
      file,
    });
    if (added.ok) return { status: 'added', reason: null };
    return added.reason === 'picture'
      ? { status: 'failed', reason: added.text }
      : { status: 'skipped', reason: remotePhotoMessages[added.reason] };
  } catch (error) {
    if (signal?.aborted) return { status: 'waiting', reason: null, due: ctx.now(), stopped: true };
    if (!(error instanceof PictureNotFetched)) {
      ctx.log.error({ err: error, photo: id }, 'a photo by address could not be stored');
      return again(ctx, attempts, remotePhotoMessages.crashed);
    }
    return error.retryable
      ? again(ctx, attempts, error.message)
      : { status: 'failed', reason: error.message };
  }
}

function again(ctx: Ctx, attempts: number, reason: string): Outcome {
  if (attempts >= MAX_ATTEMPTS) return { status: 'failed', reason };
  return { status: 'waiting', reason, due: new Date(ctx.now().getTime() + 10 ** (attempts - 1) * MINUTE) };
}

/** Another process may have decided that it is not, and undoing an import takes it back. */
const isWanted = async (ctx: Ctx, id: string): Promise<boolean> =>
  (await ctx.db
    .q()
    .selectFrom('remote_photos')
    .select('id')
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .executeTakeFirst()) !== undefined;

const isAsFetched = async (
  ctx: Ctx,
  { key, position }: { key: string; position: number },
): Promise<boolean> =>
  isUuid(key) &&
  (await ctx.db
    .q()
    .selectFrom('remote_photos')
    .select('id')
    .where('id', '=', key)
    .where('position', '=', position)
    .executeTakeFirst()) !== undefined;

/** What another process has decided meanwhile stays. */
async function save(
  ctx: Ctx,
  { id, attempts }: Wanted,
  { status, reason, due, stopped = false }: Outcome,
): Promise<void> {
  await ctx.db
    .q()
    .updateTable('remote_photos')
    .set({
      status,
      reason,
      updated_at: ctx.now(),
      ...(due && { due_at: due }),
      ...(stopped && { attempts: attempts - 1 }),
    })
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .where('attempts', '=', attempts)
    .execute();
}
