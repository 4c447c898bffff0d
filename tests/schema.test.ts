import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { renderSchemaDiagram } from '#platform/db/schema-diagram.ts';
import { generateSchemaTypes } from '#platform/db/schema-types.ts';
import { projectRoot } from '#platform/project-root.ts';
import { freshDatabase } from '#tests/support/database/test-database.ts';

let db: Database;
beforeAll(async () => {
  db = await freshDatabase('embedded');
});
afterAll(() => db.close());

const file = (path: string) => readFileSync(join(projectRoot, path), 'utf8');

it('the generated table types match the migrated schema', async () => {
  expect(await generateSchemaTypes(db)).toBe(file('platform/db/schema.gen.ts'));
});

it('the data model diagram matches the migrated schema', async () => {
  expect(file('docs/data-model.md')).toContain(await renderSchemaDiagram(db));
});
