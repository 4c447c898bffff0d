import {
  type ActionArgs,
  invalid,
  type Refusal,
  redirectWithToast,
  runAction,
  type Submission,
} from '#app/actions/run-action.ts';
import { RETRY_CHAIN } from '#features/documents/components/retry-chain.tsx';
import { documentMessages } from '#features/documents/rules.ts';
import { createNft } from '#features/nfts/commands/create-nft.ts';
import { CREATE_NFT, type NftAnswer, nftFields } from '#features/nfts/components/create-nft-form.tsx';
import { namedRecipient } from '#features/nfts/reads.ts';
import { nftMessages } from '#features/nfts/rules.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { retryOnChain } from './retry-action.ts';

/** Makes a token of a document, or tries again what failed on the chain. */
export const handleNftForm = (args: ActionArgs) =>
  runAction<NftAnswer>(args, {
    intents: { [CREATE_NFT]: create, [RETRY_CHAIN]: retryOnChain },
    preserve: nftFields,
    messages: ({ intent }) =>
      intent === RETRY_CHAIN
        ? { failed: documentMessages.failedRetry }
        : { title: nftMessages.failed, failed: nftMessages.failed },
  });

async function create({ ctx, text, form }: Submission): Promise<Response | Refusal<NftAnswer>> {
  const propertyId = text('property');
  const documentId = text('document');
  if (documentId !== '') {
    const named = await namedRecipient(ctx, text('recipient'));
    if (named && !named.ok) return invalid({ recipient: named.text });
    // Nothing is made before the address was seen.
    if (named) return { ok: false, status: 200, extra: { resolved: named } };
  }
  const result = await createNft(ctx, {
    propertyId,
    documentId,
    recipient: text('recipient'),
    ...(form.has('name') && { name: text('name') }),
    ...(form.has('description') && { description: text('description') }),
  });
  if (!result.ok) return invalid(result.errors);
  return redirectWithToast(
    adminPaths.documents({ tab: 'property', property: propertyId, document: documentId }),
    result.created
      ? {
          title: 'NFT requested',
          text: result.configured
            ? 'It is on the chain within a minute.'
            : 'It waits until a chain is configured.',
        }
      : { title: 'This NFT was already requested', tone: 'info' },
    { status: 303 },
  );
}
