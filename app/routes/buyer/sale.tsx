import { preserveInput, textFields } from '#app/actions/preserve-input.ts';
import {
  conflict,
  invalid,
  type Refusal,
  redirectWithToast,
  type Submission,
} from '#app/actions/run-action.ts';
import { handleSaleForm, loadSale } from '#app/actions/sale.actions.ts';
import { pageMeta } from '#app/page-meta.ts';
import { LiveSalePage } from '#app/pages/sales/live-sale-page.tsx';
import { readOr } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { claimToken } from '#features/chain/commands/claim-token.ts';
import { ProofDialog } from '#features/factors/components/proof-dialog.tsx';
import { nameWallet } from '#features/nfts/commands/name-wallet.ts';
import {
  CLAIM_TOKEN,
  CompletionTokenPanel,
  claimFields,
} from '#features/nfts/components/completion-token.tsx';
import { NAME_WALLET, TokenWalletForm, walletFields } from '#features/nfts/components/token-wallet.tsx';
import { completionToken, tokenWallet } from '#features/nfts/reads.ts';
import { nftMessages } from '#features/nfts/rules.ts';
import { ACTION_NOT_SENT, transitionRefusalMessages } from '#features/sales/rules.ts';
import { NotFound } from '#platform/errors.ts';
import { paths } from '#routing/paths.ts';
import { purchasePaths } from '#routing/purchase-paths.ts';
import type { Route } from './+types/sale';

export async function loader(args: Route.LoaderArgs) {
  const loaded = await loadSale(args);
  const ctx = getCtx(args.context);
  const token = await readOr(ctx, null, () => completionToken(ctx, loaded.sale.id));
  const goal = token ? null : await readOr(ctx, null, () => tokenWallet(ctx, loaded.sale.id));
  return { ...loaded, token, goal, claiming: args.url.searchParams.get('do') === CLAIM_TOKEN };
}

export const action = (args: Route.ActionArgs) =>
  handleSaleForm(args, {
    intents: { [CLAIM_TOKEN]: claim, [NAME_WALLET]: name },
    preserve: [...claimFields, ...walletFields],
  });

/** The address of the page that a form was sent to, and the sale that it is about. */
function sent(request: Request): { page: string; saleId: string } {
  const page = new URL(request.url).pathname.replace(/\.data$/, '');
  return { page, saleId: page.split('/').pop() ?? '' };
}

/** Has the purchase's token sent to the buyer's wallet. */
async function claim({ ctx, text, request }: Submission): Promise<Response | Refusal> {
  const { page, saleId } = sent(request);
  const token = await completionToken(ctx, saleId);
  if (!token) throw new NotFound('Token not found');
  const result = await claimToken(ctx, { nftId: token.id, address: text('address') });
  if (!result.ok)
    return result.reason === 'address' ? invalid({ address: result.text }) : conflict(result.text);
  return redirectWithToast(
    page,
    {
      title: 'Your token is on its way',
      text: ctx.config.chain
        ? 'It is in your wallet within minutes.'
        : 'It is sent once a chain is configured.',
    },
    { status: 303 },
  );
}

/** Says before the closing where the purchase's token goes. */
async function name({ ctx, text, request }: Submission): Promise<Response | Refusal> {
  const { page, saleId } = sent(request);
  const address = text('wallet');
  const result = await nameWallet(ctx, { saleId, address });
  if (!result.ok)
    return result.reason === 'address'
      ? invalid({ wallet: nftMessages.notAnAddress })
      : conflict(transitionRefusalMessages.not_now);
  return redirectWithToast(
    page,
    address.trim() === ''
      ? { title: 'No wallet saved', text: 'We keep the token for you until you claim it.' }
      : { title: 'Wallet saved', text: 'Your completion token goes there after the closing.' },
    { status: 303 },
  );
}

export const clientAction = (args: Route.ClientActionArgs) =>
  preserveInput(args, {
    inputOf: textFields('note', ...claimFields, ...walletFields),
    toast: ACTION_NOT_SENT,
  });

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  pageMeta(matches, {
    title: loaderData ? `Sale of ${loaderData.sale.property.address}` : 'Sale',
    hidden: true,
  });

export default function Sale({ loaderData, actionData }: Route.ComponentProps) {
  const { token, goal, claiming } = loaderData;
  const page = purchasePaths.buyerSale(loaderData.sale.id);
  return (
    <>
      <LiveSalePage
        loaded={loaderData}
        answer={actionData}
        page={page}
        back={{ href: paths.buyerActivity({ tab: 'transactions' }), label: 'My Activity' }}
        moving={token !== null && token.network !== null && ['making', 'sending'].includes(token.state)}
        token={
          token ? (
            <CompletionTokenPanel token={token} page={page} claiming={claiming} answer={actionData} />
          ) : (
            goal && <TokenWalletForm goal={goal} page={page} answer={actionData} />
          )
        }
      />
      <ProofDialog answer={actionData} />
    </>
  );
}
