import { data } from 'react-router';
import { pageMeta } from '#app/page-meta.ts';
import { readOrNull } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { useSite } from '#app/site.ts';
import { Comparison } from '#features/watches/components/comparison.tsx';
import { comparedListings } from '#features/watches/reads.ts';
import { MAX_COMPARED, MIN_COMPARED } from '#features/watches/rules.ts';
import { paths } from '#routing/paths.ts';
import { ButtonLink } from '#ui/button.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { FailedPanel } from '#ui/failed-panel.tsx';
import { PageHead } from '#ui/page-head.tsx';
import type { Route } from './+types/compare';

export async function loader({ request, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const asked = new URL(request.url).searchParams.getAll('property');
  const listings = await readOrNull(ctx, () => comparedListings(ctx, asked));
  const left = new Set(asked).size - (listings?.length ?? 0);
  return data(
    { listings, tooMany: new Set(asked).size > MAX_COMPARED, left },
    listings ? undefined : { status: 503 },
  );
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Compare Properties', hidden: true });

/** Watched properties side by side, for every role. */
export default function ComparePage({ loaderData: { listings, tooMany, left } }: Route.ComponentProps) {
  const role = useSite()?.viewer?.role ?? 'buyer';
  const watched = paths.activity(role, { tab: 'watched' });
  return (
    <>
      <PageHead title="Compare Properties" back={{ href: watched, label: 'Watched Properties' }} />
      {listings && listings.length >= MIN_COMPARED && (
        <>
          {(tooMany || left > 0) && (
            <p className="mb-4" role="status">
              {tooMany
                ? 'At most four properties can be compared. These are the first four.'
                : 'A property you no longer watch, or that is no longer available, was left out.'}
            </p>
          )}
          <Comparison listings={listings} role={role} />
        </>
      )}
      {listings && listings.length < MIN_COMPARED && (
        <EmptyState
          title="Choose two to four properties"
          text="Select the properties to compare on your list of watched properties."
          action={
            <ButtonLink to={watched} variant="outline">
              Watched Properties
            </ButtonLink>
          }
        />
      )}
      {!listings && (
        <FailedPanel title="The comparison could not be loaded" detail="Please try again in a moment." />
      )}
    </>
  );
}
