import { data } from 'react-router';
import { mayHaveMissed, useLiveEvents } from '#app/live/live-events.ts';
import { useRevalidate } from '#app/live/revalidate.ts';
import { pageMeta } from '#app/page-meta.ts';
import { readOrNull } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { useSite } from '#app/site.ts';
import { SavedSearches } from '#features/saved-searches/components/saved-searches.tsx';
import { savedSearches } from '#features/saved-searches/reads.ts';
import { paths } from '#routing/paths.ts';
import { ButtonLink } from '#ui/button.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { useRetry } from '#ui/use-retry.ts';
import type { Route } from './+types/saved-searches';

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const searches = await readOrNull(ctx, () => savedSearches(ctx));
  return data({ searches }, searches ? undefined : { status: 500 });
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Saved Searches', hidden: true });

/** The viewer's saved searches with their newest matches, for every role. */
export default function SavedSearchesPage({ loaderData: { searches } }: Route.ComponentProps) {
  const role = useSite()?.viewer?.role ?? 'buyer';
  useLiveMatches();
  return (
    <>
      <PageHead title="Saved Searches" back={{ href: paths.activity(role), label: 'My Activity' }}>
        <div className="mt-4">
          <ButtonLink variant="outline" size="sm" to={paths.properties()}>
            New search
          </ButtonLink>
        </div>
      </PageHead>
      {searches ? <SavedSearches searches={searches} /> : <Failed />}
    </>
  );
}

function Failed() {
  return (
    <section className="panel mt-0!" aria-label="Not loaded">
      <ErrorState title="Failed to load saved searches" retry={useRetry()} />
    </section>
  );
}

/** Revalidates the page when one of the searches has a new match, or its matches were seen elsewhere. */
function useLiveMatches(): void {
  const revalidate = useRevalidate();
  useLiveEvents((message) => {
    if (message.type.startsWith('saved-search.') || mayHaveMissed(message)) void revalidate();
  });
}
