import { data } from 'react-router';
import { pageMeta } from '#app/page-meta.ts';
import { readOrNull } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { ProfileCard } from '#features/sellers/components/profile-card.tsx';
import { ownSellerProfile } from '#features/sellers/reads.ts';
import { FailedPanel } from '#ui/failed-panel.tsx';
import { AreaHead } from '#ui/page-head.tsx';
import type { Route } from './+types/sellers';

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const seller = await readOrNull(ctx, () => ownSellerProfile(ctx));
  return data({ seller }, seller ? undefined : { status: 503 });
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Manage Sellers', hidden: true });

/** The seller's own profile; other sellers are managed by administrators and not listed. */
export default function ManageSellers({ loaderData: { seller } }: Route.ComponentProps) {
  return (
    <>
      <AreaHead title="Manage Sellers" />
      <p className="lead">
        Sellers are managed by the marketplace's administrators. This is your own profile.
      </p>
      {seller ? <ProfileCard seller={seller} /> : <FailedPanel title="Your profile could not be loaded." />}
    </>
  );
}
