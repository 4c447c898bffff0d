import { data } from 'react-router';
import { handleApiKeysForm } from '#app/actions/api-keys.actions.ts';
import { keepApiKeyInput } from '#app/actions/api-keys.client-action.ts';
import { pageMeta } from '#app/page-meta.ts';
import { ApiKeysPage } from '#app/pages/api-keys/api-keys-page.tsx';
import { readOrNull } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { ownApiKeys } from '#features/api-keys/reads.ts';
import { mayCreateKeys } from '#features/api-keys/rules.ts';
import { ProofDialog } from '#features/factors/components/proof-dialog.tsx';
import { sellerPaths } from '#routing/seller-paths.ts';
import type { Route } from './+types/api-keys';

export async function loader({ url, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const keys = await readOrNull(ctx, () => ownApiKeys(ctx));
  const asked = url.searchParams.get('do') === 'revoke' ? url.searchParams.get('id') : null;
  const revokes = keys?.find(({ id, revokedAt }) => id === asked && !revokedAt) ?? null;
  return data({ keys, revokes, mayCreate: mayCreateKeys(ctx.actor) }, keys ? undefined : { status: 503 });
}

export const action = (args: Route.ActionArgs) => handleApiKeysForm(args, sellerPaths.apiKeys());

export const clientAction = (args: Route.ClientActionArgs) => keepApiKeyInput(args);

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'API Keys', hidden: true });

/** The seller's keys, by which other systems read the seller's listings. */
export default function SellerApiKeys({ loaderData, actionData }: Route.ComponentProps) {
  const { keys, revokes, mayCreate } = loaderData;
  return (
    <>
      <ApiKeysPage
        keys={keys}
        revokes={revokes}
        sees={
          mayCreate ? 'It sees your own listings that are for sale, under contract, sold or withdrawn.' : null
        }
        pathTo={sellerPaths.apiKeys}
        answer={actionData}
      />
      <ProofDialog answer={actionData} />
    </>
  );
}
