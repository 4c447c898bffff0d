import pg from 'pg';

/** What node-postgres's own query class has beyond its declared types: the messages of the extended protocol. */
interface QueryInternals {
  prepare(connection: Wire): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Wire): void;
}

/** The messages of the extended protocol. */
interface Wire {
  parse(message: { text: string; name?: string }): void;
  bind(message: { values: readonly string[] }): void;
  execute(message: Record<string, never>): void;
}

const ExtendedQuery = pg.Query as unknown as new (
  config: pg.QueryConfig & { queryMode: 'extended' },
) => pg.Query & QueryInternals;

/**
 * A statement with its own time limit, which is not compiled: both are set in the same implicit transaction, that is before the same
 * `Sync`, so that it costs no round trip, and ends with the statement.
 */
class LimitedQuery extends ExtendedQuery {
  readonly #limit: string;
  /** the answer to the setting is under way, and not yet that to the statement */
  #setting = true;

  constructor(config: pg.QueryConfig, milliseconds: number) {
    super({ ...config, queryMode: 'extended' });
    this.#limit = String(milliseconds);
  }

  override prepare(connection: Wire): void {
    connection.parse({
      text: `select set_config('statement_timeout', $1, true), set_config('jit', 'off', true)`,
    });
    connection.bind({ values: [this.#limit] });
    connection.execute({});
    super.prepare(connection);
  }

  override handleDataRow(message: unknown): void {
    if (!this.#setting) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: Wire): void {
    if (this.#setting) this.#setting = false;
    else super.handleCommandComplete(message, connection);
  }
}

/** One statement alone that starts a transaction. */
const STARTS_TRANSACTION = /^\s*(?:begin|start\s+transaction)\b[^;]*$/i;
/** Statements that may run in a transaction; others, such as vacuum, may not. */
const MAY_BE_LIMITED = /^\s*(?:select|with|insert|update|delete|merge|values)\b/i;

type Callback = (error: Error | null, result?: unknown) => void;
/** A client whose `query` has no overloads, of which there is one for each shape of its arguments. */
interface LooseClient extends Omit<pg.Client, 'query'> {
  query(config: unknown, values?: unknown, callback?: unknown): unknown;
}

const AnyClient = pg.Client as unknown as new () => LooseClient;

/**
 * The class of connections through a pooler in transaction mode, such as PgBouncer, where what is set for a session reaches whoever gets
 * the same connection next, and may not be given when connecting. Therefore the time limit is set, and that nothing is compiled, for
 * each transaction and each statement outside of one. For statements that cannot run in a transaction, and several in one text, neither is.
 * @param milliseconds the limit of each statement; above 0
 */
export function limitedClient(milliseconds: number): new () => pg.Client {
  class LimitedClient extends AnyClient {
    override query(config: unknown, values?: unknown, callback?: unknown): unknown {
      const statement = statementOf(config, values);
      // It is not known yet when a new connection gets its first statement, which is outside of a transaction.
      const inTransaction = (this.getTransactionStatus() ?? 'I') !== 'I';
      if (!statement || inTransaction) return super.query(config, values, callback);
      const done = [values, callback].find((one) => typeof one === 'function') as Callback | undefined;
      if (STARTS_TRANSACTION.test(statement.text)) {
        const text = `${statement.text}; set local statement_timeout = ${milliseconds}; set local jit = off`;
        return answering(done, (answer) =>
          super.query(text, (error: Error | null, results?: unknown[]) => answer(error, results?.[0])),
        );
      }
      const several = !statement.values?.length && statement.text.includes(';');
      if (several || !MAY_BE_LIMITED.test(statement.text)) return super.query(config, values, callback);
      return answering(done, (answer) => super.query(new LimitedQuery(statement, milliseconds), answer));
    }
  }
  return LimitedClient as unknown as new () => pg.Client;
}

/** The statement of a call; null for a query object of its own, such as a cursor. */
function statementOf(config: unknown, values: unknown): pg.QueryConfig | null {
  const given = Array.isArray(values) ? { values } : {};
  if (typeof config === 'string') return { text: config, ...given };
  if (typeof config !== 'object' || config === null || 'submit' in config) return null;
  return { ...(config as pg.QueryConfig), ...given };
}

/** Calls back, or answers with a promise where no callback was given. */
function answering(done: Callback | undefined, send: (answer: Callback) => void): unknown {
  if (done) return void send(done);
  return new Promise((resolve, reject) =>
    send((error, result) => {
      if (!error) return resolve(result);
      // The stack of the socket's event says nothing about who asked.
      Error.captureStackTrace(error);
      reject(error);
    }),
  );
}
