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
import { AreaHead } from '#ui/page-head.tsx';
import type { Route } from './+types/tours';

export async function loader({ url, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const tours = await readOrNull(ctx, () => ownTours(ctx, { side: 'seller' }));
  return data({ tours, dialog: dialogOf(tours, url) }, tours ? undefined : { status: 503 });
}

export const action = (args: Route.ActionArgs) => handleTourForm(args, tourPaths.ofSeller());

export const clientAction = (args: Route.ClientActionArgs) => sendTourForm(args);

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: 'Tours', hidden: true });

/** The tours of the seller's properties. */
export default function SellerTours({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <>
      <AreaHead
        title="Tours"
        back={{ href: paths.sellerInquiries(), label: 'Property Inquiries' }}
        actions={
          <ButtonLink variant="outline" to={tourPaths.hours()}>
            Tour hours
          </ButtonLink>
        }
      />
      <ToursPage
        {...loaderData}
        pathTo={tourPaths.ofSeller}
        answer={actionData}
        empty={
          <EmptyState
            bare
            title="No open tours"
            text="Buyers can ask for a tour of your properties within your tour hours."
            action={
              <ButtonLink variant="outline" to={tourPaths.hours()}>
                Set your tour hours
              </ButtonLink>
            }
          />
        }
      />
    </>
  );
}
