import { sql } from 'kysely';
import pg from 'pg';
import { workChain } from '#features/chain/commands/work-chain.ts';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { migrate } from '#platform/db/migrate.ts';
import { HOUR } from '#platform/durations.ts';
import { startTestChain, type TestChain } from '#tests/support/fixtures/anvil.ts';
import { type ChainScenario, chainScenario } from '#tests/support/fixtures/chain-scenario.ts';
import { testClock } from '#tests/support/fixtures/context.ts';
import type { SuiteReport } from '../support/suite-report.ts';
import { table } from '../support/timings.ts';

const NAME = 'acre_bench_chain';
const SHARE = Number(process.env.BENCH_SHARE || 1);
const DOCUMENTS = Math.max(10, Math.round(10_000 * SHARE));
const TOKENS = Math.max(10, Math.round(10_000 * SHARE));
const SINGLE = Math.max(10, Math.round(1_000 * SHARE));
const WALLET = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
/** A usual fee of Base, in gwei for a unit of gas, and a price of an ether in dollars, with which costs are stated. */
const GWEI = 0.01;
const ETHER = 3_000;

interface ChainSetup {
  db: Database;
  test: TestChain;
  scenario: ChainScenario;
}

/**
 * Documents and tokens queued together, written to a chain of this machine by two workers at a time. Promised: none is lost, and none is there
 * twice. Stated: what each costs.
 */
export async function chainSuite(serverUrl: string): Promise<SuiteReport> {
  const server = new pg.Client({ connectionString: serverUrl });
  await server.connect();
  await server.query(`drop database if exists ${NAME} with (force)`);
  await server.query(`create database ${NAME} template template0`);
  const url = new URL(serverUrl);
  url.pathname = `/${NAME}`;
  const db = await openDatabase({ url: url.href, dataDir: null, statementTimeout: 0, poolSize: 6 });
  const test = await startTestChain();
  try {
    await migrate(db);
    // The database's own clock says when something is due.
    const clock = testClock(new Date(Date.now() + HOUR).toISOString());
    const scenario = await chainScenario(db, test.chain, clock);
    await scenario.work();
    return await measureAll({ db, test, scenario });
  } finally {
    await test.stop();
    await db.close();
    await server.query(`drop database if exists ${NAME} with (force)`);
    await server.end();
  }
}

async function measureAll(setup: ChainSetup): Promise<SuiteReport> {
  const { db } = setup;
  const sample = await setup.scenario.newDocument('sample');
  const rows = [
    await measure(setup, 'documents by trees', DOCUMENTS, async () => {
      await copies(db, sample, 'tree ', DOCUMENTS);
      await sql`insert into document_anchors (document_id, network, anchor_hash)
        select id, 'local', anchor_hash from document_registry where document_name like 'tree %'`.execute(
        db.q(),
      );
    }),
    await measure(setup, 'documents one by one', SINGLE, async () => {
      await copies(db, sample, 'single ', SINGLE);
      await sql`
        with made as (
          insert into chain_transactions (kind, network, call)
          select 'anchor', 'local', jsonb_build_object('root', anchor_hash) from document_registry
          where document_name like 'single %' returning id, call->>'root' as root)
        insert into document_anchors (document_id, network, anchor_hash, transaction_id, proof)
        select d.id, 'local', d.anchor_hash, made.id, '{}' from made join document_registry d on d.anchor_hash = made.root`.execute(
        db.q(),
      );
    }),
    await measure(setup, 'tokens', TOKENS, () =>
      sql`
        with made as (
          insert into completion_nfts (kind, property_id, document_id, network, recipient_address)
          select 'property', property_id, id, 'local', ${WALLET}
          from document_registry where document_name like 'tree %' limit ${TOKENS} returning id)
        insert into chain_transactions (kind, network, nft_id) select 'mint', 'local', id from made`.execute(
        db.q(),
      ),
    ),
  ];
  const { missed, found } = await lostOrTwice(setup);
  return {
    title: 'Chain',
    text: `${table(['what', 'number', 'gas each', 'dollars each', 'ms each'], rows)}\n\n${found} At ${GWEI} gwei and ${ETHER.toLocaleString('en-US')} dollars for an ether, without the share of the first layer's fee. Promised: none is lost, and none is there twice.`,
    missed,
  };
}

