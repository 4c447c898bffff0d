import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import type { ReplicaMonitor } from './replica-monitor.ts';

type Send = (text: string, values: readonly unknown[]) => Promise<pg.QueryResult>;

/** A client of the query builder's pool. It reads no cursors, which are the only other thing that could be sent. */
const clientOf = (send: Send, release: () => void): PostgresPoolClient => ({
  query: send as unknown as PostgresPoolClient['query'],
  release,
});

/** A statement that ran into the server's time limit would do so elsewhere, too. */
const isStatementTimeout = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '57014';

/** The network went silent: the server has neither answered nor closed the connection. */
const isReadTimeout = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Query read timeout';

/**
 * The pool for the query builder. A connection on which a query got no answer is replaced, and nothing more is sent on it, the
 * rollback of its transaction included: the server ends that with the connection.
 */
export const replacingSilentConnections = (pool: pg.Pool): PostgresPool => ({
  options: {},
  async connect() {
    const client = await pool.connect();
    let silent = false;
    const send: Send = async (text, values) => {
      if (silent && text === 'rollback') return NOTHING;
      if (silent) throw new Error('The connection to the database was lost');
      try {
        return await client.query(text, [...values]);
      } catch (error) {
        silent ||= isReadTimeout(error);
        throw error;
      }
    };
    return clientOf(send, () => client.release(silent));
  },
  end: () => pool.end(),
});

const NOTHING: pg.QueryResult = { command: 'ROLLBACK', rowCount: null, oid: 0, fields: [], rows: [] };

/**
 * Reads from the replica while it is usable. What it does not answer, because it was stopped, hangs or has fallen behind
 * meanwhile, is asked again of the primary: reads can be repeated.
 */
export const replicaOrPrimary = (
  replica: pg.Pool,
  primary: PostgresPool,
  monitor: Pick<ReplicaMonitor, 'state' | 'lost' | 'suspect'>,
): PostgresPool => ({
  options: {},
  async connect() {
    if (!monitor.state.usable) return primary.connect();
    const connecting = replica.connect();
    const client = await Promise.race([connecting, monitor.lost]).catch(() => {
      monitor.suspect();
      return undefined;
    });
    if (!client) {
      connecting.then(
        (late) => late.release(true),
        () => undefined,
      );
      return primary.connect();
    }
    let broken = false;
    const send: Send = async (text, values) => {
      try {
        const answer = broken
          ? undefined
          : await Promise.race([client.query(text, [...values]), monitor.lost]);
        if (answer) return answer;
      } catch (error) {
        if (isStatementTimeout(error)) throw error;
      }
      broken = true;
      return queryOnce(primary, text, values);
    };
    return clientOf(send, () => client.release(broken));
  },
  end: () => replica.end(),
});

async function queryOnce(
  pool: PostgresPool,
  text: string,
  values: readonly unknown[],
): Promise<pg.QueryResult> {
  const client = await pool.connect();
  try {
    return (await client.query(text, values)) as pg.QueryResult;
  } finally {
    client.release();
  }
}
