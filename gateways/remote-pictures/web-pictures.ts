import { lookup as lookupName } from 'node:dns/promises';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { Readable, Transform } from 'node:stream';
import { receiveUpload, type UploadedFile, UploadTooLarge } from '../files/uploads.ts';
import { HEAD_BYTES, isPicture, MAX_IMAGE_BYTES } from '../images/limits.ts';
import { PictureNotFetched, type RemotePictures } from './port.ts';
import { isPublicAddress } from './public-address.ts';

interface Address {
  address: string;
  family: number;
}

interface Options {
  /** where files are kept until they are processed */
  folder: string;
  maxBytes?: number;
  /** for the whole of it: names, redirects, and the file */
  timeoutMs?: number;
  maxRedirects?: number;
  /** all addresses of a name */
  resolve?: (name: string) => Promise<Address[]>;
  isAllowed?: (address: string) => boolean;
  /** other ports than those of the web, for tests */
  anyPort?: boolean;
}

type Settings = Required<Options>;

export const messages = {
  address: 'The address is not one of the web (http or https).',
  private: 'The address leads to a private network.',
  name: 'The address has no server.',
  redirects: 'The address leads on too many times.',
  large: 'The photo is larger than 15 MB.',
  type: 'The address gives no JPG, PNG, WebP or HEIC photo.',
  time: 'The server took too long.',
  connection: 'The connection to the server failed.',
  status: (status: number) => `The server answered with status ${status}.`,
} as const;

/**
 * Fetches pictures from the web. Nothing inside of our network can be reached: every address of a name must be public, the connection goes to
 * the very address that was checked, and each redirect is checked again. Bounded are size, time and the number of redirects; the first bytes
 * must be those of a picture.
 */
export function webPictures({
  folder,
  maxBytes = MAX_IMAGE_BYTES,
  timeoutMs = 30_000,
  maxRedirects = 3,
  resolve = (name) => lookupName(name, { all: true }),
  isAllowed = isPublicAddress,
  anyPort = false,
}: Options): RemotePictures {
  const settings = { folder, maxBytes, timeoutMs, maxRedirects, resolve, isAllowed, anyPort };
  return {
    async fetch(url, signal) {
      const timeout = AbortSignal.timeout(timeoutMs);
      const both = signal ? AbortSignal.any([timeout, signal]) : timeout;
      try {
        return await follow(readAddress(url, settings), settings, both);
      } catch (error) {
        if (timeout.aborted) throw new PictureNotFetched(messages.time, { retryable: true, cause: error });
        if (signal?.aborted || error instanceof PictureNotFetched) throw error;
        if (error instanceof UploadTooLarge) throw new PictureNotFetched(messages.large, { cause: error });
        throw new PictureNotFetched(messages.connection, { retryable: true, cause: error });
      }
    },
  };
}

function readAddress(text: string, { anyPort }: Settings, base?: URL): URL {
  const url = URL.parse(text, base);
  const ofTheWeb = url !== null && (url.protocol === 'http:' || url.protocol === 'https:');
  if (!ofTheWeb || url.username !== '' || url.password !== '' || (url.port !== '' && !anyPort))
    throw new PictureNotFetched(messages.address);
  return url;
}

async function follow(first: URL, settings: Settings, signal: AbortSignal): Promise<UploadedFile> {
  let url = first;
  for (let redirects = 0; redirects <= settings.maxRedirects; redirects += 1) {
    const response = await ask(url, await checkedAddress(url, settings), signal);
    const status = response.statusCode ?? 0;
    const { location } = response.headers;
    if (status >= 300 && status < 400 && location !== undefined) {
      response.destroy();
      url = readAddress(location, settings, url);
      continue;
    }
    if (status !== 200) {
      response.destroy();
      const retryable = status >= 500 || status === 429 || status === 408;
      throw new PictureNotFetched(messages.status(status), { retryable });
    }
    return receive(response, settings);
  }
  throw new PictureNotFetched(messages.redirects);
}

/** The address to connect to; all of a name must be public, since the next request may be led to another of them. */
async function checkedAddress(url: URL, { resolve, isAllowed }: Settings): Promise<Address> {
  const name = url.hostname.replace(/^\[|\]$/g, '');
  const version = isIP(name);
  const found = version
    ? [{ address: name, family: version }]
    : await resolve(name).catch((error: NodeJS.ErrnoException) => {
        const unknown = error.code === 'ENOTFOUND' || error.code === 'ENODATA';
        throw new PictureNotFetched(messages.name, { retryable: !unknown, cause: error });
      });
  if (!found.every(({ address }) => isAllowed(address))) throw new PictureNotFetched(messages.private);
  const [address] = found;
  if (!address) throw new PictureNotFetched(messages.name);
  return address;
}

/** Requests the address, connected to the server that was checked and to no other that its name may mean meanwhile. */
function ask(url: URL, { address, family }: Address, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      signal,
      agent: false,
      headers: { accept: 'image/*', 'accept-encoding': 'identity', 'user-agent': 'AcreTradingPost/1.0' },
      lookup: (_name, options, done) =>
        options.all ? done(null, [{ address, family }]) : done(null, address, family),
    });
    request.once('response', resolve);
    request.once('error', reject);
    request.end();
  });
}

/** Keeps the file, as long as it is a picture and no larger than allowed. */
async function receive(response: IncomingMessage, { folder, maxBytes }: Settings): Promise<UploadedFile> {
  const encoding = response.headers['content-encoding'] ?? 'identity';
  const announced = Number(response.headers['content-length'] ?? 0);
  if (encoding !== 'identity' || announced > maxBytes) {
    response.destroy();
    throw new PictureNotFetched(encoding === 'identity' ? messages.large : messages.type);
  }
  const checked = response.pipe(onlyPicture());
  // A connection that breaks off must not look like the end of the file.
  response.once('error', (error) => checked.destroy(error));
  response.once('aborted', () => checked.destroy(new Error('The connection was broken off')));
  try {
    return await receiveUpload(folder, Readable.toWeb(checked) as ReadableStream<Uint8Array>, maxBytes);
  } catch (error) {
    throw error instanceof Error && error.cause instanceof PictureNotFetched ? error.cause : error;
  } finally {
    response.destroy();
  }
}

/** Passes a picture on; fails as soon as the first bytes show that it is none. */
function onlyPicture(): Transform {
  let head = Buffer.alloc(0);
  let known = false;
  return new Transform({
    transform(piece: Buffer, _, done) {
      if (known) return done(null, piece);
      head = Buffer.concat([head, piece]);
      if (head.length < HEAD_BYTES) return done();
      if (!isPicture(head)) return done(new PictureNotFetched(messages.type));
      known = true;
      done(null, head);
    },
    flush: (done) => done(known ? null : new PictureNotFetched(messages.type)),
  });
}
