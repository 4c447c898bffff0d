import { randomBytes } from 'node:crypto';
import { fileCid, profileOf } from '#gateways/content/cid.ts';
import { type ContentStore, ContentStoreError } from '#gateways/content/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { contentLimits } from '../limits.ts';
import type { RoundTripResult } from '../model.ts';
import { contentMessages, mayManageContent, pinReasons } from '../rules.ts';

const SAMPLE_BYTES = 1024;

/**
 * Tries the store: adds 1 KB of random bytes, compares the address with ours, fetches them back, compares them, and removes them.
 * @throws Unauthenticated, Forbidden for everyone but administrators; TooManyRequests
 */
export async function testRoundTrip(ctx: CtxWith<'content'>): Promise<RoundTripResult> {
  const user = authorizedUser(ctx, mayManageContent);
  const { content } = ctx;
  if (!content) return { ok: false, reason: 'not_configured', text: contentMessages.notConfigured };
  await takeTokens(ctx, contentLimits.trial, user.id);
  const result = await tryStore(content, ctx.config.content.profile).catch((error: unknown) => {
    if (!(error instanceof ContentStoreError)) throw error;
    ctx.log.warn({ err: error }, 'a trial of the store of public documents failed');
    return failed(error.message);
  });
  await ctx.db.tx(() =>
    audit(ctx, {
      action: 'content.round_trip',
      entity: 'content',
      entityId: content.provider,
      after: result.ok ? { ok: true, cid: result.cid } : { ok: false, reason: result.text },
    }),
  );
  return result;
}

const failed = (text: string): RoundTripResult => ({ ok: false, reason: 'failed', text });

async function tryStore(
  store: ContentStore,
  profile: Parameters<typeof fileCid>[1],
): Promise<RoundTripResult> {
  const sample = randomBytes(SAMPLE_BYTES);
  const ours = fileCid(sample, profile);
  const adding = await timed(() => store.add(sample, 'round-trip.bin'));
  const { cid } = adding.value;
  try {
    if (cid !== ours) {
      const theirs = profileOf(sample, cid);
      return failed(theirs ? pinReasons.mismatchOf(theirs) : pinReasons.mismatch(cid));
    }
    const getting = await timed(() => store.get(cid));
    if (!getting.value) return failed('The store does not have what was just added.');
    if (Buffer.compare(getting.value, sample) !== 0) return failed('The store gave back other bytes.');
    const removing = await timed(() => store.remove(cid));
    if (await store.has(cid)) return failed('The store still has what was removed.');
    const [addMs, getMs, removeMs] = [adding.ms, getting.ms, removing.ms];
    return { ok: true, cid, bytes: SAMPLE_BYTES, addMs, getMs, removeMs };
  } finally {
    // Whatever was found, the sample does not stay.
    await store.remove(cid);
  }
}

async function timed<T>(work: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const start = performance.now();
  const value = await work();
  return { value, ms: Math.round(performance.now() - start) };
}
