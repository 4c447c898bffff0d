import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PictureNotFetched } from './port.ts';
import { isPublicAddress } from './public-address.ts';
import { messages, webPictures } from './web-pictures.ts';

const JPEG = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(5_000, 7)]);

let answer: RequestListener;
let server: Server;
let port: number;
let folder: string;
const asked: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(`${request.headers.host}${request.url}`);
    answer(request, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => server.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'acre-remote-'));
  asked.length = 0;
  answer = (_, response) => response.end(JPEG);
});
// Whatever went wrong, nothing is left on disk but what was handed over.
afterEach(() => expect(readdirSync(folder)).toEqual([]));

/** Names of the web that all lead to the test's server, one of them to a private address. */
const names: Record<string, string[]> = {
  'photos.example': ['127.0.0.1'],
  'inside.example': ['10.0.0.7'],
  'both.example': ['127.0.0.1', '192.168.1.4'],
};
const pictures = (options: Partial<Parameters<typeof webPictures>[0]> = {}) =>
  webPictures({
    folder,
    anyPort: true,
    // The test's server stands for one on the public Internet.
    isAllowed: (address) => address === '127.0.0.1' || isPublicAddress(address),
    resolve: async (name) => (names[name] ?? []).map((address) => ({ address, family: 4 })),
    ...options,
  });
const problem = (url: string, options: Parameters<typeof pictures>[0] = {}) =>
  pictures(options)
    .fetch(url)
    .then(
      () => 'fetched',
      (error: unknown) => (error instanceof PictureNotFetched ? error.message : error),
    );
const at = (path: string, name = 'photos.example') => `http://${name}:${port}${path}`;

describe('fetching a picture', () => {
  it('keeps the file as it is', async () => {
    const file = await pictures().fetch(at('/a.jpg'));
    expect(readFileSync(file.path).equals(JPEG)).toBe(true);
    await file.remove();
  });

  it('follows redirects, three at most', async () => {
    answer = (request, response) => {
      const step = Number(request.url?.slice(1));
      if (step === 0) return response.end(JPEG);
      response.writeHead(302, { location: `/${step - 1}` }).end();
    };
    const file = await pictures().fetch(at('/3'));
    await file.remove();
    expect(await problem(at('/4'))).toBe(messages.redirects);
  });

  it.each([
    ['ftp://photos.example/a.jpg', messages.address],
    ['file:///etc/passwd', messages.address],
    ['data:image/png;base64,AAAA', messages.address],
    ['http://user:secret@photos.example/a.jpg', messages.address],
    ['not an address', messages.address],
    ['http://nowhere.example/a.jpg', messages.name],
    ['http://inside.example/a.jpg', messages.private],
    ['http://both.example/a.jpg', messages.private],
    ['http://169.254.169.254/latest/meta-data', messages.private],
    ['http://[::1]/a.jpg', messages.private],
    ['http://[::ffff:10.0.0.1]/a.jpg', messages.private],
    ['http://2852039166/', messages.private],
    ['http://0x7f.1/', messages.private],
  ])('never asks %s', async (url, why) => {
    expect(await problem(url, { isAllowed: isPublicAddress })).toBe(why);
    expect(asked).toEqual([]);
  });

  it('accepts the ports of the web alone', async () => {
    expect(await problem(at('/a.jpg'), { anyPort: false })).toBe(messages.address);
  });

  it.each(['http://10.0.0.7/a.jpg', 'http://inside.example/a.jpg', 'file:///etc/passwd'])(
    'does not follow a redirect to %s',
    async (location) => {
      answer = (_, response) => response.writeHead(302, { location }).end();
      expect([messages.private, messages.address]).toContain(await problem(at('/a.jpg')));
      expect(asked).toHaveLength(1);
    },
  );

  it('connects to the address that it has checked, whatever the name means a moment later', async () => {
    let asks = 0;
    const resolve = async () => [{ address: asks++ === 0 ? '127.0.0.1' : '10.0.0.7', family: 4 }];
    const file = await pictures({ resolve }).fetch(at('/a.jpg', 'rebinding.example'));
    await file.remove();
    expect(asks).toBe(1);
  });

  it('refuses what is no picture, whatever its type says', async () => {
    answer = (_, response) =>
      response.writeHead(200, { 'content-type': 'image/jpeg' }).end(`<html>${'x'.repeat(1_000)}</html>`);
    expect(await problem(at('/a.jpg'))).toBe(messages.type);
    answer = (_, response) => response.end('');
    expect(await problem(at('/a.jpg'))).toBe(messages.type);
    answer = (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(JPEG);
    expect(await problem(at('/a.jpg'))).toBe(messages.type);
  });

  it('refuses what is larger than allowed, announced or not', async () => {
    answer = (_, response) => response.writeHead(200, { 'content-length': JPEG.length }).end(JPEG);
    expect(await problem(at('/a.jpg'), { maxBytes: 1_000 })).toBe(messages.large);
    answer = (_, response) => {
      response.write(JPEG.subarray(0, 800));
      response.end(JPEG.subarray(800));
    };
    expect(await problem(at('/a.jpg'), { maxBytes: 1_000 })).toBe(messages.large);
  });

  it('gives up on a server that sends slowly, and may be asked again', async () => {
    answer = (_, response) => void response.write(JPEG.subarray(0, 100));
    const failed = await pictures({ timeoutMs: 200 })
      .fetch(at('/a.jpg'))
      .catch((error: PictureNotFetched) => error);
    expect(failed).toMatchObject({ message: messages.time, retryable: true });
    server.closeAllConnections();
  });

  it('takes a broken connection for no end of the file', async () => {
    answer = (_, response) => {
      response.writeHead(200, { 'content-length': JPEG.length });
      response.write(JPEG.subarray(0, 2_000), () => response.destroy());
    };
    expect(await problem(at('/a.jpg'))).toBe(messages.connection);
  });

  it.each([
    [404, false],
    [403, false],
    [429, true],
    [503, true],
  ])('says that the server answered with %s', async (status, retryable) => {
    answer = (_, response) => response.writeHead(status).end();
    const failed = await pictures()
      .fetch(at('/a.jpg'))
      .catch((error: PictureNotFetched) => error);
    expect(failed).toMatchObject({ message: messages.status(status), retryable });
  });
});

describe('public addresses', () => {
  it.each(['8.8.8.8', '151.101.1.69', '2606:4700::6810:84e5', '172.32.0.1', '100.128.0.1'])('%s', (address) =>
    expect(isPublicAddress(address)).toBe(true),
  );
  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '198.19.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:8.8.8.8',
    '64:ff9b::a00:1',
    'fe80::1',
    'fd00::1',
    'ff02::1',
    '2002:a00:1::',
    '2001:db8::1',
    '2001::1',
    'localhost',
    '',
  ])('not %s', (address) => expect(isPublicAddress(address)).toBe(false));
});
