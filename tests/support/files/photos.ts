import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { projectRoot } from '#platform/project-root.ts';

/** A file for a browser's file input. */
interface UploadFile {
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

/** The files of a folder of tests/fixtures: photographs, or pictures that break naive upload code. */
export function sampleFiles(folder: 'photos' | 'awkward-photos'): UploadFile[] {
  const path = join(projectRoot, 'tests/fixtures', folder);
  return readdirSync(path)
    .sort()
    .map((name) => ({
      name,
      mimeType: TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
      buffer: readFileSync(join(path, name)),
    }));
}

let photoCount = 0;

/** Small generated photos with these names, all different. */
export function createPhotos(...names: string[]): Promise<UploadFile[]> {
  return Promise.all(
    names.map(async (name) => {
      photoCount += 1;
      const background = {
        r: (photoCount * 47) % 256,
        g: (photoCount * 101) % 256,
        b: (photoCount * 29) % 256,
      };
      const picture = sharp({ create: { width: 360, height: 240, channels: 3, background } });
      return { name, mimeType: 'image/jpeg', buffer: await picture.jpeg().toBuffer() };
    }),
  );
}

/** Locators of the photo panels. */
export function photoPanels(page: Page) {
  const main = page.getByRole('region', { name: 'Main Property Image' });
  const more = page.getByRole('region', { name: 'Additional Images' });
  return {
    main,
    more,
    mainFile: main.locator('input[type=file]'),
    files: more.getByLabel('Additional Images', { exact: true }).and(page.locator('input')),
    /** all additional photos, pending uploads included */
    tiles: more.getByRole('list', { name: 'Additional photos' }).getByRole('listitem'),
    /** uploaded photos only */
    stored: more.locator('[data-photo]'),
    refused: more.getByRole('list', { name: 'Files that were not accepted' }).getByRole('alert'),
    tile: (name: string) => more.getByRole('listitem', { name, exact: true }),
  };
}

/** A DataTransfer with these files, for drop and paste events. */
export const createDataTransfer = (page: Page, files: readonly UploadFile[]) =>
  page.evaluateHandle(
    (given) => {
      const transfer = new DataTransfer();
      for (const { name, mimeType, base64 } of given) {
        const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
        transfer.items.add(new File([bytes], name, { type: mimeType }));
      }
      return transfer;
    },
    files.map(({ name, mimeType, buffer }) => ({ name, mimeType, base64: buffer.toString('base64') })),
  );
