import { parseArgs } from 'node:util';
import { readConfig } from '#platform/config.ts';
import { openDatabase } from '#platform/db/database.ts';
import { migrate } from '#platform/db/migrate.ts';
import { moveDatabase } from './move/move-database.ts';
import { runCommand } from './operator-command.ts';

// `npm run database:move -- --to postgres://user@server/database`: moves a market from the embedded database to PostgreSQL.

await runCommand(async () => {
  const { values } = parseArgs({ options: { to: { type: 'string' } } });
  const config = readConfig();
  if (!values.to || config.databaseUrl) {
    console.error(
      values.to
        ? 'DATABASE_URL is set: only the embedded database of DATA_DIR is moved.'
        : 'Usage: npm run database:move -- --to postgres://user:password@host/database',
    );
    return 1;
  }
  // Not shared: while a server writes to it, it cannot be moved.
  const source = await openDatabase({ dataDir: config.dataDir });
  try {
    await migrate(source);
    const target = await openDatabase({ url: values.to, dataDir: null, statementTimeout: 0, poolSize: 2 });
    try {
      const { tables, rows } = await moveDatabase(source, target);
      console.log(
        `Moved ${rows} rows of ${tables} tables, and compared each of them. The source is as it was.`,
      );
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
  return 0;
});
