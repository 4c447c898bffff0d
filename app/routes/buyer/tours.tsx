import { data } from 'react-router';
import { handleTourForm } from '#app/actions/tours.actions.ts';
import { sendTourForm } from '#app/actions/tours.client-action.ts';
import { pageMeta } from '#app/page-meta.ts';
import { dialogOf, ToursPage } from '#app/pages/tours/tours-page.tsx';
import { readOrNull } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { ownTours } from '#features/tours/reads.ts';
import { paths } from '#routing/paths.ts';
import { tourPaths } from '#routing/tour-paths.ts';
import { ButtonLink } from '#ui/button.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { PageHead } from '#ui/page-head.tsx';
import type { Route } from './+types/tours';

export async function loader({ url, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const tours = await readOrNull(ctx, () => ownTours(ctx, { side: 'buyer' }));
  return data({ tours, dialog: dialogOf(tours, url) }, tours ? undefined : { status: 503 });
}

export const action = (args: Route.ActionArgs) => handleTourForm(args, tourPaths.ofBuyer());

export const clientAction = (args: Route.ClientActionArgs) => sendTourForm(args);

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'My Tours', hidden: true });

/** The tours that the buyer has asked for. */
export default function BuyerTours({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="My Tours" back={{ href: paths.activity('buyer'), label: 'My Activity' }} />
      <ToursPage
        {...loaderData}
        pathTo={tourPaths.ofBuyer}
        answer={actionData}
        empty={
          <EmptyState
            bare
            title="No open tours"
            text="Open a property and ask its seller for a tour."
            action={
              <ButtonLink variant="outline" to={paths.properties()}>
                Browse properties
              </ButtonLink>
            }
          />
        }
      />
    </>
  );
}
