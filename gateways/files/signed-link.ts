import { createHmac, timingSafeEqual } from 'node:crypto';

/** A link gives access to one key until `expiresAt`; a download when `downloadName` is given. */
type FileLink = { key: string; expiresAt: Date; downloadName?: string };

type LinkVerification = { ok: true; downloadName?: string } | { ok: false; reason: 'forged' | 'expired' };

/** The URL path `/files/<key>?exp=…&sig=…` (and `name`), signed with the application's secret. */
export function signFileLink(secret: string, { key, expiresAt, downloadName }: FileLink): string {
  const exp = String(Math.floor(expiresAt.getTime() / 1000));
  const query = new URLSearchParams({ exp, ...(downloadName === undefined ? {} : { name: downloadName }) });
  query.set('sig', signature(secret, key, exp, downloadName).toString('base64url'));
  return `/files/${key}?${query}`;
}

/** Verifies the query of a request for `/files/<key>`. A forged link is never reported as expired. */
export function verifyFileLink(
  secret: string,
  { key, query, now }: { key: string; query: URLSearchParams; now: Date },
): LinkVerification {
  const exp = query.get('exp') ?? '';
  const downloadName = query.get('name') ?? undefined;
  const given = Buffer.from(query.get('sig') ?? '', 'base64url');
  const expected = signature(secret, key, exp, downloadName);
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    return { ok: false, reason: 'forged' };
  if (now.getTime() >= Number(exp) * 1000) return { ok: false, reason: 'expired' };
  return { ok: true, downloadName };
}

function signature(secret: string, key: string, exp: string, downloadName: string | undefined): Buffer {
  const text = JSON.stringify(['file-link', 1, key, exp, downloadName ?? null]);
  return createHmac('sha256', secret).update(text).digest();
}
