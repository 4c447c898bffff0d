import { describe, expect, it } from 'vitest';
import { MAX_BYTES } from '#gateways/images/limits.ts';
import type { Photo } from './model.ts';
import { merged, moved, photoName, refusalOf, withMain, without } from './rules.ts';

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

describe('an order of photographs', () => {
  it.each([
    ['a', 2, '*mbca'],
    ['c', 0, '*mcab'],
    ['b', 1, '*mabc'],
    ['a', 99, '*mbca'],
    ['c', -1, '*mcab'],
    ['m', 2, '*mabc'],
    ['x', 0, '*mabc'],
  ])('%s to place %i is %s', (id, to, expected) => {
    const after = moved(four, id, to);
    expect(names(after)).toBe(expected);
    expect(after.map(({ position }) => position)).toEqual([0, 1, 2, 3]);
  });

  it('has another main one, and the former in its place', () => {
    expect(names(withMain(four, 'b'))).toBe('*bamc');
    expect(names(withMain(four, 'm'))).toBe('*mabc');
    expect(names(withMain(four, 'x'))).toBe('*mabc');
  });

  it('goes on without one; the next takes over (B-039)', () => {
    expect(names(without(four, 'm'))).toBe('*abc');
    expect(names(without(four, 'b'))).toBe('*mac');
    expect(names(without([photo('m', 0, true)], 'm'))).toBe('');
  });

  it('loses nothing when answers overtake each other', () => {
    const [m, a, b, c] = four as [Photo, Photo, Photo, Photo];
    // The answer of the third upload came before that of the second.
    expect(names(merged([m, a, c], [m, a, b], new Set()))).toBe('*mabc');
    expect(names(merged([m, a, b], [m, a, b], new Set(['a'])))).toBe('*mb');
    expect(names(merged([{ ...a, isMain: true }], [m], new Set()))).toBe('*ma');
  });
});

it('a photograph is named by its caption, its description or its place', () => {
  expect(photoName({ caption: 'Porch', alt: 'A porch' }, 0)).toBe('Porch');
  expect(photoName({ caption: '', alt: 'A porch' }, 0)).toBe('A porch');
  expect(photoName({ caption: '', alt: '' }, 0)).toBe('Main photo');
  expect(photoName({ caption: '', alt: '' }, 2)).toBe('Photo 3');
});

it('what need not be sent is known before it is', async () => {
  const heic = new Blob([new Uint8Array([0, 0, 0, 24]), 'ftypheic', 'rest']);
  expect(await refusalOf(heic)).toMatch(/^HEIC photos cannot be read here\./);
  expect(await refusalOf(new Blob([]))).toBe('This file is empty.');
  expect(await refusalOf(new Blob([new Uint8Array(MAX_BYTES + 1)]))).toMatch(/at most 15 MB/);
  expect(await refusalOf(new Blob([new Uint8Array([0, 0, 0, 24]), 'ftypavif']))).toBeNull();
  expect(await refusalOf(new Blob(['x']))).toBeNull();
});
