import pg from 'pg';
import { SECOND } from '../durations.ts';

/** A server that does not answer within this time is passed over. */
const PATIENCE_MS = 2 * SECOND;

const TARGETS = ['any', 'read-write', 'primary'] as const;
type Target = (typeof TARGETS)[number];

/** Where the database is: one server, or several of which one is the primary. */
export interface Servers {
  /** several could be meant, so that it has to be asked which one it is */
  readonly several: boolean;
  /**
   * The address of the server to connect to, which is remembered until `forget`.
   * @throws Error when none of several will do
   */
  choose(): Promise<string>;
  /** A connection was lost, so that the next one is made after asking again, the last server first. */
  forget(): void;
}

/**
 * Reads an address as libpq does: with several hosts they are tried in order, and one that accepts writes is taken, unless
 * `target_session_attrs=any` says that any will do.
 * @throws TypeError for an address that is not one
 */
export function parseServers(url: string): { addresses: string[]; target: Target } {
  const found = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(\/[^?]*)?(\?.*)?$/.exec(url);
  if (!found) throw new TypeError('Not an address of PostgreSQL');
  const [, start = '', hosts = '', path = '', query = ''] = found;
  const parameters = new URLSearchParams(query);
  const given = parameters.get('target_session_attrs') ?? 'read-write';
  const target = TARGETS.find((known) => known === given);
  if (!target) throw new TypeError(`target_session_attrs is one of ${TARGETS.join(', ')}`);
  parameters.delete('target_session_attrs');
  const rest = parameters.size > 0 ? `?${parameters}` : '';
  const addresses = hosts.split(',').map((host) => `${start}${host}${path}${rest}`);
  for (const address of addresses) new URL(address);
  return { addresses, target };
}

/** @throws TypeError */
export function serversOf(url: string): Servers {
  const { addresses, target } = parseServers(url);
  const [only] = addresses;
  if (addresses.length === 1 && only !== undefined)
    return { several: false, choose: async () => only, forget: () => undefined };
  let chosen: Promise<string> | undefined;
  let last: string | undefined;
  // Connections end all the time, most of them for idleness: a host before the last one that is silent would cost its two seconds anew.
  const inOrder = () => addresses.toSorted((a, b) => Number(b === last) - Number(a === last));
  return {
    several: true,
    choose() {
      if (chosen) return chosen;
      const choosing = firstUsable(inOrder(), target);
      choosing.then(
        (address) => {
          last = address;
        },
        () => {
          if (chosen === choosing) chosen = undefined;
        },
      );
      chosen = choosing;
      return choosing;
    },
    forget() {
      chosen = undefined;
    },
  };
}

async function firstUsable(addresses: readonly string[], target: Target): Promise<string> {
  const reasons: string[] = [];
  for (const address of addresses) {
    const reason = await reasonAgainst(address, target);
    if (reason === null) return address;
    reasons.push(`${new URL(address).host}: ${reason}`);
  }
  throw new Error(`No server of the database can be used: ${reasons.join('; ')}`);
}

async function reasonAgainst(address: string, target: Target): Promise<string | null> {
  const client = new pg.Client({
    connectionString: address,
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
  });
  // A connection that breaks makes the query below fail, too.
  client.on('error', () => undefined);
  try {
    await client.connect();
    if (target === 'any') return null;
    const { rows } = await client.query('show transaction_read_only');
    return rows[0]?.transaction_read_only === 'off' ? null : 'read-only';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    client.end().catch(() => undefined);
  }
}

type Connected = (error: Error | undefined, client: pg.PoolClient | undefined, done: () => void) => void;

/** A pool whose new connections lead to the server that is chosen at that moment. */
export class FailoverPool extends pg.Pool {
  readonly #servers: Servers;

  constructor(servers: Servers, settings: pg.PoolConfig) {
    super(settings);
    this.#servers = servers;
    for (const event of ['error', 'remove'] as const) this.on(event, () => servers.forget());
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | undefined {
    const connecting = this.#connect();
    if (!callback) return connecting;
    connecting.then(
      (client) => callback(undefined, client, () => client.release()),
      (error: Error) => callback(error, undefined, () => undefined),
    );
    return undefined;
  }

  async #connect(): Promise<pg.PoolClient> {
    try {
      // Not where none is opened: a server that takes no more connections still answers on those that it has.
      if (this.#opensOne()) Object.assign(this.options, { connectionString: await this.#servers.choose() });
      return await super.connect();
    } catch (error) {
      this.#servers.forget();
      throw error;
    }
  }

  /** Whether the next one to connect gets a new connection, rather than an idle one or the next to be released. */
  #opensOne(): boolean {
    return this.idleCount <= this.waitingCount && this.totalCount < this.options.max;
  }
}
