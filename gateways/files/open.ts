import { createFolderStore } from './folder.ts';
import type { FileStore } from './port.ts';
import { createS3Store } from './s3.ts';
import { parseS3Url } from './s3-url.ts';

/** `filesUrl` comes from FILES_URL; without it files are stored in `folder` and `secret` signs their links. */
type FilesConfig = { filesUrl?: string; folder: string; secret: string; now?: () => Date };

/**
 * The configured file store.
 *
 * @throws FileStoreError `invalid` when FILES_URL is malformed
 */
export function openFileStore({ filesUrl, folder, secret, now }: FilesConfig): FileStore {
  return filesUrl === undefined
    ? createFolderStore({ folder, secret, now })
    : createS3Store(parseS3Url(filesUrl), { now });
}