/** Copies of one document, each with a hash of its own. */
const copies = (db: Database, of: string, name: string, count: number) =>
  sql`
    insert into document_registry (property_id, document_name, document_type, file_key, content_type, byte_size, sha256, network)
    select property_id, ${name} || n, 'Deed', 'k', content_type, 1, encode(sha256((${name} || n)::bytea), 'hex'), 'local'
    from document_registry, generate_series(1, ${count}) n where id = ${of}`.execute(db.q());

async function measure(
  { test, scenario }: ChainSetup,
  name: string,
  count: number,
  queue: () => Promise<unknown>,
): Promise<string[]> {
  await queue();
  const from = Number(await test.rpc<string>('eth_blockNumber'));
  const started = performance.now();
  const worker = async () => {
    while ((await workChain(scenario.system())).open > 0);
  };
  await Promise.all([worker(), worker()]);
  const ms = (performance.now() - started) / count;
  const gas = Number(await gasSince(test, from)) / count;
  const dollars = gas * GWEI * 1e-9 * ETHER;
  const digits = (value: number, places: number) => value.toFixed(places);
  return [
    name,
    count.toLocaleString('en-US'),
    Math.round(gas).toLocaleString('en-US'),
    digits(dollars, 6),
    digits(ms, 2),
  ];
}

async function gasSince(test: TestChain, from: number): Promise<bigint> {
  const head = Number(await test.rpc<string>('eth_blockNumber'));
  let gas = 0n;
  for (let block = from + 1; block <= head; block += 1) {
    const { gasUsed } = await test.rpc<{ gasUsed: string }>('eth_getBlockByNumber', [
      `0x${block.toString(16)}`,
      false,
    ]);
    gas += BigInt(gasUsed);
  }
  return gas;
}

/** Compares what the database says with what the contract has, and each of the numbers of its tokens. */
async function lostOrTwice({ db, test, scenario }: ChainSetup): Promise<{ missed: string[]; found: string }> {
  const { rows } = await sql<
    Record<'documents' | 'tokens' | 'numbers' | 'highest' | 'open' | 'roots', number>
  >`
    select (select count(*)::integer from document_anchors a join document_registry d on d.id = a.document_id
        where d.status = 'confirmed') as documents,
      (select count(*)::integer from completion_nfts where status = 'confirmed') as tokens,
      (select count(distinct token_id)::integer from completion_nfts) as numbers,
      (select max(token_id)::integer from completion_nfts) as highest,
      (select count(*)::integer from chain_transactions where kind = 'anchor') as roots,
      (select count(*)::integer from chain_transactions where state <> 'final') as open`.execute(db.q());
  const contract = await scenario.contract();
  const minted = (await test.chain.contractState(contract)).totalMinted;
  const anchors = await eventsOf(test, contract, 'Anchored');
  const { documents = 0, tokens = 0, numbers = 0, highest = 0, open = 0, roots = 0 } = rows[0] ?? {};
  const expected: [what: string, is: number, promised: number][] = [
    ['confirmed documents', documents, DOCUMENTS + SINGLE],
    ['confirmed tokens', tokens, TOKENS],
    ['different numbers of tokens', numbers, TOKENS],
    ['the highest number', highest, TOKENS],
    ['tokens that the contract has made', minted, TOKENS],
    ['anchors on the chain', anchors, roots],
    ['transactions that are not final', open, 0],
  ];
  return {
    missed: expected.flatMap(([what, is, promised]) =>
      is === promised ? [] : [`${what}: ${is}, promised ${promised}`],
    ),
    found: `On the chain are ${minted.toLocaleString('en-US')} tokens with as many numbers, and ${anchors.toLocaleString('en-US')} anchors for ${documents.toLocaleString('en-US')} documents; ${open} transactions are open.`,
  };
}

/** Events of a contract since its first block. */
async function eventsOf(test: TestChain, address: string, name: 'Anchored'): Promise<number> {
  const { keccak256, toHex } = await import('viem');
  const { acreRegistryAbi } = await import('#gateways/chain/acre-registry.gen.ts');
  const event = acreRegistryAbi.find((entry) => entry.type === 'event' && entry.name === name);
  const inputs = event && 'inputs' in event ? event.inputs.map(({ type }) => type).join(',') : '';
  const logs = await test.rpc<unknown[]>('eth_getLogs', [
    { address, fromBlock: '0x0', topics: [keccak256(toHex(`${name}(${inputs})`))] },
  ]);
  return logs.length;
}
