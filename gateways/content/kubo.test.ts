import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeKubo, startFakeKubo } from '#tests/support/content/fake-kubo.ts';
import { cidProfiles, fileCid } from './cid.ts';
import { contentStoreContract } from './contract.ts';
import { createKuboStore } from './kubo.ts';

for (const profile of cidProfiles)
  contentStoreContract('Kubo', profile, async () => {
    const node = await startFakeKubo();
    return {
      store: createKuboStore({ url: `${node.url}/`, authorization: undefined, profile }),
      sabotage: () => node.stop(),
      stop: () => node.stop().catch(() => undefined),
    };
  });

describe('a node that speaks Kubo’s RPC', () => {
  let node: FakeKubo;
  beforeEach(async () => {
    node = await startFakeKubo({ authorization: 'Bearer key' });
  });
  afterEach(() => node.stop());
  const open = (authorization: string | undefined = 'Bearer key') =>
    createKuboStore({ url: node.url, authorization, profile: 'unixfs-v1-2025' });
  const bytes = Buffer.from('hello world');

  it('is told everything that decides the address, and never looks in the network', async () => {
    const { cid } = await open().add(bytes, '../we"ird\r\nname.pdf');
    await open().get(cid);
    expect(node.requests).toEqual([
      'POST /api/v0/add?cid-version=1&raw-leaves=true&chunker=size-1048576&pin=true&progress=false&quieter=true',
      `POST /api/v0/cat?arg=${cid}&offline=true`,
    ]);
    expect(node.names).toEqual(['.. we ird name.pdf']);
  });

  it('keeps what is no longer pinned, which counts as removed', async () => {
    const { cid } = await open().add(bytes, 'a.pdf');
    await open().remove(cid);
    expect(node.blocks.has(cid)).toBe(true);
    expect(await open().has(cid)).toBe(false);
  });

  it('refuses a wrong key for good', async () => {
    const refused = { code: 'auth', retryable: false, message: 'The IPFS node: 403 403 - Forbidden' };
    await expect(open('Bearer other').check()).rejects.toMatchObject(refused);
    await expect(open('Bearer other').add(bytes, 'a.pdf')).rejects.toMatchObject(refused);
    await expect(open('Bearer other').has(fileCid(bytes))).rejects.toMatchObject(refused);
  });

  it.each([
    ['a lost connection', 'lost'],
    ['a connection that is reset', 'reset'],
    ['half an answer', 'half'],
    ['an error', { status: 500, body: '{"Message":"disk full","Code":0,"Type":"error"}' }],
    ['a proxy’s page', { status: 502, body: '<html>Bad Gateway</html>' }],
    ['an answer that is none', { status: 200, body: '<html>hello</html>' }],
    ['an answer without an address', { status: 200, body: '{"Name":"x"}' }],
    ['nothing', { status: 200, body: '' }],
  ] as const)('is tried again after %s', async (_, fault) => {
    node.faults.push(fault);
    await expect(open().add(bytes, 'a.pdf')).rejects.toMatchObject({ code: 'unavailable', retryable: true });
    expect(await open().add(bytes, 'a.pdf')).toEqual({ cid: fileCid(bytes) });
  });

  it('says in its own words what it refuses', async () => {
    node.faults.push({ status: 400, body: 'unknown option "chunker"' });
    await expect(open().add(bytes, 'a.pdf')).rejects.toMatchObject({
      code: 'refused',
      message: 'The IPFS node: 400 unknown option "chunker"',
    });
  });

  it('is not believed when it follows a link to elsewhere, or gives back more than was ever added', async () => {
    node.faults.push({ status: 302, body: '' });
    await expect(open().check()).rejects.toMatchObject({ code: 'unavailable' });
    node.faults.push({ status: 200, body: 'x'.repeat(33 * 1024 * 1024) });
    await expect(open().get(fileCid(bytes))).rejects.toMatchObject({ code: 'unavailable' });
  });
});
