import { sql } from 'kysely';
import { InvalidEnvironment } from '../config.ts';
import type { Database } from './database.ts';

interface Locale {
  encoding: string;
  ctype: string;
  knows_capitals: boolean;
}

/**
 * What is wrong with the database's locale, for the log.
 * @throws InvalidEnvironment when its encoding cannot hold every name and address
 */
export async function localeWarnings(db: Database): Promise<string[]> {
  // The embedded database comes with its locale.
  if (db.embedded) return [];
  const { rows } = await sql<Locale>`
    select pg_encoding_to_char(encoding) as encoding, datctype as ctype, lower('Ä') = 'ä' as knows_capitals
    from pg_database where datname = current_database()`.execute(db.q());
  const [found] = rows;
  if (!found) return [];
  if (found.encoding !== 'UTF8')
    throw new InvalidEnvironment(
      `DATABASE_URL: the database has the encoding ${found.encoding}, which cannot hold every name; create one with ENCODING 'UTF8'`,
    );
  return found.knows_capitals
    ? []
    : [
        `the database's locale ${found.ctype} knows no capital letters beyond ASCII: the search tells 'Ä' and 'ä' apart; C.UTF-8 does not`,
      ];
}
