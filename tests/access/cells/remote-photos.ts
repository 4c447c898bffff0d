import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetchPhotos } from '#features/remote-photos/commands/fetch-photos.ts';
import { createFolderStore } from '#gateways/files/folder.ts';
import { webPictures } from '#gateways/remote-pictures/web-pictures.ts';
import { type Cells, operation } from '../support/operation.ts';
import { systemOnlyRows } from '../support/table-rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'acre-remote-cells-'));

export const cells: Cells = {
  'commands/fetch-photos#fetchPhotos': operation({
    cells: systemOnlyRows('by hand'),
    act: (ctx) =>
      fetchPhotos(
        { ...ctx, files: createFolderStore({ folder, secret: 's' }) },
        { pictures: webPictures({ folder }) },
      ),
  }),
};
