import { sql } from 'kysely';
import type { CtxWith } from '#gateways/ports.ts';
import { tryLock } from '#platform/db/locks.ts';
import { merkleTree } from './merkle.ts';
import { CHAIN_NOT_CONFIGURED } from './model.ts';
import { holdDocumentsAndTokens, showAnchors } from './transaction.ts';

/** The documents that one transaction anchors, at most: the proof of each has ten hashes then. */
const MAX_BATCH = 1_024;

/** Documents, and tokens, that one database transaction changes: many may have waited, and a statement has its time limit. */
const MAX_TOGETHER = 1_000;

/**
 * Assigns what was queued without a chain to the network that is configured first. A document that was asked for on that network before needs no second
 * anchor there: it is shown as the first one has it.
 */
export async function assignNetwork(ctx: CtxWith<'chain'>): Promise<void> {
  while (await assignSome(ctx));
}

/** @returns whether there may be more */
function assignSome({ db, chain }: CtxWith<'chain'>): Promise<boolean> {
  const { network } = chain;
  return db.tx(async () => {
    const q = db.q();
    const { rows: waiting } = await sql<{ id: string }>`
      select id from document_anchors where network is null and transaction_id is null
      order by requested_at, id limit ${MAX_TOGETHER} for update skip locked`.execute(q);
    const ids = waiting.map(({ id }) => id);
    const { rows: repeated } = await sql<{ document_id: string }>`
      delete from document_anchors a using document_anchors b
      where a.id = any(${ids}::uuid[]) and b.document_id = a.document_id and b.network = ${network}
      returning a.document_id`.execute(q);
    const { rows: anchors } = await sql<{ document_id: string }>`
      update document_anchors set network = ${network} where id = any(${ids}::uuid[]) returning document_id`.execute(
      q,
    );
    const { rows: mints } = await sql<{ nft_id: string | null }>`
      update chain_transactions set network = ${network} where id in (
        select id from chain_transactions where network is null and state = 'queued'
        limit ${MAX_TOGETHER} for update skip locked)
      returning nft_id`.execute(q);
    const documents = anchors.map(({ document_id }) => document_id);
    const known = repeated.map(({ document_id }) => document_id);
    const tokens = mints.flatMap(({ nft_id }) => nft_id ?? []);
    await holdDocumentsAndTokens({ db }, { documents: [...documents, ...known], tokens });
    await showAnchors({ db }, known, network);
    if (documents.length > 0)
      await sql`
        update document_registry set network = ${network},
          failure_reason = case when status = 'revoked' then failure_reason end
        where id = any(${documents}::uuid[])`.execute(q);
    if (tokens.length > 0)
      await sql`
        update completion_nfts set network = ${network}, failure_reason = null
        where id = any(${tokens}::uuid[])`.execute(q);
    return Math.max(waiting.length, mints.length) === MAX_TOGETHER;
  });
}

/** A chain on this machine gets its contract by itself; elsewhere an administrator deploys it. True when there is one, or one is coming. */
export async function provideContract(ctx: CtxWith<'chain'>): Promise<boolean> {
  const { network, local } = ctx.chain;
  const { rows } = await sql`
    select from chain_transactions where kind = 'deploy' and network = ${network} and state <> 'failed' limit 1`.execute(
    ctx.db.q(),
  );
  if (rows.length > 0) return true;
  if (!local) return false;
  await ctx.db.tx(async () => {
    if (await tryLock(ctx, `chain deploy ${network}`))
      await sql`
        insert into chain_transactions (kind, network, next_at, created_at, updated_at)
        select 'deploy', ${network}, ${ctx.now()}, ${ctx.now()}, ${ctx.now()}
        where not exists (select from chain_transactions where kind = 'deploy' and network = ${network} and state <> 'failed')`.execute(
        ctx.db.q(),
      );
  });
  return true;
}

interface Waiting {
  id: string;
  anchor_hash: string;
}

/**
 * Makes one transaction for the documents that wait, up to `MAX_BATCH`: the root of a tree of their hashes, with a proof for each. One
 * document alone is anchored by its own hash. Documents with the same hash share a leaf.
 * @returns how many documents it is for
 */
