import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '#platform/log.ts';
import { censusGeocoder } from './census-geocoder.ts';
import { geocoderContract } from './contract.ts';
import { openGeocoder } from './open.ts';

const LEBANON = '1 Main St, Lebanon, NH 03766';
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Starts a fake Census geocoder with the given responses; returns its base URL. */
async function startFakeGeocoder(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/geocoder`;
}

/** Knows one address; the response has the documented shape. */
const knowsLebanon: RequestListener = (request, response) => {
  const url = new URL(request.url ?? '', 'http://bureau');
  const { address, benchmark, format } = Object.fromEntries(url.searchParams);
  const proper = benchmark === 'Public_AR_Current' && format === 'json' && address !== undefined;
  if (url.pathname !== '/geocoder/locations/onelineaddress' || !proper) {
    response.writeHead(400).end();
    return;
  }
  const match = {
    matchedAddress: '1 MAIN ST, LEBANON, NH, 03766',
    coordinates: { x: -72.2534567, y: 43.6423456 },
    tigerLine: { side: 'L', tigerLineId: '1' },
    addressComponents: { zip: '03766', city: 'LEBANON', state: 'NH' },
  };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ result: { input: {}, addressMatches: address === LEBANON ? [match] : [] } }));
};

describe('the Census Bureau geocoder', () => {
  let base = '';
  beforeEach(async () => {
    base = await startFakeGeocoder(knowsLebanon);
  });
  geocoderContract(() => censusGeocoder(base), { known: LEBANON, unknown: 'nowhere' });
  it('reads x as the longitude, accurate to a metre', async () => {
    expect(await censusGeocoder(`${base}/`).locate(LEBANON)).toEqual({
      latitude: 43.64235,
      longitude: -72.25346,
      precision: 'street',
    });
  });
});

describe('a geocoder that misbehaves', () => {
  for (const [name, answer] of [
    ['an error', (_, response) => response.writeHead(503).end('busy')],
    ['no JSON', (_, response) => response.end('<html>')],
    ['another shape', (_, response) => response.end('{"result":{}}')],
    [
      'places off the globe',
      (_, response) => response.end('{"result":{"addressMatches":[{"coordinates":{"x":500,"y":1}}]}}'),
    ],
    [
      'a redirect elsewhere',
      (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
    ],
    ['a broken connection', (request) => request.socket.destroy()],
    ['silence', () => {}],
  ] as [string, RequestListener][])
    it(`${name}: falls back to the ZIP code`, async () => {
      const base = await startFakeGeocoder(answer);
      await expect(censusGeocoder(base, 300).locate(LEBANON)).rejects.toThrow('no usable answer');
      if (name === 'silence') return;
      const geocoder = openGeocoder({ geocoderUrl: base }, createLog('silent'));
      expect(await geocoder.locate(LEBANON)).toMatchObject({ precision: 'zip' });
    });

  it('an unknown address: falls back to the ZIP code', async () => {
    const geocoder = openGeocoder(
      { geocoderUrl: await startFakeGeocoder(knowsLebanon) },
      createLog('silent'),
    );
    expect(await geocoder.locate('9 Other St, Lebanon, NH 03766')).toMatchObject({ precision: 'zip' });
    expect(await geocoder.locate(LEBANON)).toMatchObject({ precision: 'street' });
  });
});
