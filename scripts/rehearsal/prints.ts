import { createHash, type Hash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '#platform/db/database.ts';

/** Entries read at once. */
const BATCH = 5_000;

/** The ledger in one hash: equal hashes mean equal entries and postings, in every column. */
interface LedgerPrint {
  sha256: string;
  entries: number;
}

/** One table in one number that does not depend on the order of its rows. */
interface TablePrint {
  rows: number;
  hash: string;
}

/** What a database held at one moment. */
export interface DatabasePrint {
  at: Date;
  ledger: LedgerPrint;
  /** every table of ours, by name; jobs are not facts */
  tables: Map<string, TablePrint>;
}

/** Reads one snapshot whole. */
export const printDatabase = (db: Database): Promise<DatabasePrint> =>
  db.tx(async () => {
    await sql`set local timezone = 'UTC'`.execute(db.q());
    const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db.q());
    return { at: rows[0]?.at ?? new Date(), ledger: await printLedger(db), tables: await printTables(db) };
  });

async function printLedger(db: Database): Promise<LedgerPrint> {
  const hash = createHash('sha256');
  let [last, entries] = ['0', 0];
  for (;;) {
    const { rows } = await sql<{ id: string; line: string }>`
      select e.id::text as id, to_jsonb(e) || jsonb_build_object('postings', (select coalesce(jsonb_agg(to_jsonb(p) order by p.id), '[]')
        from ledger_postings p where p.entry_id = e.id)) #>> '{}' as line
      from ledger_entries e where e.id > ${last} order by e.id limit ${BATCH}`.execute(db.q());
    for (const { line } of rows) addLine(hash, line);
    entries += rows.length;
    last = rows.at(-1)?.id ?? last;
    if (rows.length < BATCH) return { sha256: hash.digest('hex'), entries };
  }
}

const addLine = (hash: Hash, line: string) => void hash.update(line).update('\n');

async function printTables(db: Database): Promise<Map<string, TablePrint>> {
  const { rows: tables } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition order by 1`.execute(
    db.q(),
  );
  const prints = new Map<string, TablePrint>();
  for (const { name } of tables) {
    const { rows } = await sql<TablePrint>`
      select count(*)::int as rows, coalesce(sum(hashtextextended(one::text, 0)::numeric), 0)::text as hash
      from ${sql.table(name)} one`.execute(db.q());
    prints.set(name, rows[0] ?? { rows: 0, hash: '0' });
  }
  return prints;
}

/** How a restored copy differs from the snapshot it was made of; an empty list means that it is the same. */
export function differencesOf(snapshot: DatabasePrint, copy: DatabasePrint): string[] {
  const found: string[] = [];
  if (snapshot.ledger.sha256 !== copy.ledger.sha256)
    found.push(
      `the ledger up to the backup differs: ${copy.ledger.entries} entries of ${snapshot.ledger.entries}, sha256 ${copy.ledger.sha256} instead of ${snapshot.ledger.sha256}`,
    );
  for (const name of new Set([...snapshot.tables.keys(), ...copy.tables.keys()])) {
    const [before, after] = [snapshot.tables.get(name), copy.tables.get(name)];
    if (before?.rows === after?.rows && before?.hash === after?.hash) continue;
    const rows = (print: TablePrint | undefined) => (print ? `${print.rows} rows` : 'no such table');
    const what = before?.rows === after?.rows ? 'other content in' : 'instead of';
    found.push(`table ${name} differs: ${rows(after)} ${what} ${rows(before)}`);
  }
  return found;
}

/** The entries that follow from what the providers know, in canonical lines, by sale. */
export type ProviderFacts = Map<string, string[]>;

/**
 * Reads the entries about payments, refunds and disputes. Releases (L2) and payouts (L3) are decided by people, and no payment
 * provider can tell of them. Numbers and times of entries are left out: a replay gives others.
 */
export async function readProviderFacts(db: Database): Promise<ProviderFacts> {
  const { rows } = await sql<{ sale: string; line: string }>`
    select coalesce(e.sale_id::text, 'no sale') as sale,
      e.idempotency_key || ' ' || e.kind || coalesce(one.postings, '') as line
    from ledger_entries e
    cross join lateral (select string_agg(format(' %s %s', concat_ws('/', p.account, a.provider, a.account_ref,
        case a.livemode when true then 'live' when false then 'test' end), p.amount_cents), '' order by p.account, p.amount_cents) as postings
      from ledger_postings p left join provider_accounts a on a.id = p.provider_account_id where p.entry_id = e.id) one
    where e.kind not in ('L2', 'L3') order by 1, 2`.execute(db.q());
  const facts: ProviderFacts = new Map();
  for (const { sale, line } of rows) facts.set(sale, [...(facts.get(sale) ?? []), line]);
  return facts;
}

/** The facts of all sales in one hash. */
export function factsHash(facts: ProviderFacts): string {
  const hash = createHash('sha256');
  for (const sale of [...facts.keys()].sort())
    for (const line of facts.get(sale)?.toSorted() ?? []) addLine(hash, `${sale} ${line}`);
  return hash.digest('hex');
}
