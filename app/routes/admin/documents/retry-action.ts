import { redirectWithToast, type Submission } from '#app/actions/run-action.ts';
import { retryChain } from '#features/chain/commands/retry-chain.ts';

/** Tries again to write the form's document or token to the chain, and leads back to the page that it came from. */
export async function retryOnChain({ ctx, text, request }: Submission): Promise<Response> {
  const nftId = text('nft');
  const { retried } = await retryChain(ctx, nftId ? { nftId } : { documentId: text('document') });
  const { pathname, search } = new URL(request.url);
  return redirectWithToast(
    pathname.replace(/\.data$/, '') + search,
    retried
      ? {
          title: 'Trying again',
          text: ctx.config.chain
            ? 'It is written to the chain within minutes.'
            : 'It waits until a chain is configured.',
        }
      : { title: 'Nothing to try again', tone: 'info' },
    { status: 303 },
  );
}
