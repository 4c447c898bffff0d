import { configuredNetwork } from '#features/chain/configured-network.ts';
import {
  DEFAULT_TOKEN_DESCRIPTION,
  DEFAULT_TOKEN_NAME,
  MAX_TOKEN_DESCRIPTION,
  MAX_TOKEN_NAME,
} from '#features/chain/model.ts';
import { queueMint, queueMintAgain } from '#features/chain/queue-mint.ts';
import { recipientWallet } from '#features/chain/recipient-wallet.ts';
import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { isUuid } from '#platform/uuid.ts';
import { nftLimits } from '../limits.ts';
import { mayCreateNfts, nftMessages } from '../rules.ts';

/** The form that makes a token, as it was typed. */
export interface NftForm {
  /** the property that was chosen; the document has to be one of its */
  propertyId: string;
  /** empty while none is selected */
  documentId: string;
  recipient: string;
  /** 'Property NFT' when left out */
  name?: string;
  description?: string;
}

type NftErrors = Partial<Record<'document' | 'recipient' | 'name' | 'description', string>>;

export type CreateNftResult =
  | {
      ok: true;
      nftId: string;
      /** false when there was one: a document has one token of a kind */
      created: boolean;
      /** one that could not be made is made for this recipient; its name and description stay those that it had */
      redirected: boolean;
      /** without a chain the token waits for one */
      configured: boolean;
    }
  | { ok: false; errors: NftErrors };

/**
 * Asks for a token that evidences a document of a property. The same form sent twice makes one token; the chain makes it later. One that
 * could not be made is asked for once more when the form names another recipient.
 * @throws Unauthenticated, Forbidden for everyone but administrators; TooManyRequests
 */
export async function createNft(ctx: Ctx, form: NftForm): Promise<CreateNftResult> {
  const user = authorizedUser(ctx, mayCreateNfts);
  const recipient = await recipientWallet(ctx, form.recipient);
  const name = form.name?.trim() ?? DEFAULT_TOKEN_NAME;
  const description = form.description?.trim() ?? DEFAULT_TOKEN_DESCRIPTION;
  const errors: NftErrors = {
    ...(!isUuid(form.documentId) && { document: nftMessages.noDocument }),
    ...recipientError(form.recipient, recipient),
    ...((name === '' || name.length > MAX_TOKEN_NAME) && { name: nftMessages.nameless }),
    ...(description.length > MAX_TOKEN_DESCRIPTION && { description: nftMessages.descriptionTooLong }),
  };
  if (Object.keys(errors).length > 0 || recipient === null) return { ok: false, errors };
  await takeTokens(ctx, nftLimits.create, `user:${user.id}`);
  const configured = configuredNetwork(ctx) !== null;
  return ctx.db.tx(async () => {
    const refused = await documentError(ctx, form);
    if (refused) return { ok: false, errors: { document: refused } };
    const before = await tokenOf(ctx, form.documentId);
    const redirected = before !== null && before.recipient.toLowerCase() !== recipient.toLowerCase();
    if (redirected) {
      if (!(await redirect(ctx, before, recipient)))
        return { ok: false, errors: { document: nftMessages.exists } };
      return { ok: true, nftId: before.id, created: false, redirected, configured };
    }
    const { nftId } = await queueMint(ctx, {
      documentId: form.documentId,
      kind: 'property',
      recipient,
      name,
      description,
    });
    return { ok: true, nftId, created: !before, redirected, configured };
  });
}

function recipientError(typed: string, recipient: string | null): Pick<NftErrors, 'recipient'> {
  if (typed.trim() === '') return { recipient: nftMessages.noRecipient };
  return recipient === null ? { recipient: nftMessages.notAnAddress } : {};
}

/**
 * Why no token can be made of the document, or null. Its row is held, so that two forms come one after another, and before it the property,
 * as everyone takes the two: the token refers to it.
 */
async function documentError(ctx: Ctx, form: NftForm): Promise<string | null> {
  if (!isUuid(form.propertyId)) return nftMessages.gone;
  const property = await ctx.db
    .q()
    .selectFrom('properties')
    .select('id')
    .where('id', '=', form.propertyId)
    .forKeyShare()
    .executeTakeFirst();
  if (!property) return nftMessages.gone;
  const document = await ctx.db
    .q()
    .selectFrom('document_registry')
    .select(['scan', 'is_test', 'erased_at', 'status'])
    .where('id', '=', form.documentId)
    .where('property_id', '=', form.propertyId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!document) return nftMessages.gone;
  if (document.is_test) return nftMessages.test;
  if (document.erased_at) return nftMessages.erased;
  if (document.status === 'revoked') return nftMessages.revoked;
  return document.scan === 'held' ? nftMessages.held : null;
}

interface Before {
  id: string;
  propertyId: string;
  recipient: string;
  status: string;
}

/** The token of the document, held until the transaction ends. */
async function tokenOf(ctx: Ctx, documentId: string): Promise<Before | null> {
  const row = await ctx.db
    .q()
    .selectFrom('completion_nfts')
    .select(['id', 'property_id as propertyId', 'recipient_address as recipient', 'status'])
    .where('document_id', '=', documentId)
    .where('kind', '=', 'property')
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** Has a token that could not be made for its recipient made for another one; false for one that is made, or still may be. */
async function redirect(ctx: Ctx, before: Before, recipient: string): Promise<boolean> {
  if (before.status !== 'failed') return false;
  const { id: nftId } = before;
  await ctx.db
    .q()
    .updateTable('completion_nfts')
    .set({ recipient_address: recipient })
    .where('id', '=', nftId)
    .execute();
  const network = await queueMintAgain(ctx, { nftId, requestedBy: null });
  await audit(ctx, {
    action: 'token.redirect',
    entity: 'property',
    entityId: before.propertyId,
    before: { token: nftId, recipient: before.recipient, status: before.status },
    after: { token: nftId, recipient, status: 'pending', network },
  });
  return true;
}
