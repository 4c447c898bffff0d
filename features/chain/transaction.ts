import type { Selectable } from 'kysely';
import { type RawBuilder, sql } from 'kysely';
import type { Hex, SignedTransaction } from '#gateways/chain/port.ts';
import type { Ctx } from '#platform/context.ts';
import type { DB } from '#platform/db/schema.gen.ts';

/** A row of chain_transactions. */
export type ChainTransaction = Selectable<DB['chain_transactions']>;

/** What was signed for a transaction, oldest first. */
export const signedOf = (row: Pick<ChainTransaction, 'signed'>): SignedTransaction[] =>
  row.signed as unknown as SignedTransaction[];

/** The contract of a network, and the block since which it exists; null before its deployment is in a block. */
export async function contractOf(
  ctx: Pick<Ctx, 'db'>,
  network: string,
): Promise<{ address: Hex; block: number } | null> {
  const row = await ctx.db
    .q()
    .selectFrom('chain_transactions')
    .select(['contract', 'block_number'])
    .where('kind', '=', 'deploy')
    .where('network', '=', network)
    .where('state', 'in', ['mined', 'final'])
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.contract ? { address: row.contract as Hex, block: Number(row.block_number ?? 0) } : null;
}

/**
 * Holds documents and tokens until the transaction ends, in the order of their ids, and before them their listings, so that these keep
 * their addresses: whoever changes an address, such as an import, holds the listing and then writes the address to its documents and
 * tokens. Who writes to several of them, one after the other, takes all by this first: another who takes them in another order, such as
 * another process that says why they wait, would wait for this one, and this one for it. Once in a transaction, for all that it writes to.
 */
export async function holdDocumentsAndTokens(
  { db }: Pick<Ctx, 'db'>,
  { documents, tokens }: { documents: readonly string[]; tokens: readonly string[] },
): Promise<void> {
  if (documents.length + tokens.length === 0) return;
  const q = db.q();
  await sql`
    select from properties where id in (
      select property_id from document_registry where id = any(${[...documents]}::uuid[])
      union select property_id from completion_nfts where id = any(${[...tokens]}::uuid[]))
    order by id for key share`.execute(q);
  if (documents.length > 0)
    await sql`
      select from document_registry where id = any(${[...documents]}::uuid[])
      order by id for no key update`.execute(q);
  if (tokens.length > 0)
    await sql`
      select from completion_nfts where id = any(${[...tokens]}::uuid[])
      order by id for no key update`.execute(q);
}

type Purpose = Pick<ChainTransaction, 'id' | 'kind' | 'nft_id'>;

const anchorsAmong = (rows: readonly Purpose[]): string[] =>
  rows.filter(({ kind }) => kind === 'anchor').map(({ id }) => id);
const tokensAmong = (rows: readonly Purpose[]): string[] =>
  rows.flatMap(({ kind, nft_id }) => (kind === 'mint' && nft_id ? [nft_id] : []));

/**
 * The same for what transactions are for.
 * @param more documents to hold with them
 */
export async function holdPurposes(
  ctx: Pick<Ctx, 'db'>,
  rows: readonly Purpose[],
  more: readonly string[] = [],
): Promise<void> {
  const anchors = anchorsAmong(rows);
  const documents =
    anchors.length === 0
      ? []
      : await ctx.db
          .q()
          .selectFrom('document_anchors')
          .select('document_id')
          .where('transaction_id', 'in', anchors)
          .execute();
  await holdDocumentsAndTokens(ctx, {
    documents: [...documents.map(({ document_id }) => document_id), ...more],
    tokens: tokensAmong(rows),
  });
}

/** What the documents and the token of some transactions say of them. */
interface Shown {
  status: 'pending' | 'confirmed' | 'failed';
  /** null leaves the hash as it is */
  hash?: string | null;
  reason: string | null;
}

/** What the chain says of a document `d`, unless an administrator has revoked it: that stays, with its reason. */
const unlessRevoked = (column: 'status' | 'failure_reason', value: RawBuilder<unknown>) =>
  sql`case when d.status = 'revoked' then ${sql.ref(`d.${column}`)} else ${value} end`;

/**
 * Writes to the documents and tokens of transactions what became of these. A transfer leaves its token as it is. Called several times in one
 * transaction, `holdPurposes` comes first, for all of them.
 */
export async function showState(
  ctx: Ctx,
  rows: readonly Pick<ChainTransaction, 'id' | 'kind' | 'network' | 'nft_id'>[],
  { status, hash, reason }: Shown,
): Promise<void> {
  await holdPurposes(ctx, rows);
  const [anchors, tokens] = [anchorsAmong(rows), tokensAmong(rows)];
  const q = ctx.db.q();
  if (anchors.length > 0)
    await sql`
      update document_registry d
      set status = ${unlessRevoked('status', sql`${status}`)}, failure_reason = ${unlessRevoked('failure_reason', sql`${reason}`)},
        base_tx_hash = coalesce(${hash ?? null}, d.base_tx_hash)
      from document_anchors a where a.transaction_id = any(${anchors}::uuid[]) and d.id = a.document_id and d.network = a.network
        and (d.status, d.failure_reason, d.base_tx_hash)
          is distinct from (${unlessRevoked('status', sql`${status}`)}, ${unlessRevoked('failure_reason', sql`${reason}`)},
            coalesce(${hash ?? null}, d.base_tx_hash))`.execute(q);
  if (tokens.length > 0)
    await sql`
      update completion_nfts
      set status = ${status}, failure_reason = ${reason}, base_tx_hash = coalesce(${hash ?? null}, base_tx_hash)
      where id = any(${tokens}::uuid[]) and (status, failure_reason, base_tx_hash)
        is distinct from (${status}, ${reason}, coalesce(${hash ?? null}, base_tx_hash))`.execute(q);
}

/** Has documents that were asked for on several networks say what became of them on one. */
export async function showAnchors(
  { db }: Pick<Ctx, 'db'>,
  documents: readonly string[],
  network: string,
): Promise<void> {
  if (documents.length === 0) return;
  await sql`
    update document_registry d set network = ${network}, base_tx_hash = t.hash,
      failure_reason = ${unlessRevoked('failure_reason', sql`t.failure_reason`)},
      status = ${unlessRevoked('status', sql`case t.state when 'final' then 'confirmed' when 'failed' then 'failed' else 'pending' end`)}
    from document_anchors a left join chain_transactions t on t.id = a.transaction_id
    where d.id = any(${[...documents]}::uuid[]) and a.document_id = d.id and a.network = ${network}`.execute(
    db.q(),
  );
}
