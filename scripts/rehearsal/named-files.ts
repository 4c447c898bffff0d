import { sql } from 'kysely';
import type { FileStore } from '#gateways/files/port.ts';
import { imageKey } from '#gateways/images/sources.ts';
import type { Database } from '#platform/db/database.ts';

/** The files that rows of a database name, and those of them that a file store does not have, in ASCII order. */
export async function checkFiles(
  db: Database,
  store: FileStore,
): Promise<{ named: number; missing: string[] }> {
  const named = await namedFiles(db);
  const missing = new Set(named);
  for (const prefix of new Set(named.map((key) => key.slice(0, key.indexOf('/') + 1))))
    for await (const key of storedKeys(store, prefix)) missing.delete(key);
  return { named: named.length, missing: [...missing] };
}

async function namedFiles(db: Database): Promise<string[]> {
  const { rows: documents } = await sql<{ key: string }>`
    select file_key as key from document_registry where erased_at is null
    union select file_key from message_files
    union select survey_document_path from properties where survey_document_path is not null`.execute(db.q());
  // A picture that nothing shows anymore is being deleted.
  const pictures = await db
    .q()
    .selectFrom('stored_images')
    .select(['id', 'widths'])
    .where('attached_at', 'is not', null)
    .execute();
  const renditions = pictures.flatMap(({ id, widths }) =>
    widths.flatMap((width) => [imageKey(id, width, 'webp'), imageKey(id, width, 'avif')]),
  );
  return [...new Set([...documents.map(({ key }) => key), ...renditions])].sort();
}

async function* storedKeys(store: FileStore, prefix: string): AsyncGenerator<string> {
  let after: string | undefined;
  do {
    const { keys, next } = await store.list(prefix, after === undefined ? {} : { after });
    yield* keys;
    after = next;
  } while (after !== undefined);
}
