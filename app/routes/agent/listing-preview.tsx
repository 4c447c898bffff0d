import { loadAfterSavingAll } from '#app/actions/listing-form.client-action.ts';
import { pageMeta } from '#app/page-meta.ts';
import { getCtx } from '#app/request.ts';
import { listingPreview } from '#features/listing-form/reads.ts';
import { publicHistory } from '#features/listing-history/reads.ts';
import { PreviewedListingNotice } from '#features/listing-quality/components/own-listing-notice.tsx';
import { qualityHints } from '#features/listing-quality/rules.ts';
import { editScope, mayList } from '#features/listings/rules.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import type { Route } from './+types/listing-preview';
import { NO_HISTORY, previewData } from './preview/preview-data.ts';
import { PreviewPage } from './preview/preview-page.tsx';

export async function loader({ params, url, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const preview = await listingPreview(ctx, { propertyId: params.id });
  const history = preview.listing.listedAt ? await publicHistory(ctx, params.id) : NO_HISTORY;
  const { listing, hasChanges, gaps } = preview;
  return {
    preview: previewData(ctx, preview, { history, searchParams: url.searchParams }),
    mayDuplicate: mayList(ctx.actor) && !hasChanges,
    // What keeps it from being submitted comes first.
    hints: gaps.length === 0 && editScope(listing.status) === 'all' ? qualityHints(listing) : [],
  };
}

export const clientLoader = (args: Route.ClientLoaderArgs) => loadAfterSavingAll(args);

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  pageMeta(matches, {
    title: loaderData ? `Preview of ${loaderData.preview.name}` : 'Property Preview',
    hidden: true,
  });

/** One of the seller's listings, with the changes of its draft, as the property page will show it. */
export default function ListingPreview({
  loaderData: { preview, ...notice },
  params: { id },
}: Route.ComponentProps) {
  return (
    <PreviewPage
      preview={preview}
      formHref={sellerPaths.editProperty(id)}
      isDraft={false}
      notice={<PreviewedListingNotice listingId={id} {...notice} />}
    />
  );
}
