import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { PhotoOwner } from '#features/photos/model.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import type { AddressCell, Addresses } from '../support/address.ts';
import { CAPTION, createPhotos, currentPhotos, type PhotoFixture, PIXEL } from '../support/photos.ts';
import { sameOriginForm } from '../support/test-app.ts';

const columns = 'anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin';

/** The photos each cell is about, to assert their state afterwards. */
const subjects = new WeakMap<AddressCell, PhotoFixture>();

async function photosFor(cell: AddressCell): Promise<PhotoFixture> {
  const [, kind = ''] = /^(?:GET|POST \w+) (.*)$/.exec(cell.row) ?? [];
  const fixture = await createPhotos(cell.app.scenario, kind);
  subjects.set(cell, fixture);
  return fixture;
}

const withId = (owner: PhotoOwner, id: string): PhotoOwner =>
  'propertyId' in owner ? { propertyId: id } : { draftId: id };

async function photosRequest(cell: AddressCell, emptyOwner: PhotoOwner) {
  const { row } = cell;
  if (row.endsWith('unknown id')) return { path: sellerPaths.photos(withId(emptyOwner, randomUUID())) };
  if (row.endsWith('no id at all')) return { path: sellerPaths.photos(withId(emptyOwner, 'x')) };
  const { owner, photos } = await photosFor(cell);
  const path = sellerPaths.photos(owner);
  const action = /^POST (\w+)/.exec(row)?.[1];
  if (!action) return { path };
  const photo = photos[1] ?? '';
  return {
    path,
    ...sameOriginForm({
      intent: action,
      photo,
      ids: photos.toReversed().join(),
      caption: 'Changed',
      alt: '',
    }),
  };
}

/** Asserts that photos were reordered, described or deleted only where the cell allows it. */
async function expectOnlyAllowedChanges(
  { status, text }: { status: number; text: string },
  cell: AddressCell,
) {
  const fixture = subjects.get(cell);
  if (!fixture) return;
  const now = await currentPhotos(cell.app.scenario, fixture.owner);
  const action = /^POST (\w+)/.exec(cell.row)?.[1];
  const done = status === 200;
  expect(now).toEqual(
    done && action === 'main'
      ? fixture.photos.toReversed()
      : done && action === 'delete'
        ? fixture.photos.slice(0, 1)
        : fixture.photos,
  );
  if (done && action === 'describe') expect(text).toContain('"Changed"');
}

const uploadRequest = async (cell: AddressCell) => {
  const { owner } = await photosFor(cell);
  return {
    path: sellerPaths.photoUpload(owner, { key: randomUUID(), position: 7 }),
    method: 'POST',
    headers: {
      'sec-fetch-site': 'same-origin',
      accept: 'application/json',
      'content-type': 'application/octet-stream',
    },
    body: cell.row.startsWith('POST text') ? Buffer.from('no picture at all') : PIXEL,
  };
};

async function expectOnlyAllowedUploads(
  { status, text }: { status: number; text: string },
  cell: AddressCell,
) {
  const fixture = subjects.get(cell);
  if (!fixture) return;
  const now = await currentPhotos(cell.app.scenario, fixture.owner);
  expect(now).toHaveLength(fixture.photos.length + (status === 201 ? 1 : 0));
  if (status !== 201) return;
  const { photo, photos } = JSON.parse(text) as { photo: string; photos: { id: string }[] };
  expect(photos.map(({ id }) => id)).toEqual(now);
  expect(now.at(-1)).toBe(photo);
}

const changing = (action: string) => `
      POST ${action} A’s Active                 401  403  403  200  404  403  200
      POST ${action} A’s Sold                   401  403  403  422  404  403  422
      POST ${action} suspended seller’s Active  401  403  403  404  404  403  200
`;

export const addresses: Addresses = {
  '/agent/photos/property/:id': {
    cells: `
      ${columns}
      GET A’s Active                 401  403  403  200  404  404  200
      GET A’s Sold                   401  403  403  200  404  404  200
      GET suspended seller’s Active  401  403  403  404  404  200  200
      GET unknown id                 401  403  403  404  404  404  404
      GET no id at all               401  403  403  404  404  404  404
      ${['arrange', 'main', 'describe', 'delete'].map(changing).join('')}
      POST steal A’s Active          401  403  403  400  400  403  400
    `,
    secret: CAPTION,
    request: (cell) => photosRequest(cell, { propertyId: '' }),
    verify: expectOnlyAllowedChanges,
  },
  '/agent/photos/draft/:id': {
    cells: `
      ${columns}
      GET A’s draft                         401  403  403  200  404  404  404
      GET suspended seller’s draft          401  403  403  404  404  200  404
      GET no id at all                      401  403  403  404  404  404  404
      POST main A’s draft                   401  403  403  200  404  403  404
      POST delete A’s draft                 401  403  403  200  404  403  404
      POST delete suspended seller’s draft  401  403  403  404  404  403  404
    `,
    secret: CAPTION,
    request: (cell) => photosRequest(cell, { draftId: '' }),
    verify: expectOnlyAllowedChanges,
  },
  '/agent/uploads/property/:id': {
    cells: `
      ${columns}
      GET                                    405  405  405  405  405  405  405
      POST picture A’s Active                401  403  403  201  404  403  201
      POST picture A’s pending               401  403  403  201  404  403  201
      POST picture A’s Sold                  401  403  403  422  404  403  422
      POST picture A’s deleted               401  403  403  404  404  403  404
      POST picture suspended seller’s Active  401  403  403  404  404  403  201
      POST text A’s Active                   401  403  403  422  404  403  422
    `,
    request: async (cell) => (cell.row === 'GET' ? {} : uploadRequest(cell)),
    verify: expectOnlyAllowedUploads,
  },
  '/agent/uploads/draft/:id': {
    cells: `
      ${columns}
      GET                                    405  405  405  405  405  405  405
      POST picture A’s draft                 401  403  403  201  404  403  404
      POST picture suspended seller’s draft  401  403  403  404  404  403  404
    `,
    request: async (cell) => (cell.row === 'GET' ? {} : uploadRequest(cell)),
    verify: expectOnlyAllowedUploads,
  },
};
