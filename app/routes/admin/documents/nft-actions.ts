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
import { type CreateNftResult, createNft } from '#features/nfts/commands/create-nft.ts';
import { CREATE_NFT, type NftAnswer, nftFields } from '#features/nfts/components/create-nft-form.tsx';
import { namedRecipient } from '#features/nfts/reads.ts';
import { nftMessages } from '#features/nfts/rules.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import type { ToastInput } from '#ui/toast.ts';
import { readNftForm } from './nft-form.ts';
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

async function create(submission: Submission): Promise<Response | Refusal<NftAnswer>> {
  const { ctx } = submission;
  const form = readNftForm(submission);
  const { propertyId, documentId, recipient } = form;
  if (documentId !== '') {
    const named = await namedRecipient(ctx, recipient);
    if (named && !named.ok) return invalid({ recipient: named.text });
    // Nothing is made before the address was seen.
    if (named) return { ok: false, status: 200, extra: { resolved: named } };
  }
  const result = await createNft(ctx, form);
  if (!result.ok) return invalid(result.errors);
  return redirectWithToast(
    adminPaths.documents({ tab: 'property', property: propertyId, document: documentId }),
    outcome(result),
    { status: 303 },
  );
}

function outcome({ created, redirected, configured }: Extract<CreateNftResult, { ok: true }>): ToastInput {
  if (!created && !redirected) return { title: 'This NFT was already requested', tone: 'info' };
  const when = configured ? 'It is on the chain within a minute.' : 'It waits until a chain is configured.';
  return redirected
    ? {
        title: 'NFT requested for the new recipient',
        text: `Its name and description stay as they were. ${when}`,
      }
    : { title: 'NFT requested', text: when };
}
