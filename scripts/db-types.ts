import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../platform/db/database.ts';
import { migrate } from '../platform/db/migrate.ts';
import { drawSchema } from '../platform/db/schema-picture.ts';
import { describeSchema } from '../platform/db/schema-types.ts';
import { projectRoot } from '../platform/project-root.ts';

// `npm run db:types`: writes the types and the picture of the migrated schema; a test fails when they are not current.
const database = await openDatabase({ dataDir: null });
await migrate(database);
writeFileSync(join(projectRoot, 'platform/db/schema.gen.ts'), await describeSchema(database));
const page = join(projectRoot, 'docs/data-model.md');
const [text = ''] = readFileSync(page, 'utf8').split('<!-- from here on written by npm run db:types -->');
writeFileSync(
  page,
  `${text}<!-- from here on written by npm run db:types -->\n\n${await drawSchema(database)}`,
);
await database.close();
