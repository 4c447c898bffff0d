import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { drawSchema } from '#platform/db/schema-picture.ts';
import { describeSchema } from '#platform/db/schema-types.ts';
import { projectRoot } from '#platform/project-root.ts';
import { freshDatabase } from '#tests/support/database.ts';

let db: Database;
beforeAll(async () => {
  db = await freshDatabase('embedded');
});
afterAll(() => db.close());

const file = (path: string) => readFileSync(join(projectRoot, path), 'utf8');

it('the types of the tables are those of the migrated schema', async () => {
  expect(await describeSchema(db)).toBe(file('platform/db/schema.gen.ts'));
});

it('the picture of the data model is that of the migrated schema', async () => {
  expect(file('docs/data-model.md')).toContain(await drawSchema(db));
});
