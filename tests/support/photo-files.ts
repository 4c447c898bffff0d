import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { projectRoot } from '#platform/project-root.ts';

/** A file as a browser's field takes it. */
export interface GivenFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

const TYPES: Record<string, string> = {
  gif: 'image/gif',
  heic: 'image/heic',
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
};

/** The real files of a folder of ../shared/data; null where it is absent. */
export function realFiles(folder: 'images-awkward' | 'photos-cc0'): GivenFile[] | null {
  const path = join(projectRoot, '../shared/data', folder);
  if (!existsSync(path)) return null;
  return readdirSync(path)
    .sort()
    .map((name) => ({
      name,
      mimeType: TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
      buffer: readFileSync(join(path, name)),
    }));
}

let made = 0;

/** Small photographs with these names, none of them equal to another. */
export function photographs(...names: string[]): Promise<GivenFile[]> {
  return Promise.all(
    names.map(async (name) => {
      made += 1;
      const background = { r: (made * 47) % 256, g: (made * 101) % 256, b: (made * 29) % 256 };
      const picture = sharp({ create: { width: 360, height: 240, channels: 3, background } });
      return { name, mimeType: 'image/jpeg', buffer: await picture.jpeg().toBuffer() };
    }),
  );
}

/** The parts of the photographs' panels. */
export function photoPanels(page: Page) {
  const main = page.getByRole('region', { name: 'Main Property Image' });
  const more = page.getByRole('region', { name: 'Additional Images' });
  return {
    main,
    more,
    mainFile: main.locator('input[type=file]'),
    files: more.getByLabel('Additional Images', { exact: true }).and(page.locator('input')),
    /** all of the additional ones, those on their way too */
    tiles: more.getByRole('list', { name: 'Additional photos' }).getByRole('listitem'),
    /** those that are stored */
    stored: more.locator('[data-photo]'),
    refused: more.getByRole('list', { name: 'Files that were not taken' }).getByRole('alert'),
    /** nothing is on its way any more */
    tile: (name: string) => more.getByRole('listitem', { name, exact: true }),
  };
}

/** Files as they come by a mouse or the clipboard. */
export const transferOf = (page: Page, files: readonly GivenFile[]) =>
  page.evaluateHandle(
    (given) => {
      const transfer = new DataTransfer();
      for (const { name, mimeType, base64 } of given) {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        transfer.items.add(new File([bytes], name, { type: mimeType }));
      }
      return transfer;
    },
    files.map(({ name, mimeType, buffer }) => ({ name, mimeType, base64: buffer.toString('base64') })),
  );
