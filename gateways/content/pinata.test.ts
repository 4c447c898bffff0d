import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakePinata, startFakePinata } from '#tests/support/content/fake-pinata.ts';
import { cidProfiles, fileCid } from './cid.ts';
import { contentStoreContract } from './contract.ts';
import { createPinataStore } from './pinata.ts';

const JWT = 'header.payload.signature';
const at = (url: string, jwt = JWT) => createPinataStore({ jwt, api: url, uploads: url, gateway: url });

for (const profile of cidProfiles)
  contentStoreContract('Pinata', profile, async () => {
    const pinata = await startFakePinata({ jwt: JWT, profile });
    return {
      store: at(pinata.url),
      sabotage: () => pinata.stop(),
      stop: () => pinata.stop().catch(() => undefined),
    };
  });

describe('Pinata', () => {
  let pinata: FakePinata;
  beforeEach(async () => {
    pinata = await startFakePinata({ jwt: JWT });
  });
  afterEach(() => pinata.stop());
  const bytes = Buffer.from('hello world');
  const cid = fileCid(bytes);

  it('gets files for the public network, under a name without tricks', async () => {
    await at(pinata.url).add(bytes, '../de"ed\r\n.pdf');
    expect([...pinata.files.values()].map(({ name }) => name)).toEqual(['.. de ed .pdf']);
    expect(pinata.requests).toEqual(['POST /v3/files']);
  });

  it('loses every file with the content that is removed, also over several pages', async () => {
    const { cid: added } = await at(pinata.url).add(bytes, 'a.pdf');
    for (const id of ['one', 'two', 'three', 'four'])
      pinata.files.set(id, { id, name: 'again.pdf', cid: added, bytes });
    await at(pinata.url).remove(added);
    expect(pinata.files.size).toBe(0);
  });

  it('refuses wrong keys for good', async () => {
    const refused = { code: 'auth', retryable: false };
    await expect(at(pinata.url, 'a.b.c').check()).rejects.toMatchObject(refused);
    await expect(at(pinata.url, 'a.b.c').add(bytes, 'a.pdf')).rejects.toMatchObject(refused);
    await expect(at(pinata.url, 'a.b.c').remove(cid)).rejects.toMatchObject(refused);
  });

  it.each([
    ['a lost connection', 'lost'],
    ['half an answer', 'half'],
    ['too many requests', { status: 429, body: 'rate limit' }],
    ['an error', { status: 500, body: 'oops' }],
    ['an answer that is none', { status: 200, body: 'OK' }],
  ] as const)('is tried again after %s', async (_, fault) => {
    pinata.faults.push(fault);
    await expect(at(pinata.url).add(bytes, 'a.pdf')).rejects.toMatchObject({ retryable: true });
    expect(await at(pinata.url).add(bytes, 'a.pdf')).toEqual({ cid });
    expect(pinata.files.size).toBe(1);
  });

  it('is no longer asked when it refuses: over its quota, for example', async () => {
    pinata.faults.push({ status: 402, body: '{"error":"plan limit"}' });
    await expect(at(pinata.url).add(bytes, 'a.pdf')).rejects.toMatchObject({ code: 'refused' });
  });
});
