import type pg from 'pg';
import { compose, type Database } from '#platform/db/database.ts';

const BEGIN = 'begin isolation level repeatable read read only';

/**
 * The same database, but everything runs in read-only transactions, single statements too, so that the server refuses any
 * change. Each transaction sees one snapshot. Works for connections that share the session of the embedded database.
 */
export function readOnlyDatabase(db: Database): Database {
  const pool = new Proxy(db.pool, {
    get: (target, name) => (name === 'connect' ? () => connectReadOnly(target) : Reflect.get(target, name)),
  });
  const { channels, listen, ping, embedded, close } = db;
  return compose(pool, null, { channels, listen, ping, embedded, close });
}

async function connectReadOnly(pool: pg.Pool) {
  const client = await pool.connect();
  let isOpen = false;
  const query = async (text: string, values?: unknown[]): Promise<pg.QueryResult> => {
    const command = /^\s*(\w*)/.exec(text)?.[1]?.toLowerCase();
    if (command === 'begin') {
      isOpen = true;
      return client.query(BEGIN);
    }
    if (command === 'commit' || command === 'rollback') isOpen = false;
    if (isOpen || command === 'commit' || command === 'rollback') return client.query(text, values);
    await client.query(BEGIN);
    try {
      return await client.query(text, values);
    } finally {
      await client.query('rollback');
    }
  };
  return { query, release: () => client.release() };
}
