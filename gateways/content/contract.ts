import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CidProfile, fileCid } from './cid.ts';
import type { ContentStore } from './port.ts';

interface ContentFixture {
  store: ContentStore;
  /** makes the store unreachable */
  sabotage(): Promise<void>;
  stop(): Promise<void>;
}

/** What every content store does; `profile` is the one that it was opened with. */
export function contentStoreContract(
  name: string,
  profile: CidProfile,
  open: () => Promise<ContentFixture>,
): void {
  describe(`content store: ${name}, ${profile}`, () => {
    let fixture: ContentFixture;
    beforeEach(async () => {
      fixture = await open();
    });
    afterEach(() => fixture.stop());
    const unknown = fileCid(Buffer.from('nobody has added this'), profile);

    it.each([
      ['an empty file', Buffer.alloc(0)],
      ['a small file', Buffer.from('hello world')],
      ['every byte', Buffer.from([...Array(256).keys()])],
      ['a file of many blocks', Buffer.alloc(3_000_017, Buffer.from([...Array(251).keys()]))],
    ])('gives back %s under the address that we compute', async (_, bytes) => {
      const { cid } = await fixture.store.add(bytes, 'Deed.pdf');
      expect(cid).toBe(fileCid(bytes, profile));
      expect(await fixture.store.has(cid)).toBe(true);
      const back = await fixture.store.get(cid);
      expect(back && Buffer.compare(back, bytes)).toBe(0);
    });

    it('takes names with anything in them', async () => {
      const bytes = Buffer.from('the same');
      for (const label of ['', '../../etc/passwd', 'a"b\r\nX: 1', 'Übergabe \u202e.pdf', 'n'.repeat(500)])
        expect((await fixture.store.add(bytes, label)).cid).toBe(fileCid(bytes, profile));
    });

    it('has nothing twice: adding again changes nothing, removing once removes it', async () => {
      const bytes = Buffer.from('twice');
      const [first, second] = await Promise.all([
        fixture.store.add(bytes, 'a.pdf'),
        fixture.store.add(bytes, 'b.pdf'),
      ]);
      expect(second).toEqual(first);
      const other = await fixture.store.add(Buffer.from('another'), 'c.pdf');
      await fixture.store.remove(first.cid);
      expect(await fixture.store.has(first.cid)).toBe(false);
      expect(await fixture.store.has(other.cid)).toBe(true);
      await fixture.store.remove(first.cid);
    });

    it('knows nothing of what was never added', async () => {
      expect(await fixture.store.has(unknown)).toBe(false);
      expect(await fixture.store.get(unknown)).toBeNull();
      await expect(fixture.store.remove(unknown)).resolves.toBeUndefined();
    });

    it.each(['', '..', '../secret', `${unknown}/..`, `${unknown}?x=1`, 'bafkrei'])(
      'refuses what is no address: %j',
      async (text) => {
        const refused = { name: 'ContentStoreError', code: 'refused', retryable: false };
        await expect(fixture.store.get(text)).rejects.toMatchObject(refused);
        await expect(fixture.store.has(text)).rejects.toMatchObject(refused);
        await expect(fixture.store.remove(text)).rejects.toMatchObject(refused);
      },
    );

    it('says that it cannot be reached, which may pass', async () => {
      await expect(fixture.store.check()).resolves.toBeUndefined();
      const { cid } = await fixture.store.add(Buffer.from('before'), 'a.pdf');
      await fixture.sabotage();
      const lost = { name: 'ContentStoreError', code: 'unavailable', retryable: true };
      await expect(fixture.store.check()).rejects.toMatchObject(lost);
      await expect(fixture.store.add(Buffer.from('after'), 'b.pdf')).rejects.toMatchObject(lost);
      await expect(fixture.store.get(cid)).rejects.toMatchObject(lost);
      await expect(fixture.store.has(cid)).rejects.toMatchObject(lost);
    });
  });
}
