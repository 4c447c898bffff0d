import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { dropHeroImage } from '#features/homepage/commands/drop-hero-image.ts';
import { saveHomepage } from '#features/homepage/commands/save-homepage.ts';
import { uploadHeroImage } from '#features/homepage/commands/upload-hero-image.ts';
import { homepageContent, savedHomepage } from '#features/homepage/reads.ts';
import { createFolderStore } from '#gateways/files/folder.ts';
import { invalidate } from '#platform/cache.ts';
import { type Cell, type Cells, operation } from '../support/operation.ts';
import { PIXEL } from '../support/photos.ts';
import { HEAD } from '../support/table-rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'acre-cells-homepage-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const files = createFolderStore({ folder, secret: 's' });
const pixel = join(folder, 'pixel.png');
writeFileSync(pixel, PIXEL);

const adminsOnly = (...rows: [row: string, outcome: string][]) => `
  ${HEAD}
  ${rows.map(([row, outcome]) => `${row}  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  ${outcome}`).join('\n')}
`;

/** A stored picture that the administrator, or somebody else, has uploaded for the homepage. */
async function storedPicture({ scenario, row }: Cell): Promise<string> {
  const { id } = await scenario.db
    .q()
    .insertInto('stored_images')
    .values({
      width: 40,
      height: 30,
      widths: [40],
      placeholder: 'data:,',
      sha256: randomUUID(),
      byte_size: 1,
      uploaded_by: scenario.person(row.startsWith('another') ? 'sellerA' : 'admin').id,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

const letGo = async ({ scenario }: Cell, id: string) =>
  (
    await scenario.db
      .q()
      .selectFrom('stored_images')
      .select('let_go_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).let_go_at !== null;

export const cells: Cells = {
  'reads#homepageContent': operation({
    cells: `
                 anonymous  buyerA   buyerB   sellerA  sellerB  suspended  admin
      the hero   allowed    allowed  allowed  allowed  allowed  allowed    allowed
    `,
    async prepare({ scenario: { db, cast } }) {
      const hero = { hero_title: 'A title', hero_subtitle: 'A line' };
      await db
        .q()
        .insertInto('homepage_content')
        .values({ ...hero, updated_by: cast.admin.id })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(hero))
        .execute();
      invalidate(db);
    },
    act: (ctx) => homepageContent(ctx),
    verify: (hero) => expect(hero).toEqual({ title: 'A title', subtitle: 'A line', image: null }),
  }),

  'reads#savedHomepage': operation({
    cells: adminsOnly(['the hero', 'allowed']),
    act: (ctx) => savedHomepage(ctx),
    mayChange: () => false,
  }),

  'commands/save-homepage#saveHomepage': operation({
    cells: adminsOnly(
      ['own picture', 'allowed'],
      ['another person’s picture', 'invalid'],
      ['an older version', 'newer'],
    ),
    async prepare(cell) {
      await cell.scenario.db.q().deleteFrom('homepage_content').execute();
      return storedPicture(cell);
    },
    act: (ctx, imageId, { row }) =>
      saveHomepage(ctx, {
        title: 'Saved here',
        subtitle: '',
        imageId,
        version: row === 'an older version' ? '1' : null,
      }),
    async verify(_, imageId, { scenario, outcome }) {
      const rows = await scenario.db.q().selectFrom('homepage_content').select('hero_image_id').execute();
      expect(rows).toEqual(outcome === 'allowed' ? [{ hero_image_id: imageId }] : []);
    },
  }),

  'commands/upload-hero-image#uploadHeroImage': operation({
    cells: adminsOnly(['a picture', 'allowed']),
    act: (ctx) =>
      uploadHeroImage(
        { ...ctx, files },
        { receive: async () => ({ path: pixel, remove: async () => undefined }) },
      ),
  }),

  // Nothing is refused: what is not one's own upload stays.
  'commands/drop-hero-image#dropHeroImage': operation({
    cells: adminsOnly(['own picture', 'dropped'], ['another person’s picture', 'kept'], ['no id', 'kept']),
    prepare: storedPicture,
    act: (ctx, imageId, { row }) => dropHeroImage(ctx, { imageId: row === 'no id' ? 'x' : imageId }),
    outcomeOf: async (_, imageId, cell) => ((await letGo(cell, imageId)) ? 'dropped' : 'kept'),
    mayChange: (outcome) => outcome === 'dropped',
    async verify(_, imageId, cell) {
      expect(await letGo(cell, imageId)).toBe(cell.outcome === 'dropped');
    },
  }),
};
