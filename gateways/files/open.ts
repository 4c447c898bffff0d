import { createFolderStore } from './folder.ts';
import type { FileStore } from './port.ts';
import { createS3Store } from './s3.ts';
import { parseS3Url } from './s3-url.ts';
import type { SealingKey } from './sealed-file.ts';
import { createSealedStore } from './sealed-store.ts';

/**
 * `filesUrl` comes from FILES_URL; without it files are stored in `folder`. `secret` signs the links to our own server. `keys` encrypt
 * private files; without one they are stored as they are.
 */
type FilesConfig = {
  filesUrl?: string;
  folder: string;
  secret: string;
  keys?: readonly SealingKey[];
  now?: () => Date;
};

/**
 * The configured file store.
 *
 * @throws FileStoreError `invalid` when FILES_URL is malformed
 */
export function openFileStore({ filesUrl, folder, secret, keys = [], now }: FilesConfig): FileStore {
  const store =
    filesUrl === undefined
      ? createFolderStore({ folder, secret, now })
      : createS3Store(parseS3Url(filesUrl), { now });
  return createSealedStore({ store, keys, secret, now });
}
