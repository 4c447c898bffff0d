import { pageMeta } from '#app/page-meta.ts';
import { getCtx } from '#app/request.ts';
import { ProfileCard } from '#features/sellers/components/profile-card.tsx';
import { ownSellerProfile } from '#features/sellers/reads.ts';
import { AreaHead } from '#ui/page-head.tsx';
import type { Route } from './+types/sellers';

export const loader = ({ context }: Route.LoaderArgs) => ownSellerProfile(getCtx(context));

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Manage Sellers', hidden: true });

/** The seller's own profile; other sellers are managed by administrators and not listed. */
export default function ManageSellers({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <AreaHead title="Manage Sellers" />
      <p className="lead">
        Sellers are managed by the marketplace's administrators. This is your own profile.
      </p>
      <ProfileCard seller={loaderData} />
    </>
  );
}
