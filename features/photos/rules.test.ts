import { describe, expect, it } from 'vitest';
import { MAX_IMAGE_BYTES } from '#gateways/images/limits.ts';
import type { Photo } from './model.ts';
import { fileProblem, mergePhotos, movePhoto, photoName, withMainPhoto, withoutPhoto } from './rules.ts';

const photo = (id: string, position: number, isMain = false): Photo => ({
  id,
  imageId: id,
  isMain,
  position,
  caption: '',
  alt: '',
  width: 4,
  height: 3,
  widths: [4],
  placeholder: '',
});
const four = [photo('m', 0, true), photo('a', 1), photo('b', 2), photo('c', 3)];
const names = (photos: readonly Photo[]) => photos.map(({ id, isMain }) => (isMain ? `*${id}` : id)).join('');

describe('the order of photos', () => {
  it.each([
    ['a', 2, '*mbca'],
    ['c', 0, '*mcab'],
    ['b', 1, '*mabc'],
    ['a', 99, '*mbca'],
    ['c', -1, '*mcab'],
    ['m', 2, '*mabc'],
    ['x', 0, '*mabc'],
  ])('%s moved to index %i gives %s', (id, to, expected) => {
    const after = movePhoto(four, id, to);
    expect(names(after)).toBe(expected);
    expect(after.map(({ position }) => position)).toEqual([0, 1, 2, 3]);
  });

  it('changes the main photo, swapping positions', () => {
    expect(names(withMainPhoto(four, 'b'))).toBe('*bamc');
    expect(names(withMainPhoto(four, 'm'))).toBe('*mabc');
    expect(names(withMainPhoto(four, 'x'))).toBe('*mabc');
  });

  it('removes a photo; the next one is promoted', () => {
    expect(names(withoutPhoto(four, 'm'))).toBe('*abc');
    expect(names(withoutPhoto(four, 'b'))).toBe('*mac');
    expect(names(withoutPhoto([photo('m', 0, true)], 'm'))).toBe('');
  });

  it('loses nothing when responses arrive out of order', () => {
    const [m, a, b, c] = four as [Photo, Photo, Photo, Photo];
    // The response of the third upload arrives before that of the second.
    expect(names(mergePhotos([m, a, c], [m, a, b], new Set()))).toBe('*mabc');
    expect(names(mergePhotos([m, a, b], [m, a, b], new Set(['a'])))).toBe('*mb');
    expect(names(mergePhotos([{ ...a, isMain: true }], [m], new Set()))).toBe('*ma');
  });
});

it('labels a photo by its caption, description or position', () => {
  expect(photoName({ caption: 'Porch', alt: 'A porch' }, 0)).toBe('Porch');
  expect(photoName({ caption: '', alt: 'A porch' }, 0)).toBe('A porch');
  expect(photoName({ caption: '', alt: '' }, 0)).toBe('Main photo');
  expect(photoName({ caption: '', alt: '' }, 2)).toBe('Photo 3');
});

it('rejects unusable files before upload', async () => {
  const blob = (...bytes: number[]) => new Blob([new Uint8Array(bytes), 'rest of the file']);
  const boxed = (brand: string) => new Blob([new Uint8Array([0, 0, 0, 24]), `ftyp${brand}`, 'rest']);
  const unusable = 'This file is not a picture we can use. Please choose a JPEG, PNG, WebP or HEIC file.';
  expect(await fileProblem(new Blob([]))).toBe('This file is empty.');
  expect(await fileProblem(new Blob([new Uint8Array(MAX_IMAGE_BYTES + 1)]))).toMatch(/at most 15 MB/);
  for (const file of [new Blob(['GIF89a and more']), new Blob(['x']), boxed('avif'), boxed('isom')])
    expect(await fileProblem(file)).toBe(unusable);
  for (const file of [
    blob(0xff, 0xd8, 0xff),
    blob(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    new Blob(['RIFF0000WEBPVP8 ']),
    boxed('heic'),
    boxed('mif1'),
  ])
    expect(await fileProblem(file)).toBeNull();
});
