import { data } from 'react-router';
import { handleApiKeysForm } from '#app/actions/api-keys.actions.ts';
import { keepApiKeyInput } from '#app/actions/api-keys.client-action.ts';
import { pageMeta } from '#app/page-meta.ts';
import { ApiKeysPage } from '#app/pages/api-keys/api-keys-page.tsx';
import { readOrNull } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { allApiKeys } from '#features/api-keys/reads.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import type { Route } from './+types/api-keys';

export async function loader({ url, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const keys = await readOrNull(ctx, () => allApiKeys(ctx));
  const asked = url.searchParams.get('do') === 'revoke' ? url.searchParams.get('id') : null;
  const revokes = keys?.find(({ id, revokedAt }) => id === asked && !revokedAt) ?? null;
  return data({ keys, revokes }, keys ? undefined : { status: 503 });
}

export const action = (args: Route.ActionArgs) => handleApiKeysForm(args, adminPaths.apiKeys());

export const clientAction = (args: Route.ClientActionArgs) => keepApiKeyInput(args);

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'API Keys', hidden: true });

/** The keys of everyone, by which other systems read listings. */
export default function AdminApiKeys({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <ApiKeysPage
      {...loaderData}
      withOwner
      sees="It sees the whole market: listings for sale, under contract, sold and withdrawn."
      pathTo={adminPaths.apiKeys}
      answer={actionData}
    />
  );
}
