import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readConfig } from '#platform/config.ts';
import { startFakeKubo } from '#tests/support/content/fake-kubo.ts';
import { startFakePinata } from '#tests/support/content/fake-pinata.ts';
import { fileCid } from './cid.ts';
import { openContentStore } from './open.ts';
import { PINATA_ADDRESSES } from './pinata.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'acre-open-content-'));
const read = (environment: Record<string, string> = {}) => readConfig({ DATA_DIR: dataDir, ...environment });

it('gives a file the same address in every store', async () => {
  const bytes = Buffer.alloc(2_500_000, 'a deed of several blocks ');
  const [kubo, pinata] = await Promise.all([startFakeKubo(), startFakePinata({ jwt: 'a.b.c' })]);
  const base = pinata.url;
  const choices: Record<string, string>[] = [
    { CONTENT_URL: 'local' },
    { CONTENT_URL: `kubo://${new URL(kubo.url).host}` },
    {
      CONTENT_URL: `pinata+http://a.b.c@${new URL(base).host}`,
      PINATA_API_BASE: base,
      PINATA_GATEWAY: base,
    },
  ];
  try {
    for (const environment of choices) {
      const store = openContentStore(read(environment));
      expect(store?.provider).toBe(environment.CONTENT_URL?.split(/[+:]/)[0]);
      expect(await store?.add(bytes, 'deed.pdf')).toEqual({ cid: fileCid(bytes) });
    }
  } finally {
    await Promise.all([kubo.stop(), pinata.stop()]);
    rmSync(dataDir, { recursive: true, force: true });
  }
});

it('opens none where none is chosen', () => {
  expect(openContentStore(read({ CONTENT_URL: 'off' }))).toBeNull();
  expect(read({ CONTENT_URL: 'pinata://a.b.c@uploads.pinata.cloud' }).content.pinata).toEqual({
    jwt: 'a.b.c',
    ...PINATA_ADDRESSES,
  });
});
