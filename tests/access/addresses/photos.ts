import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { paths } from '#app/paths.ts';
import type { PhotoOwner } from '#features/photos/model.ts';
import type { Addresses, Visit } from '../address.ts';
import { fromOurPage } from '../house.ts';
import { CAPTION, type PhotographedPlace, PIXEL, photographed, photosNow } from '../photos.ts';

const columns = 'anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin';

/** What a visit is about, so that what has become of it can be asserted. */
const about = new WeakMap<Visit, PhotographedPlace>();

async function placeOf(visit: Visit): Promise<PhotographedPlace> {
  const [, kind = ''] = /^(?:GET|POST \w+) (.*)$/.exec(visit.row) ?? [];
  const place = await photographed(visit.house.stage, kind);
  about.set(visit, place);
  return place;
}

const withId = (owner: PhotoOwner, id: string): PhotoOwner =>
  'propertyId' in owner ? { propertyId: id } : { draftId: id };

async function asksPhotos(visit: Visit, nothing: PhotoOwner) {
  const { row } = visit;
  if (row.endsWith('unknown id')) return { path: paths.photos(withId(nothing, randomUUID())) };
  if (row.endsWith('no id at all')) return { path: paths.photos(withId(nothing, 'x')) };
  const { owner, photos } = await placeOf(visit);
  const path = paths.photos(owner);
  const deed = /^POST (\w+)/.exec(row)?.[1];
  if (!deed) return { path };
  const photo = photos[1] ?? '';
  return {
    path,
    ...fromOurPage({ do: deed, photo, ids: photos.toReversed().join(), caption: 'Changed', alt: '' }),
  };
}

/** Only where the cell says so something was ordered, described or taken away. */
async function onlyWhereSaid({ status, text }: { status: number; text: string }, visit: Visit) {
  const place = about.get(visit);
  if (!place) return;
  const now = await photosNow(visit.house.stage, place.owner);
  const deed = /^POST (\w+)/.exec(visit.row)?.[1];
  const done = status === 200;
  expect(now).toEqual(
    done && deed === 'main'
      ? place.photos.toReversed()
      : done && deed === 'delete'
        ? place.photos.slice(0, 1)
        : place.photos,
  );
  if (done && deed === 'describe') expect(text).toContain('"Changed"');
}

const uploading = async (visit: Visit) => {
  const { owner } = await placeOf(visit);
  return {
    path: paths.photoUpload(owner, { key: randomUUID(), position: 7 }),
    method: 'POST',
    headers: {
      'sec-fetch-site': 'same-origin',
      accept: 'application/json',
      'content-type': 'application/octet-stream',
    },
    body: visit.row.startsWith('POST text') ? Buffer.from('no picture at all') : PIXEL,
  };
};

async function addedWhereSaid({ status, text }: { status: number; text: string }, visit: Visit) {
  const place = about.get(visit);
  if (!place) return;
  const now = await photosNow(visit.house.stage, place.owner);
  expect(now).toHaveLength(place.photos.length + (status === 201 ? 1 : 0));
  if (status !== 201) return;
  const { photo, photos } = JSON.parse(text) as { photo: string; photos: { id: string }[] };
  expect(photos.map(({ id }) => id)).toEqual(now);
  expect(now.at(-1)).toBe(photo);
}

const changing = (deed: string) => `
      POST ${deed} A’s Active                 401  403  403  200  404  403  403
      POST ${deed} A’s Sold                   401  403  403  422  404  403  403
      POST ${deed} suspended seller’s Active  401  403  403  404  404  403  403
`;

export const addresses: Addresses = {
  '/agent/photos/property/:id': {
    cells: `
      ${columns}
      GET A’s Active                 401  403  403  200  404  404  403
      GET A’s Sold                   401  403  403  200  404  404  403
      GET suspended seller’s Active  401  403  403  404  404  200  403
      GET unknown id                 401  403  403  404  404  404  403
      GET no id at all               401  403  403  404  404  404  403
      ${['arrange', 'main', 'describe', 'delete'].map(changing).join('')}
      POST steal A’s Active          401  403  403  400  400  403  403
    `,
    secret: CAPTION,
    asks: (visit) => asksPhotos(visit, { propertyId: '' }),
    holds: onlyWhereSaid,
  },
  '/agent/photos/draft/:id': {
    cells: `
      ${columns}
      GET A’s draft                         401  403  403  200  404  404  403
      GET suspended seller’s draft          401  403  403  404  404  200  403
      GET no id at all                      401  403  403  404  404  404  403
      POST main A’s draft                   401  403  403  200  404  403  403
      POST delete A’s draft                 401  403  403  200  404  403  403
      POST delete suspended seller’s draft  401  403  403  404  404  403  403
    `,
    secret: CAPTION,
    asks: (visit) => asksPhotos(visit, { draftId: '' }),
    holds: onlyWhereSaid,
  },
  '/agent/uploads/property/:id': {
    cells: `
      ${columns}
      GET                                    405  405  405  405  405  405  405
      POST picture A’s Active                401  403  403  201  404  403  403
      POST picture A’s pending               401  403  403  201  404  403  403
      POST picture A’s Sold                  401  403  403  422  404  403  403
      POST picture A’s deleted               401  403  403  404  404  403  403
      POST picture suspended seller’s Active  401  403  403  404  404  403  403
      POST text A’s Active                   401  403  403  422  404  403  403
    `,
    asks: async (visit) => (visit.row === 'GET' ? {} : uploading(visit)),
    holds: addedWhereSaid,
  },
  '/agent/uploads/draft/:id': {
    cells: `
      ${columns}
      GET                                    405  405  405  405  405  405  405
      POST picture A’s draft                 401  403  403  201  404  403  403
      POST picture suspended seller’s draft  401  403  403  404  404  403  403
    `,
    asks: async (visit) => (visit.row === 'GET' ? {} : uploading(visit)),
    holds: addedWhereSaid,
  },
};
