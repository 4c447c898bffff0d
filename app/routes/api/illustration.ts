import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context, Handler } from 'hono';
import { illustrate } from '#illustrator/illustrate.ts';
import { parseIllustrationPath } from '#illustrator/illustration-key.ts';
import { panorama } from '#illustrator/panorama.ts';

type Encoding = 'br' | 'gzip';
type Bytes = Uint8Array<ArrayBuffer>;

/** At about 7 kB each at most some 15 MB. */
const CACHED_PICTURES = 2_000;

const HEADERS = {
  'content-type': 'image/svg+xml',
  'cache-control': 'public, max-age=31536000, immutable',
  // Opened as a document an SVG could run scripts; ours contain none and may run none.
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  'x-content-type-options': 'nosniff',
  vary: 'accept-encoding',
};

/**
 * Answers GET /illustrations/* : `<kind>/<hash>/<variant>.svg` as `illustrationPath` writes it, `hero-light.svg` and
 * `hero-dark.svg`. Anything else is 404. The most recently requested pictures are cached compressed in memory.
 * @param cacheSize how many compressed pictures to cache
 */
export function illustrationHandler(cacheSize = CACHED_PICTURES): Handler {
  const compressed = new Map<string, Promise<Bytes>>();

  const encode = (name: string, encoding: Encoding, draw: () => string): Promise<Bytes> => {
    const key = `${encoding} ${name}`;
    const bytes = compressed.get(key) ?? compress(draw(), encoding);
    compressed.delete(key);
    compressed.set(key, bytes);
    const oldest = compressed.keys().next();
    if (compressed.size > cacheSize && !oldest.done) compressed.delete(oldest.value);
    return bytes;
  };

  return async (c) => {
    const name = c.req.path.slice('/illustrations/'.length);
    const draw = drawing(name);
    if (!draw) return c.notFound();
    const encoding = acceptedEncoding(c);
    if (!encoding) return c.body(draw(), 200, HEADERS);
    return c.body(await encode(name, encoding, draw), 200, { ...HEADERS, 'content-encoding': encoding });
  };
}

function drawing(name: string): (() => string) | null {
  if (name === 'hero-light.svg') return () => panorama('morning');
  if (name === 'hero-dark.svg') return () => panorama('dusk');
  const [kind = '', hash = '', file = '', ...rest] = name.split('/');
  const address = rest.length ? null : parseIllustrationPath(kind, hash, file);
  return address && (() => illustrate(address.kind, address.hash, address.variant));
}

function acceptedEncoding(c: Context): Encoding | null {
  const offers = (c.req.header('accept-encoding') ?? '').toLowerCase().split(',');
  const names = offers
    .filter((offer) => !/;\s*q=0(\.0*)?\s*$/.test(offer))
    .map((offer) => offer.split(';')[0]?.trim());
  if (names.includes('br')) return 'br';
  return names.includes('gzip') ? 'gzip' : null;
}

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

async function compress(text: string, encoding: Encoding): Promise<Bytes> {
  const packed =
    encoding === 'br'
      ? await brotli(text, {
          params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: text.length },
        })
      : await zip(text, { level: 6 });
  return Uint8Array.from(packed);
}
