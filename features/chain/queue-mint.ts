import { sql } from 'kysely';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { cutText } from '#platform/cut-text.ts';
import { BadRequest, NotFound } from '#platform/errors.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { WALLET_MESSAGE, walletAddress } from './address.ts';
import { workChainJob } from './chain-jobs.ts';
import { configuredNetwork, reasonToWait } from './configured-network.ts';
import {
  DEFAULT_TOKEN_DESCRIPTION,
  DEFAULT_TOKEN_NAME,
  MAX_TOKEN_DESCRIPTION,
  MAX_TOKEN_NAME,
  type TokenKind,
} from './model.ts';

/** A token to be made; `recipient` null leaves it in the operator's custody until the buyer claims it. */
interface NewToken {
  documentId: string;
  kind: TokenKind;
  recipient: string | null;
  name?: string;
  description?: string;
  /** by default the latest completed sale of the document's property, if there is one */
  saleId?: string | null;
}

/**
 * Asks for a token that evidences a document: one for each document and kind, so asked again it is the same one. In the caller's
 * transaction, who has decided that the actor may. The document is anchored by its own request.
 * @throws NotFound; BadRequest for a malformed wallet address, name or description, a test document, or one without a property
 */
export async function queueMint(ctx: Ctx, input: NewToken): Promise<{ nftId: string }> {
  const { documentId, kind, name = DEFAULT_TOKEN_NAME, description = DEFAULT_TOKEN_DESCRIPTION } = input;
  const recipient = input.recipient === null ? null : walletAddress(input.recipient);
  if (input.recipient !== null && recipient === null) throw new BadRequest(WALLET_MESSAGE);
  if (name.trim() === '' || name.length > MAX_TOKEN_NAME)
    throw new BadRequest(`A token's name has 1 to ${MAX_TOKEN_NAME} characters`);
  if (description.length > MAX_TOKEN_DESCRIPTION)
    throw new BadRequest(`A token's description has at most ${MAX_TOKEN_DESCRIPTION} characters`);
  return ctx.db.tx(async () => {
    const { propertyId, saleId } = await placeOf(ctx, documentId, input.saleId ?? null);
    const network = configuredNetwork(ctx);
    const q = ctx.db.q();
    const made = await q
      .insertInto('completion_nfts')
      .values({
        kind,
        property_id: propertyId,
        property_sale_id: saleId,
        document_id: documentId,
        network,
        recipient_address: recipient ?? '',
        custody: recipient === null,
        failure_reason: reasonToWait(network),
        metadata: JSON.stringify({ name: name.trim(), description: description.trim() }),
        requested_by: ctx.actor.kind === 'user' ? ctx.actor.id : null,
        created_at: ctx.now(),
      })
      .onConflict((conflict) => conflict.columns(['document_id', 'kind']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!made) return { nftId: await existing(ctx, documentId, kind) };
    await insertMint(ctx, made.id, network, null);
    await audit(ctx, {
      action: 'token.queue',
      entity: saleId ? 'property_sale' : 'property',
      entityId: saleId ?? propertyId,
      after: { token: made.id, kind, document: documentId, recipient: recipient ?? 'custody', network },
    });
    if (network) await enqueue(ctx, workChainJob, {}, { key: 'chain' });
    return { nftId: made.id };
  });
}

/**
 * Asks for a token that could not be made once more, in the caller's transaction, who holds its row and has made sure that nothing of it is
 * under way. Should the chain have made it after all, that one is taken over: the contract makes one for each document and kind.
 * @param requestedBy the buyer who named the wallet, which is remembered when the token is there; null for no one
 * @returns the network that it is for; null while it waits for one
 */
export async function queueMintAgain(
  ctx: Ctx,
  { nftId, requestedBy }: { nftId: string; requestedBy: string | null },
): Promise<string | null> {
  const network = configuredNetwork(ctx);
  await insertMint(ctx, nftId, network, requestedBy);
  await ctx.db
    .q()
    .updateTable('completion_nfts')
    .set({ status: 'pending', network, base_tx_hash: '', failure_reason: reasonToWait(network) })
    .where('id', '=', nftId)
    .execute();
  if (network) await enqueue(ctx, workChainJob, {}, { key: 'chain' });
  return network;
}

async function insertMint(
  ctx: Ctx,
  nftId: string,
  network: string | null,
  requestedBy: string | null,
): Promise<void> {
  const now = ctx.now();
  await ctx.db
    .q()
    .insertInto('chain_transactions')
    .values({
      kind: 'mint',
      network,
      nft_id: nftId,
      next_at: now,
      requested_by: requestedBy,
      created_at: now,
      updated_at: now,
    })
    .execute();
}

/**
 * Asks for the completion token of a sale that has closed: for the wallet that its buyer named for it, without a word of the buyer for the
 * one that took an earlier token, else in the operator's custody. The closing settled which one it is.
 * @throws NotFound; BadRequest as `queueMint`
 */
export async function queueCompletionToken(
  ctx: Ctx,
  { saleId, documentId }: { saleId: string; documentId: string },
): Promise<{ nftId: string }> {
  const sale = await ctx.db
    .q()
    .selectFrom('property_sales')
    .innerJoin('profiles', 'profiles.id', 'property_sales.buyer_id')
    .innerJoin('properties', 'properties.id', 'property_sales.property_id')
    .leftJoin('token_wallets', 'token_wallets.sale_id', 'property_sales.id')
    .select(['profiles.wallet_address', 'properties.address'])
    .select(['token_wallets.sale_id as said', 'token_wallets.wallet'])
    .where('property_sales.id', '=', saleId)
    .executeTakeFirst();
  if (!sale) throw new NotFound('Sale not found');
  return queueMint(ctx, {
    documentId,
    kind: 'completion',
    recipient: sale.said ? sale.wallet : sale.wallet_address,
    name: cutText(`Completion, ${sale.address}`, MAX_TOKEN_NAME).trim(),
    saleId,
  });
}

/** The property and the sale that a token belongs to; the document's row is held. */
async function placeOf(
  ctx: Ctx,
  documentId: string,
  saleId: string | null,
): Promise<{ propertyId: string; saleId: string | null }> {
  const q = ctx.db.q();
  const document = await q
    .selectFrom('document_registry')
    .select(['property_id', 'property_sale_id', 'is_test'])
    .where('id', '=', documentId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!document) throw new NotFound('Document not found');
  if (document.is_test) throw new BadRequest('No token is made for a test document');
  const given = saleId ?? document.property_sale_id;
  if (given) {
    const sale = await q
      .selectFrom('property_sales')
      .select('property_id')
      .where('id', '=', given)
      .executeTakeFirst();
    if (!sale) throw new NotFound('Sale not found');
    if (document.property_id && document.property_id !== sale.property_id)
      throw new BadRequest('The document belongs to another property than the sale');
    return { propertyId: sale.property_id, saleId: given };
  }
  if (!document.property_id) throw new BadRequest('The document belongs to no property');
  const { rows } = await sql<{ id: string }>`
    select id from property_sales where property_id = ${document.property_id} and escrow_status = 'completed'
    order by created_at desc limit 1`.execute(q);
  return { propertyId: document.property_id, saleId: rows[0]?.id ?? null };
}

async function existing(ctx: Ctx, documentId: string, kind: TokenKind): Promise<string> {
  const { id } = await ctx.db
    .q()
    .selectFrom('completion_nfts')
    .select('id')
    .where('document_id', '=', documentId)
    .where('kind', '=', kind)
    .executeTakeFirstOrThrow();
  return id;
}