export async function batchAnchors(ctx: CtxWith<'chain'>): Promise<number> {
  const { network } = ctx.chain;
  return ctx.db.tx(async () => {
    const q = ctx.db.q();
    const { rows: waiting } = await sql<Waiting>`
      select id, anchor_hash from document_anchors where transaction_id is null and network = ${network}
      order by requested_at, id limit ${MAX_BATCH} for update skip locked`.execute(q);
    if (waiting.length === 0) return 0;
    const hashes = [...new Set(waiting.map(({ anchor_hash }) => anchor_hash))];
    const { root, proofs } = merkleTree(hashes);
    const proofOf = new Map(hashes.map((hash, index) => [hash, proofs[index] ?? []]));
    const { id } = await q
      .insertInto('chain_transactions')
      .values({
        kind: 'anchor',
        network,
        call: JSON.stringify({ root }),
        next_at: ctx.now(),
        created_at: ctx.now(),
        updated_at: ctx.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const proven = waiting.map((row) => ({ id: row.id, proof: proofOf.get(row.anchor_hash) ?? [] }));
    await sql`
      update document_anchors a set transaction_id = ${id},
        proof = array(select jsonb_array_elements_text(p.proof))
      from jsonb_to_recordset(${JSON.stringify(proven)}::jsonb) as p(id uuid, proof jsonb) where a.id = p.id`.execute(
      q,
    );
    return waiting.length;
  });
}

/** Says of everything that waits for a network why it does; null says nothing. As many at a time as are given a network. */
export async function explainWaiting(
  ctx: CtxWith<'chain'>,
  network: string | null,
  reason: string | null,
): Promise<void> {
  while (await explainSome(ctx, network, reason));
}

/** @returns whether there may be more */
function explainSome(
  { db }: CtxWith<'chain'>,
  network: string | null,
  reason: string | null,
): Promise<boolean> {
  // The same condition when it is written: what goes on meanwhile is not overwritten.
  const documents = sql`document_anchors a left join chain_transactions t on t.id = a.transaction_id
    where d.id = a.document_id and a.network is not distinct from ${network} and (t.id is null or t.state = 'queued')
      and d.status = 'pending' and d.network is not distinct from a.network
      and d.failure_reason is distinct from ${reason}`;
  const tokens = sql`chain_transactions t
    where t.nft_id = n.id and t.kind = 'mint' and t.state = 'queued' and t.network is not distinct from ${network}
      and n.status = 'pending' and n.failure_reason is distinct from ${reason}`;
  return db.tx(async () => {
    const q = db.q();
    const [{ rows: ofDocuments }, { rows: ofTokens }] = [
      await sql<{ id: string }>`
        select d.id from document_registry d, ${documents} limit ${MAX_TOGETHER}`.execute(q),
      await sql<{ id: string }>`
        select n.id from completion_nfts n, ${tokens} limit ${MAX_TOGETHER}`.execute(q),
    ];
    const found = {
      documents: ofDocuments.map(({ id }) => id),
      tokens: ofTokens.map(({ id }) => id),
    };
    await holdDocumentsAndTokens({ db }, found);
    if (found.documents.length > 0)
      await sql`
        update document_registry d set failure_reason = ${reason} from ${documents}
          and d.id = any(${found.documents}::uuid[])`.execute(q);
    if (found.tokens.length > 0)
      await sql`
        update completion_nfts n set failure_reason = ${reason} from ${tokens}
          and n.id = any(${found.tokens}::uuid[])`.execute(q);
    return Math.max(found.documents.length, found.tokens.length) === MAX_TOGETHER;
  });
}

/** Without a chain, what is queued for one that was configured before waits as well. */
export async function explainMissing(ctx: CtxWith<'chain'>): Promise<void> {
  const { rows } = await sql<{ network: string | null }>`
    select distinct network from (
      select network from chain_transactions where state = 'queued'
      union all select network from document_anchors where transaction_id is null) waiting`.execute(
    ctx.db.q(),
  );
  for (const { network } of rows) await explainWaiting(ctx, network, CHAIN_NOT_CONFIGURED);
}
