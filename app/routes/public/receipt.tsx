import { isRouteErrorResponse, redirect } from 'react-router';
import { pageMeta } from '#app/page-meta.ts';
import { getCtx } from '#app/request.ts';
import { ErrorPage } from '#app/shell/error-page.tsx';
import { useSite } from '#app/site.ts';
import { ReceiptSheet } from '#features/sales/components/receipt-sheet.tsx';
import { receipt } from '#features/sales/reads.ts';
import { maySeeSales, NO_RECEIPT_YET } from '#features/sales/rules.ts';
import { DEFAULT_BRAND } from '#features/settings/brand.ts';
import { paths } from '#routing/paths.ts';
import { purchasePaths } from '#routing/purchase-paths.ts';
import { ButtonLink } from '#ui/button.tsx';
import { EmptyLotDrawing } from '#ui/empty-lot-drawing.tsx';
import type { Route } from './+types/receipt';

/** For the sale's buyer, its seller and administrators; everyone else gets a 404 (R8). */
export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  if (!maySeeSales(ctx.actor)) throw redirect(paths.buyerLogin({ next: purchasePaths.receipt(params.id) }));
  return { receipt: await receipt(ctx, params.id) };
}

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  pageMeta(matches, { title: loaderData ? `Receipt ${loaderData.receipt.number}` : 'Receipt', hidden: true });

export default function Receipt({ loaderData }: Route.ComponentProps) {
  return <ReceiptSheet receipt={loaderData.receipt} brand={useSite()?.brand ?? DEFAULT_BRAND} />;
}

/** The viewer's own sale that is not paid yet gets a message; every other missing receipt is a plain 404. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (!isRouteErrorResponse(error) || error.statusText !== NO_RECEIPT_YET) return <ErrorPage error={error} />;
  return (
    <div className="page-state">
      <div className="empty empty-bare">
        <EmptyLotDrawing sign="board" />
        <h1 className="empty-lead">{NO_RECEIPT_YET}</h1>
        <ButtonLink to={paths.home()}>Return Home</ButtonLink>
      </div>
    </div>
  );
}
