import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { addFetchedPhoto } from '#features/photos/commands/add-fetched-photo.ts';
import { addPhoto } from '#features/photos/commands/add-photo.ts';
import { arrangePhotos } from '#features/photos/commands/arrange-photos.ts';
import { attachPhotos } from '#features/photos/commands/attach-photos.ts';
import { deletePhoto } from '#features/photos/commands/delete-photo.ts';
import { describePhoto } from '#features/photos/commands/describe-photo.ts';
import { setMainPhoto } from '#features/photos/commands/set-main-photo.ts';
import { deletePhotoFiles, sweepPhotos } from '#features/photos/commands/sweep-photos.ts';
import { photosOf } from '#features/photos/reads.ts';
import { createFolderStore } from '#gateways/files/folder.ts';
import { type Cell, type Cells, operation } from '../support/operation.ts';
import { createPhotos, currentPhotos, PIXEL } from '../support/photos.ts';

const folder = mkdtempSync(join(tmpdir(), 'acre-cells-photos-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const files = createFolderStore({ folder, secret: 's' });
const pixel = join(folder, 'pixel.png');
writeFileSync(pixel, PIXEL);

const columns = 'anonymous        buyerA     buyerB     sellerA   sellerB   suspended  admin';
const prepare = ({ scenario, row }: Cell) => createPhotos(scenario, row);

/** Photos of one's own unsold listings and drafts may be changed, not by suspended sellers; administrators have all listings. */
const changing = `
                             ${columns}
  A’s Active                 Unauthenticated  Forbidden  Forbidden  allowed   NotFound  Forbidden  allowed
  A’s pending                Unauthenticated  Forbidden  Forbidden  allowed   NotFound  Forbidden  allowed
  A’s changes_requested      Unauthenticated  Forbidden  Forbidden  allowed   NotFound  Forbidden  allowed
  A’s rejected               Unauthenticated  Forbidden  Forbidden  allowed   NotFound  Forbidden  allowed
  A’s withdrawn              Unauthenticated  Forbidden  Forbidden  allowed   NotFound  Forbidden  allowed
  A’s escrow                 Unauthenticated  Forbidden  Forbidden  allowed   NotFound  Forbidden  allowed
  A’s Sold                   Unauthenticated  Forbidden  Forbidden  sold      NotFound  Forbidden  sold
  A’s deleted                Unauthenticated  Forbidden  Forbidden  NotFound  NotFound  Forbidden  NotFound
  A’s draft                  Unauthenticated  Forbidden  Forbidden  allowed   NotFound  Forbidden  NotFound
  suspended seller’s Active  Unauthenticated  Forbidden  Forbidden  NotFound  NotFound  Forbidden  allowed
  suspended seller’s draft   Unauthenticated  Forbidden  Forbidden  NotFound  NotFound  Forbidden  NotFound
`;

const systemOnly = `
                anonymous        buyerA     buyerB     sellerA    sellerB    suspended  admin
  by hand       Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden
`;

export const cells: Cells = {
  // One's own in every status, also for a suspended seller.
  'reads#photosOf': operation({
    cells: `
                                 ${columns}
      A’s Active                 Unauthenticated  Forbidden  Forbidden  2         NotFound  NotFound   2
      A’s pending                Unauthenticated  Forbidden  Forbidden  2         NotFound  NotFound   2
      A’s Sold                   Unauthenticated  Forbidden  Forbidden  2         NotFound  NotFound   2
      A’s deleted                Unauthenticated  Forbidden  Forbidden  NotFound  NotFound  NotFound   NotFound
      A’s draft                  Unauthenticated  Forbidden  Forbidden  2         NotFound  NotFound   NotFound
      no draft                   Unauthenticated  Forbidden  Forbidden  0         0         0          0
      suspended seller’s Active  Unauthenticated  Forbidden  Forbidden  NotFound  NotFound  2          2
      suspended seller’s draft   Unauthenticated  Forbidden  Forbidden  NotFound  NotFound  2          NotFound
    `,
    prepare,
    act: (ctx, { owner }) => photosOf(ctx, owner),
    outcomeOf: (photos) => String(photos.length),
    mayChange: () => false,
    verify: (result, { photos }) => {
      if (result?.length) expect(result.map(({ id }) => id)).toEqual(photos);
    },
  }),

  'commands/add-photo#addPhoto': operation({
    cells: changing,
    prepare,
    act: (ctx, { owner }) => {
      const receive = async () => ({ path: pixel, remove: async () => undefined });
      const createDraft = async () => owner;
      const input = { owner, key: randomUUID(), position: 9, isMain: false, receive, createDraft };
      return addPhoto({ ...ctx, files }, input);
    },
    verify: async (_, { owner, photos }, { scenario, outcome }) =>
      expect((await currentPhotos(scenario, owner)).length).toBe(
        photos.length + (outcome === 'allowed' ? 1 : 0),
      ),
  }),

  'commands/arrange-photos#arrangePhotos': operation({
    cells: changing,
    async prepare(cell) {
      const fixture = await prepare(cell);
      // Photo ids of another listing are ignored.
      const other = await createPhotos(cell.scenario, 'suspended seller’s Active');
      return { ...fixture, other };
    },
    act: (ctx, { owner, photos, other }) =>
      arrangePhotos(ctx, { owner, ids: [...other.photos, ...photos].toReversed() }),
    verify: async (_, { other }, { scenario }) =>
      expect(await currentPhotos(scenario, other.owner)).toEqual(other.photos),
  }),

  'commands/set-main-photo#setMainPhoto': operation({
    cells: changing,
    prepare,
    act: (ctx, { owner, photos }) => setMainPhoto(ctx, { owner, photoId: photos[1] ?? '' }),
    verify: async (_, { owner, photos }, { scenario, outcome }) =>
      expect(await currentPhotos(scenario, owner)).toEqual(
        outcome === 'allowed' ? photos.toReversed() : photos,
      ),
  }),

  'commands/describe-photo#describePhoto': operation({
    cells: changing,
    prepare,
    act: (ctx, { owner, photos }) =>
      describePhoto(ctx, { owner, photoId: photos[1] ?? '', caption: 'Changed', alt: '' }),
  }),

  'commands/delete-photo#deletePhoto': operation({
    cells: changing,
    async prepare(cell) {
      const fixture = await prepare(cell);
      const other = await createPhotos(cell.scenario, 'suspended seller’s Active');
      return { ...fixture, other };
    },
    async act(ctx, { owner, photos, other }) {
      // A photo of another listing cannot be deleted through one's own.
      await deletePhoto(ctx, { owner, photoId: other.photos[0] ?? '' });
      return deletePhoto(ctx, { owner, photoId: photos[0] ?? '' });
    },
    async verify(_, { owner, photos, other }, { scenario, outcome }) {
      expect(await currentPhotos(scenario, owner)).toEqual(outcome === 'allowed' ? photos.slice(1) : photos);
      expect(await currentPhotos(scenario, other.owner)).toEqual(other.photos);
    },
  }),

  // From one's own draft to one's own listing only.
  'commands/attach-photos#attachPhotos': operation({
    unaudited: 'part of submitting a listing, which writes the audit row',
    cells: `
                                ${columns}
      A’s draft                 Unauthenticated  Forbidden  Forbidden  allowed   NotFound  Forbidden  NotFound
      suspended seller’s draft  Unauthenticated  Forbidden  Forbidden  NotFound  NotFound  Forbidden  NotFound
    `,
    async prepare(cell) {
      const draft = await prepare(cell);
      const propertyId = await cell.scenario.listing('A’s pending');
      return { ...draft, propertyId };
    },
    act: (ctx, { owner, propertyId }) =>
      attachPhotos(ctx, { draftId: 'draftId' in owner ? owner.draftId : '', propertyId }),
    verify: async (_, { photos, propertyId }, { scenario, outcome }) =>
      expect(await currentPhotos(scenario, { propertyId })).toEqual(outcome === 'allowed' ? photos : []),
  }),

  'commands/add-fetched-photo#addFetchedPhoto': operation({
    cells: systemOnly,
    act: (ctx) =>
      addFetchedPhoto(
        { ...ctx, files },
        {
          propertyId: randomUUID(),
          key: randomUUID(),
          position: 0,
          isWanted: async () => true,
          isAsFetched: async () => false,
          needsApproval: false,
          file: { path: '/nonexistent', remove: async () => {} },
        },
      ),
  }),
  'commands/sweep-photos#sweepPhotos': operation({ cells: systemOnly, act: (ctx) => sweepPhotos(ctx) }),
  'commands/sweep-photos#deletePhotoFiles': operation({
    cells: systemOnly,
    act: (ctx) => deletePhotoFiles({ ...ctx, files }, { imageId: randomUUID() }),
  }),
};
