import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderSchemaDiagram } from '#platform/db/schema-diagram.ts';
import { openDatabase } from '../platform/db/database.ts';
import { migrate } from '../platform/db/migrate.ts';
import { generateSchemaTypes } from '../platform/db/schema-types.ts';
import { projectRoot } from '../platform/project-root.ts';

// `npm run db:types`: generates the types and the diagram of the migrated schema; a test fails when they are out of date.
const database = await openDatabase({ dataDir: null });
await migrate(database);
writeFileSync(join(projectRoot, 'platform/db/schema.gen.ts'), await generateSchemaTypes(database));
const page = join(projectRoot, 'docs/data-model.md');
const [text = ''] = readFileSync(page, 'utf8').split('<!-- from here on written by npm run db:types -->');
writeFileSync(
  page,
  `${text}<!-- from here on written by npm run db:types -->\n\n${await renderSchemaDiagram(database)}`,
);
await database.close();
