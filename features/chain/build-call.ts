import type { ChainCall, Hex } from '#gateways/chain/port.ts';
import { fileCid } from '#gateways/content/cid.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { tokenKey, tokenMetadata } from './metadata.ts';
import { DEFAULT_TOKEN_DESCRIPTION, DEFAULT_TOKEN_NAME } from './model.ts';
import type { ChainTransaction } from './transaction.ts';

/** The metadata of a token, with its content address. */
interface Metadata {
  nftId: string;
  documentId: string;
  text: string;
  cid: string;
}

export interface BuiltCall {
  call: ChainCall;
  /** of a token that has none yet: `keepMetadata` writes it down before the token names it */
  metadata: Metadata | null;
}

/** What a transaction calls. */
export async function buildCall(ctx: CtxWith<'chain'>, row: ChainTransaction): Promise<BuiltCall> {
  const call = row.call as { root?: string; to?: Hex; tokenId?: number; base?: string };
  const plain = (built: ChainCall): BuiltCall => ({ call: built, metadata: null });
  switch (row.kind) {
    case 'anchor':
      return plain({ kind: 'anchor', hash: `0x${call.root ?? ''}` });
    case 'mint':
      return mintCall(ctx, row.nft_id ?? '');
    case 'transfer':
      return plain({
        kind: 'transfer',
        from: await holderOf(ctx, row.nft_id ?? ''),
        to: call.to ?? '0x',
        tokenId: call.tokenId ?? 0,
      });
    case 'base_uri':
      return plain({ kind: 'base_uri', base: call.base ?? '' });
    default:
      return plain({ kind: row.kind });
  }
}

/** Who has a token in custody: a former signer still has those that it made. */
async function holderOf({ db, chain }: CtxWith<'chain'>, nftId: string): Promise<Hex> {
  const { recipient_address: holder } = await db
    .q()
    .selectFrom('completion_nfts')
    .select('recipient_address')
    .where('id', '=', nftId)
    .executeTakeFirstOrThrow();
  return holder === '' ? chain.signer : (holder as Hex);
}

/** Writes down the metadata of a token. */
export async function keepMetadata({ db }: CtxWith<'chain'>, { nftId, text, cid }: Metadata): Promise<void> {
  await db
    .q()
    .updateTable('completion_nfts')
    .set({ token_metadata: text, metadata_cid: cid })
    .where('id', '=', nftId)
    .execute();
}

async function mintCall({ db, chain, config }: CtxWith<'chain'>, nftId: string): Promise<BuiltCall> {
  const token = await db
    .q()
    .selectFrom('completion_nfts as n')
    .innerJoin('document_registry as d', 'd.id', 'n.document_id')
    .select([
      'n.kind',
      'n.recipient_address',
      'n.custody',
      'n.metadata',
      'n.token_metadata',
      'n.metadata_cid',
      'd.id as document_id',
      'd.anchor_hash',
      'd.cid',
      'd.visibility',
    ])
    .where('n.id', '=', nftId)
    .executeTakeFirstOrThrow();
  const { name, description } = (token.metadata ?? {}) as { name?: unknown; description?: unknown };
  const text =
    token.token_metadata ??
    tokenMetadata({
      name: typeof name === 'string' && name !== '' ? name : DEFAULT_TOKEN_NAME,
      description: typeof description === 'string' ? description : DEFAULT_TOKEN_DESCRIPTION,
      kind: token.kind,
      anchorHash: token.anchor_hash,
      cid: token.visibility === 'public' ? token.cid : null,
    });
  const uri = token.metadata_cid ?? fileCid(Buffer.from(text), config.content.profile);
  return {
    call: {
      kind: 'mint',
      to: token.custody ? chain.signer : (token.recipient_address as Hex),
      key: tokenKey(token.document_id, token.kind),
      uri,
    },
    metadata: token.metadata_cid === null ? { nftId, documentId: token.document_id, text, cid: uri } : null,
  };
}
