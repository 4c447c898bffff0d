import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFolderStore } from '../files/folder.ts';
import { processImage } from './process-image.ts';
import { imageKey, variantWidths } from './sources.ts';
import { deleteImage, storeImage } from './store.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'acre-images-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('stores every rendition under its key, idempotently, and deletes them all', async () => {
  const files = createFolderStore({ folder, secret: 's' });
  const upload = sharp({ create: { width: 700, height: 500, channels: 3, background: '#285c41' } });
  const image = await processImage(await upload.jpeg().toBuffer());
  await storeImage(files, 'one', image);
  await storeImage(files, 'one', image);
  await storeImage(files, 'one-more', image);

  const { keys } = await files.list('images/one/');
  const expected = variantWidths(image).flatMap((width) => [
    imageKey('one', width, 'avif'),
    imageKey('one', width, 'webp'),
  ]);
  expect(keys).toEqual(expected.sort());
  const stored = await files.get('images/one/640.avif');
  expect(stored?.contentType).toBe('image/avif');
  expect(await sharp(await new Response(stored?.body).arrayBuffer()).metadata()).toMatchObject({
    width: 640,
    height: 457,
  });

  await deleteImage(files, 'one');
  await deleteImage(files, 'one');
  expect((await files.list('images/')).keys).toHaveLength(expected.length);
});

test('rejects an id that would escape its folder', async () => {
  const files = createFolderStore({ folder, secret: 's' });
  const upload = sharp({ create: { width: 10, height: 10, channels: 3, background: '#285c41' } });
  const image = await processImage(await upload.png().toBuffer());
  await expect(storeImage(files, '../up', image)).rejects.toMatchObject({ code: 'invalid' });
});
