import { pageMeta } from '#app/page-meta.ts';
import { ImportsPage, loadImports } from '#app/pages/imports/list.tsx';
import { getCtx } from '#app/request.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import type { Route } from './+types/imports';

export const loader = ({ url, context }: Route.LoaderArgs) =>
  loadImports(getCtx(context), 'agent', url.searchParams);

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: 'Import', hidden: true });

/** Where a seller imports listings from files. */
export default function Imports({ loaderData }: Route.ComponentProps) {
  return (
    <ImportsPage
      area="agent"
      loaded={loaderData}
      back={{ href: sellerPaths.properties(), label: 'Back to Properties' }}
    />
  );
}
