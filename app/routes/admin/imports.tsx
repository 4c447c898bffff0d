import { pageMeta } from '#app/page-meta.ts';
import { ImportsPage, loadImports } from '#app/pages/imports/list.tsx';
import { getCtx } from '#app/request.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import type { Route } from './+types/imports';

export const loader = ({ url, context }: Route.LoaderArgs) =>
  loadImports(getCtx(context), 'admin', url.searchParams);

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: 'Import', hidden: true });

/** Where administrators import listings of every seller from files. */
export default function Imports({ loaderData }: Route.ComponentProps) {
  return (
    <ImportsPage
      area="admin"
      loaded={loaderData}
      back={{ href: adminPaths.properties(), label: 'Back to Properties' }}
    />
  );
}
