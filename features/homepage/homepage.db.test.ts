import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { deletePhotoFiles, sweepPhotos } from '#features/photos/commands/sweep-photos.ts';
import { createFolderStore } from '#gateways/files/folder.ts';
import type { FileStore } from '#gateways/files/port.ts';
import { receiveUpload } from '#gateways/files/uploads.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { heicFile } from '#tests/support/files/heic.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { dropHeroImage } from './commands/drop-hero-image.ts';
import { type HomepageInput, saveHomepage } from './commands/save-homepage.ts';
import { uploadHeroImage } from './commands/upload-hero-image.ts';
import { defaultHomepage } from './model.ts';
import { homepageContent, savedHomepage } from './reads.ts';
import { HERO_IMAGE } from './rules.ts';

let shade = 0;
const picture = (width = 40, height = 30) => {
  shade += 1;
  return sharp({ create: { width, height, channels: 3, background: { r: shade % 256, g: 80, b: 90 } } });
};

await describeOnDatabase('the homepage editor', (open) => {
  let db: Database;
  let folder: string;
  let files: FileStore;
  let admin: UserActor;
  let other: UserActor;
  beforeAll(async () => {
    db = await open();
    folder = await mkdtemp(join(tmpdir(), 'acre-homepage-'));
    files = createFolderStore({ folder, secret: 's' });
    admin = await createUser(db, 'admin');
    other = await createUser(db, 'admin');
  });
  beforeEach(() => db.q().deleteFrom('homepage_content').execute());
  afterAll(async () => {
    await db.close();
    await rm(folder, { recursive: true, force: true });
  });

  const ctx = (actor = admin) => ({ ...testContext(db, { actor, now: () => new Date() }), files });
  const save = (input: Partial<HomepageInput>, actor = admin) =>
    saveHomepage(ctx(actor), {
      title: 'Land',
      subtitle: 'By the acre.',
      imageId: null,
      version: null,
      ...input,
    });
  const upload = async (bytes: Uint8Array, actor = admin) =>
    uploadHeroImage(ctx(actor), {
      receive: () =>
        receiveUpload(join(folder, 'incoming'), new Blob([bytes.slice()]).stream(), HERO_IMAGE.maxBytes),
    });
  const uploaded = async (actor = admin) => {
    const result = await upload(await picture().png().toBuffer(), actor);
    if (!result.ok) throw new Error(result.text);
    return result.image.id;
  };
  const stored = async (id: string) => (await files.list(`images/${id}/`)).keys.length;
  const sweep = async () => {
    const system = { ...ctx(), actor: { kind: 'system', name: 'test' } as const };
    const { rows } = await db.pool.query<{ id: string }>('select id from stored_images');
    await sweepPhotos(system);
    const left = await db.q().selectFrom('stored_images').select('id').execute();
    for (const { id } of rows)
      if (!left.some((row) => row.id === id)) await deletePhotoFiles(system, { imageId: id });
  };

  it('starts with the built-in hero and saves another one, audited, which is shown on the next load', async () => {
    expect(await homepageContent(ctx())).toEqual(defaultHomepage);
    expect(await savedHomepage(ctx())).toMatchObject({ content: defaultHomepage, version: null });
    expect(await save({ title: ' Land,  ho ' })).toEqual({ ok: true });
    const hero = { title: 'Land, ho', subtitle: 'By the acre.', image: null };
    expect(await homepageContent(ctx())).toEqual(hero);
    expect(await savedHomepage(ctx())).toMatchObject({ content: hero, changedBy: admin.name });
    const { version } = await savedHomepage(ctx());
    expect(await save({ title: 'Other', version }, other)).toEqual({ ok: true });
    const audited = await db
      .q()
      .selectFrom('audit_log')
      .select(['actor_id', 'before', 'after'])
      .where('action', '=', 'homepage.save')
      .orderBy('id', 'desc')
      .limit(1)
      .execute();
    expect(audited).toEqual([
      {
        actor_id: other.id,
        before: { title: 'Land, ho', subtitle: 'By the acre.', image: null },
        after: { title: 'Other', subtitle: 'By the acre.', image: null },
      },
    ]);
  });

  it('does not let the second of two editors overwrite the first', async () => {
    await save({});
    const { version } = await savedHomepage(ctx());
    expect(await save({ title: 'First', version })).toEqual({ ok: true });
    expect(await save({ title: 'Second', version }, other)).toMatchObject({
      ok: false,
      reason: 'newer',
      current: { content: { title: 'First' }, changedBy: admin.name },
    });
    expect((await homepageContent(ctx())).title).toBe('First');
  });

  it('tells nobody but administrators what is wrong with a form', async () => {
    await expect(save({ title: '' }, await createUser(db, 'buyer'))).rejects.toMatchObject({
      name: 'Forbidden',
    });
  });

  it('is saved once by a form that is sent again because its answer was lost', async () => {
    await save({});
    const { version } = await savedHomepage(ctx());
    const sent = { title: 'Sent twice', imageId: await uploaded(), version };
    expect(await save(sent)).toEqual({ ok: true });
    const after = await savedHomepage(ctx());
    expect(await save(sent)).toEqual({ ok: true });
    expect(await savedHomepage(ctx())).toEqual(after);
    expect(await save({ ...sent, imageId: null })).toMatchObject({ ok: false, reason: 'newer' });
  });

  it('saves one of two that are first at the same moment', async () => {
    const results = await Promise.all([save({ title: 'One' }), save({ title: 'Two' }, other)]);
    expect(results.map(({ ok }) => ok).sort()).toEqual([false, true]);
    expect(await db.q().selectFrom('homepage_content').select('id').execute()).toEqual([{ id: 1 }]);
  });

  it('keeps texts within their limits in the database as well, by code points', async () => {
    const homes = '🏡'.repeat(60);
    expect(await save({ title: homes })).toEqual({ ok: true });
    expect(await save({ title: `${homes}x` })).toMatchObject({ ok: false, reason: 'invalid' });
    const set = (column: string, text: string) =>
      db.pool.query(`update homepage_content set ${column} = $1`, [text]);
    await expect(set('hero_title', 'x'.repeat(61))).rejects.toThrow('hero_title');
    await expect(set('hero_subtitle', 'x'.repeat(161))).rejects.toThrow('hero_subtitle');
  });

  it('encodes an uploaded picture anew, and shows it once it is saved', async () => {
    const secret = await picture(64, 36)
      .withExifMerge({ IFD0: { Copyright: 'hidden words' } })
      .jpeg()
      .toBuffer();
    const result = await upload(secret);
    if (!result.ok) throw new Error(result.text);
    const { image } = result;
    expect(image).toMatchObject({ width: 64, height: 36, widths: [64] });
    const file = await files.get(`images/${image.id}/64.webp`);
    expect(await new Response(file?.body).text()).not.toContain('hidden words');
    expect((await homepageContent(ctx())).image).toBeNull();
    expect(await save({ imageId: image.id })).toEqual({ ok: true });
    expect((await homepageContent(ctx())).image).toMatchObject({ id: image.id });
    await sweep();
    expect(await stored(image.id)).toBeGreaterThan(0);
  });

  it('says since when its picture is shown', async () => {
    const [imageId, at] = [await uploaded(), new Date('2031-05-06T07:08:09Z')];
    const saved = await saveHomepage(
      { ...ctx(), now: () => at },
      { title: 'Land', subtitle: 'By the acre.', imageId, version: null },
    );
    expect(saved).toEqual({ ok: true });
    expect(
      await db.q().selectFrom('stored_images').select('attached_at').where('id', '=', imageId).execute(),
    ).toEqual([{ attached_at: at }]);
  });

  it('removes the files of the picture that was replaced, and of one that is taken away', async () => {
    const [first, second] = [await uploaded(), await uploaded()];
    await save({ imageId: first });
    await save({ imageId: second, version: (await savedHomepage(ctx())).version });
    await sweep();
    expect([await stored(first), (await stored(second)) > 0]).toEqual([0, true]);
    await save({ imageId: null, version: (await savedHomepage(ctx())).version });
    await sweep();
    expect(await stored(second)).toBe(0);
  });

  it('drops an upload that is not saved, but neither a saved one nor that of somebody else', async () => {
    const [mine, theirs, shown] = [await uploaded(), await uploaded(other), await uploaded()];
    await save({ imageId: shown });
    for (const imageId of [mine, theirs, shown, 'no id']) await dropHeroImage(ctx(), { imageId });
    await sweep();
    expect([await stored(mine), (await stored(theirs)) > 0, (await stored(shown)) > 0]).toEqual([
      0,
      true,
      true,
    ]);
    expect(await save({ imageId: mine, version: (await savedHomepage(ctx())).version })).toMatchObject({
      ok: false,
      errors: { image: 'This image is no longer stored. Please upload it again.' },
    });
  });

  it('shows no picture that somebody else has uploaded, or that is none of the homepage', async () => {
    const theirs = await uploaded(other);
    for (const imageId of [theirs, '00000000-0000-4000-8000-000000000000', "' or true"])
      expect(await save({ imageId })).toMatchObject({ ok: false, reason: 'invalid' });
  });

  it('takes JPG, PNG and WebP by their content, at most 5 MB, and nothing else', async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
    const unusable = 'This file is not a picture we can use. Please choose a JPEG, PNG or WebP file.';
    for (const bytes of [Buffer.from(svg), await picture().gif().toBuffer(), heicFile({ frame: 'quarters' })])
      expect(await upload(bytes)).toEqual({ ok: false, reason: 'picture', text: unusable });
    for (const format of ['jpeg', 'png', 'webp'] as const)
      expect(await upload(await picture().toFormat(format).toBuffer())).toMatchObject({ ok: true });
    expect(await upload(new Uint8Array(5 * 1024 * 1024 + 1))).toEqual({
      ok: false,
      reason: 'picture',
      text: 'File size must be less than 5MB',
    });
  });
});
