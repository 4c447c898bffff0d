import { sql } from 'kysely';
import { workChain } from '#features/chain/commands/work-chain.ts';
import { HOUR } from '#platform/durations.ts';
import { freshDatabase } from '#tests/support/database/test-database.ts';
import { startTestChain, type TestChain } from '#tests/support/fixtures/anvil.ts';
import { chainScenario } from '#tests/support/fixtures/chain-scenario.ts';
import { testClock } from '#tests/support/fixtures/context.ts';

// `TEST_DATABASE_URL=… node scripts/run.mjs bench/chain.ts [N] [M]`: N documents anchored by Merkle trees, M one by one, and M tokens, on a
// chain of this machine. Shows that none is lost and none is there twice, and what each costs.

const inTrees = Number(process.argv[2] ?? 10_000);
const single = Number(process.argv[3] ?? inTrees);
const db = await freshDatabase('server');
const test: TestChain = await startTestChain();
// The database's own clock says when something is due.
const clock = testClock(new Date(Date.now() + HOUR).toISOString());
const scenario = await chainScenario(db, test.chain, clock);
await scenario.work();
const one = await scenario.newDocument('sample');

/** Copies of one document, each with a hash of its own. */
async function documents(name: string, count: number): Promise<void> {
  await sql`
    insert into document_registry (property_id, document_name, document_type, file_key, content_type, byte_size, sha256, network)
    select property_id, ${name} || n, 'Deed', 'k', content_type, 1, encode(sha256((${name} || n)::bytea), 'hex'), 'local'
    from document_registry, generate_series(1, ${count}) n where id = ${one}`.execute(db.q());
}

async function gasUsed(from: number): Promise<bigint> {
  const head = Number(await test.rpc<string>('eth_blockNumber'));
  let gas = 0n;
  for (let block = from + 1; block <= head; block += 1)
    gas += BigInt(
      (await test.rpc<{ gasUsed: string }>('eth_getBlockByNumber', [`0x${block.toString(16)}`, false]))
        .gasUsed,
    );
  return gas;
}

async function measure(name: string, count: number, queue: () => Promise<unknown>): Promise<void> {
  await queue();
  const from = Number(await test.rpc<string>('eth_blockNumber'));
  const start = performance.now();
  while ((await workChain(scenario.system())).open > 0);
  const seconds = (performance.now() - start) / 1_000;
  const gas = await gasUsed(from);
  console.log(
    `${count} ${name}: ${(Number(gas) / count).toFixed(1)} gas and ${((seconds * 1_000) / count).toFixed(2)} ms each, ${seconds.toFixed(1)} s together`,
  );
}

await measure('documents by trees', inTrees, async () => {
  await documents('tree ', inTrees);
  await sql`insert into document_anchors (document_id, network, anchor_hash)
    select id, 'local', anchor_hash from document_registry where document_name like 'tree %'`.execute(db.q());
});
await measure('documents one by one', single, async () => {
  await documents('single ', single);
  await sql`
    with made as (
      insert into chain_transactions (kind, network, call)
      select 'anchor', 'local', jsonb_build_object('root', anchor_hash) from document_registry where document_name like 'single %'
      returning id, call->>'root' as root)
    insert into document_anchors (document_id, network, anchor_hash, transaction_id, proof)
    select d.id, 'local', d.anchor_hash, made.id, '{}' from made join document_registry d on d.anchor_hash = made.root`.execute(
    db.q(),
  );
});
await measure('tokens', single, async () => {
  await sql`
    with made as (
      insert into completion_nfts (kind, property_id, document_id, network, recipient_address)
      select 'property', property_id, id, 'local', '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
      from document_registry where document_name like 'single %' returning id)
    insert into chain_transactions (kind, network, nft_id) select 'mint', 'local', id from made`.execute(
    db.q(),
  );
});
const { rows } = await sql<Record<string, number>>`
  select (select count(*)::integer from document_registry where status = 'confirmed') as documents,
    (select count(*)::integer from completion_nfts where status = 'confirmed') as tokens,
    (select count(distinct token_id)::integer from completion_nfts) as numbers,
    (select max(token_id)::integer from completion_nfts) as highest,
    (select count(*)::integer from chain_transactions where state <> 'final') as open`.execute(db.q());
const minted = (await test.chain.contractState(await scenario.contract())).totalMinted;
console.log({ ...rows[0], minted });
await test.stop();
await db.close();
