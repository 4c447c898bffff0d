import { Link } from 'react-router';
import { pageMeta } from '#app/page-meta.ts';
import { paths } from '#app/paths.ts';
import { useSite } from '#app/site.ts';
import { SignedInLine } from '#features/accounts/components/signed-in-line.tsx';
import { PageHead } from '#ui/page-head.tsx';
import type { Route } from './+types/activity';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'My Activity', hidden: true });

export default function MyActivity() {
  const viewer = useSite()?.viewer;
  return (
    <>
      <PageHead title="My Activity" />
      {viewer && <SignedInLine email={viewer.email} accountPath={paths.account()} />}
      <p>
        <Link className="link" to={paths.properties()}>
          All Properties
        </Link>
      </p>
    </>
  );
}
