import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../platform/db/database.ts';
import { migrate } from '../platform/db/migrate.ts';
import { describeSchema } from '../platform/db/schema-types.ts';
import { projectRoot } from '../platform/project-root.ts';

// `npm run db:types`: writes the types of the migrated schema; a test fails when they are not current.
const database = await openDatabase({ dataDir: null });
await migrate(database);
writeFileSync(join(projectRoot, 'platform/db/schema.gen.ts'), await describeSchema(database));
await database.close();
