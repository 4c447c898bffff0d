import type { Context } from 'hono';
import type { WebEnv } from '#app/server/environment.ts';
import { FileStoreError } from '#gateways/files/port.ts';
import { verifyFileLink } from '#gateways/files/signed-link.ts';
import { BadRequest, NotFound } from '#platform/errors.ts';

const PUBLIC_IMAGE = /^images\/[0-9a-f-]{36}\/\d{1,5}\.(webp|avif)$/;

/** GET /media/images/… : public images. The content of a key never changes, but a deleted one should not live on in caches. */
export async function publicMedia(c: Context<WebEnv>): Promise<Response> {
  const key = c.req.path.slice('/media/'.length);
  if (!PUBLIC_IMAGE.test(key)) throw new NotFound();
  const file = await c.var.services.files.get(key);
  if (!file) throw new NotFound();
  return new Response(file.body, {
    headers: {
      'content-type': file.contentType,
      'content-length': String(file.total),
      'cache-control': 'public, max-age=86400',
    },
  });
}

/** GET /files/… : a private file through a signed link, always as a download. */
export async function signedFile(c: Context<WebEnv>): Promise<Response> {
  const { ctx, services } = c.var;
  const key = decodeKey(c.req.path.slice('/files/'.length));
  const verdict = verifyFileLink(ctx.config.secret, {
    key,
    query: new URL(c.req.url).searchParams,
    now: ctx.now(),
  });
  if (!verdict.ok) throw new NotFound('This link is not valid or has expired.');
  const file = await services.files.get(key).catch((error: unknown) => {
    if (error instanceof FileStoreError && error.code === 'invalid') return null;
    throw error;
  });
  if (!file) throw new NotFound();
  const name = encodeURIComponent(verdict.downloadName ?? key.split('/').at(-1) ?? 'file');
  return new Response(file.body, {
    headers: {
      'content-type': file.contentType,
      'content-length': String(file.total),
      'content-disposition': `attachment; filename*=UTF-8''${name}`,
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
    },
  });
}

function decodeKey(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new BadRequest();
  }
}
