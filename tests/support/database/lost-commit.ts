import type { FileStore } from '#gateways/files/port.ts';
import type { Database } from '#platform/db/database.ts';
import { commandOf, databaseWithInterceptor } from './query-interception.ts';

/**
 * A database and a file store of which the first commit after a file was stored is carried out, but its answer lost, as when the
 * connection breaks then.
 */
export function losingTheCommit(db: Database, files: FileStore): { db: Database; files: FileStore } {
  let next = false;
  return {
    db: databaseWithInterceptor(db, (run) => async (text, values) => {
      const result = await run(text, values);
      if (!next || commandOf(text) !== 'commit') return result;
      next = false;
      throw new Error('The connection was lost after the commit');
    }),
    files: {
      ...files,
      async put(file) {
        const result = await files.put(file);
        next = true;
        return result;
      },
    },
  };
}
