import { sql } from 'kysely';
import { configuredNetwork } from '#features/chain/configured-network.ts';
import { transactionLink } from '#features/chain/explorer.ts';
import { DEFAULT_TOKEN_NAME } from '#features/chain/model.ts';
import { networkNamed } from '#gateways/chain/networks.ts';
import { NameServiceError } from '#gateways/names/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize, authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { isUuid } from '#platform/uuid.ts';
import { nftLimits } from './limits.ts';
import type { CompletionToken, NamedRecipient, NftNetwork, TokenWallet } from './model.ts';
import {
  canNameWallet,
  mayCreateNfts,
  mayNameWallets,
  maySeeCompletionTokens,
  nftMessages,
} from './rules.ts';

/**
 * On which network tokens are made, and whether recipients can be named.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export function nftNetwork(ctx: CtxWith<'names'>): NftNetwork {
  authorize(ctx, mayCreateNfts);
  return {
    network: labelOf(configuredNetwork(ctx)),
    nameSuffix: ctx.names.suffix,
  };
}

/**
 * The wallet of a recipient who was named, to be confirmed before a token is made for it; null for what is no name here, such as an
 * address.
 * @throws Unauthenticated, Forbidden for everyone but administrators; TooManyRequests
 */
export async function namedRecipient(ctx: CtxWith<'names'>, typed: string): Promise<NamedRecipient | null> {
  const user = authorizedUser(ctx, mayCreateNfts);
  const { suffix } = ctx.names;
  const name = typed.trim();
  if (suffix === null || !name.includes('.')) return null;
  await takeTokens(ctx, nftLimits.resolve, `user:${user.id}`);
  try {
    const address = await ctx.names.resolve(name);
    return address ? { ok: true, name, address } : { ok: false, text: nftMessages.unknownName(suffix) };
  } catch (error) {
    if (!(error instanceof NameServiceError)) throw error;
    ctx.log.warn({ err: error }, 'a name of a wallet could not be looked up');
    return { ok: false, text: nftMessages.nameService };
  }
}

/** A network in words. */
const labelOf = (network: string | null): string | null =>
  network && (networkNamed(network)?.label ?? network);

/**
 * The completion token of a buyer's purchase; null while there is none, which is so until the closing.
 * @throws Unauthenticated, Forbidden for everyone but buyers; NotFound for a purchase of someone else
 */
export async function completionToken(ctx: Ctx, saleId: string): Promise<CompletionToken | null> {
  const buyer = authorizedUser(ctx, maySeeCompletionTokens);
  if (!isUuid(saleId)) throw new NotFound('Sale not found');
  const row = await ctx.db
    .q()
    .selectFrom('property_sales as s')
    .innerJoin('profiles as p', 'p.id', 's.buyer_id')
    .leftJoin('completion_nfts as n', (join) =>
      join.onRef('n.property_sale_id', '=', 's.id').on('n.kind', '=', 'completion'),
    )
    .leftJoinLateral(
      (of) =>
        of
          .selectFrom('chain_transactions as t')
          .select(['t.kind', 't.state', 't.failure_reason', 't.call'])
          .whereRef('t.nft_id', '=', 'n.id')
          .orderBy('t.created_at', 'desc')
          // A token is made before it is sent.
          .orderBy((is) => is('t.kind', '=', 'transfer'), 'desc')
          // What failed was asked for again.
          .orderBy((is) => is('t.state', '=', 'failed'))
          .limit(1)
          .as('last'),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      (of) =>
        of
          .selectFrom('chain_transactions as t')
          .select('t.failure_reason')
          .whereRef('t.nft_id', '=', 'n.id')
          .where('t.state', '=', 'failed')
          .where(sql<boolean>`t.call ? 'to'`)
          .orderBy('t.created_at', 'desc')
          .limit(1)
          .as('not_taken'),
      (join) => join.onTrue(),
    )
    .select(['n.id', 'n.status', 'n.custody', 'n.network', 'n.metadata', 'n.recipient_address'])
    .select(['n.base_tx_hash', 'n.failure_reason', 'p.wallet_address'])
    .select((of) => of.cast<string | null>('n.token_id', 'text').as('token_id'))
    .select(['last.kind', 'last.state', 'last.call', 'not_taken.failure_reason as wallet_reason'])
    .where('s.id', '=', saleId)
    .where('s.buyer_id', '=', buyer.id)
    .orderBy('n.created_at')
    .limit(1)
    .executeTakeFirst();
  if (!row) throw new NotFound('Sale not found');
  if (row.id === null) return null;
  const made = row.status === 'confirmed';
  const open = row.state === 'queued' || row.state === 'signed' || row.state === 'mined';
  const sending = row.kind === 'transfer' && open;
  const { name } = (row.metadata ?? {}) as { name?: unknown };
  const { to } = (row.call ?? {}) as { to?: string };
  const held = row.custody === true && !sending;
  const failed = row.status === 'failed';
  return {
    id: row.id,
    name: typeof name === 'string' && name !== '' ? name : DEFAULT_TOKEN_NAME,
    number: made ? row.token_id : null,
    state: sending ? 'sending' : !made ? 'making' : row.custody ? 'custody' : 'sent',
    claimable: (held || failed) && (made || !open || row.state === 'queued'),
    network: labelOf(row.network),
    wallet: sending ? (to ?? null) : held ? null : row.recipient_address,
    failure: failed ? (row.failure_reason ?? '') : held ? row.wallet_reason : null,
    transactionLink: transactionLink(row.network, row.base_tx_hash),
    known: row.wallet_address,
  };
}

/**
 * Where the completion token of a buyer's purchase goes, while the buyer can still say so: before the closing, with a chain that is
 * configured; null otherwise.
 * @throws Unauthenticated, Forbidden for everyone but buyers; NotFound for a purchase of someone else
 */
export async function tokenWallet(ctx: Ctx, saleId: string): Promise<TokenWallet | null> {
  const buyer = authorizedUser(ctx, mayNameWallets);
  if (!isUuid(saleId)) throw new NotFound('Sale not found');
  const sale = await ctx.db
    .q()
    .selectFrom('property_sales as s')
    .innerJoin('profiles as p', 'p.id', 's.buyer_id')
    .leftJoin('token_wallets as w', 'w.sale_id', 's.id')
    .select(['s.escrow_status as escrow', 'w.sale_id as said', 'w.wallet', 'p.wallet_address as known'])
    .where('s.id', '=', saleId)
    .where('s.buyer_id', '=', buyer.id)
    .executeTakeFirst();
  if (!sale) throw new NotFound('Sale not found');
  const network = labelOf(configuredNetwork(ctx));
  if (network === null || !canNameWallet(sale)) return null;
  return { network, wallet: sale.said ? sale.wallet : sale.known };
}
