import { pageMeta } from '#app/page-meta.ts';
import { paths } from '#app/paths.ts';
import { useSite } from '#app/site.ts';
import { SignedInLine } from '#features/accounts/components/signed-in-line.tsx';
import { AreaHead } from '#ui/page-head.tsx';
import type { Route } from './+types/dashboard';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Seller Dashboard', hidden: true });

export default function SellerDashboard() {
  const viewer = useSite()?.viewer;
  return (
    <>
      <AreaHead title="Seller Dashboard" />
      {viewer && <SignedInLine email={viewer.email} accountPath={paths.account()} />}
    </>
  );
}
