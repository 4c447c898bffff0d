import { pageMeta } from '#app/page-meta.ts';
import { useSite } from '#app/site.ts';
import { SignedInLine } from '#features/accounts/components/signed-in-line.tsx';
import { paths } from '#routing/paths.ts';
import { AreaHead } from '#ui/page-head.tsx';
import type { Route } from './+types/dashboard';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Admin Dashboard', hidden: true });

export default function AdminDashboard() {
  const viewer = useSite()?.viewer;
  return (
    <>
      <AreaHead title="Admin Dashboard" />
      {viewer && <SignedInLine email={viewer.email} accountPath={paths.account()} />}
    </>
  );
}
