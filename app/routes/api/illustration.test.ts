import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { illustrate } from '#illustrator/illustrate.ts';
import { illustrationPath, VARIANTS } from '#illustrator/illustration-key.ts';
import { panorama } from '#illustrator/panorama.ts';
import { illustrationHandler } from './illustration.ts';

const app = new Hono().get('/illustrations/*', illustrationHandler(3));
const get = (path: string, encoding = 'identity') =>
  app.request(path, { headers: { 'accept-encoding': encoding } });
const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer());

describe('GET /illustrations/*', () => {
  const address = { kind: 'Multi-Family', hash: 412 } as const;
  const path = illustrationPath(address, 'exterior');
  const svg = illustrate('Multi-Family', 412, 'exterior');

  it('serves a picture that browsers cache for a year and that may run no scripts', async () => {
    const answer = await get(path);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe(svg);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/svg+xml',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      'x-content-type-options': 'nosniff',
      vary: 'accept-encoding',
    });
    expect(answer.headers.has('content-encoding')).toBe(false);
  });

  it('compresses as the client accepts, brotli first', async () => {
    const packed = await get(path, 'gzip, deflate, br;q=0.9');
    expect(packed.headers.get('content-encoding')).toBe('br');
    expect(brotliDecompressSync(await bytesOf(packed)).toString()).toBe(svg);
    const zipped = await get(path, 'gzip, br;q=0');
    expect(zipped.headers.get('content-encoding')).toBe('gzip');
    expect(gunzipSync(await bytesOf(zipped)).toString()).toBe(svg);
  });

  it('serves the same picture after it was evicted from the cache', async () => {
    for (let hash = 0; hash < 9; hash += 1) {
      for (const variant of VARIANTS) {
        const answer = await get(illustrationPath({ kind: 'Vacant Lot', hash }, variant), 'br');
        expect(brotliDecompressSync(await bytesOf(answer)).toString()).toBe(
          illustrate('Vacant Lot', hash, variant),
        );
      }
    }
    expect(brotliDecompressSync(await bytesOf(await get(path, 'br'))).toString()).toBe(svg);
  });

  it('serves the two homepage pictures', async () => {
    expect(await (await get('/illustrations/hero-light.svg')).text()).toBe(panorama('morning'));
    expect(await (await get('/illustrations/hero-dark.svg')).text()).toBe(panorama('dusk'));
  });

  it.each([
    '/illustrations/',
    '/illustrations/hero-noon.svg',
    '/illustrations/castle/1/exterior.svg',
    '/illustrations/Single%20Family/1/exterior.svg',
    '/illustrations/single-family/997/exterior.svg',
    '/illustrations/single-family/-1/exterior.svg',
    '/illustrations/single-family/01/exterior.svg',
    '/illustrations/single-family/1e2/exterior.svg',
    '/illustrations/single-family/1/cellar.svg',
    '/illustrations/single-family/1/exterior.png',
    '/illustrations/single-family/1/exterior.svg/more',
    '/illustrations/__proto__/1/exterior.svg',
  ])('responds with 404 to %s', async (path) => {
    expect((await get(path)).status).toBe(404);
  });
});
