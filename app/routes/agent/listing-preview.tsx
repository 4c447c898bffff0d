import { data } from 'react-router';
import { loadAfterSavingAll } from '#app/actions/listing-form.client-action.ts';
import { pageMeta } from '#app/page-meta.ts';
import { readOrNull } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { listingPreview } from '#features/listing-form/reads.ts';
import { publicHistory } from '#features/listing-history/reads.ts';
import { PreviewedListingNotice } from '#features/listing-quality/components/own-listing-notice.tsx';
import { qualityHints } from '#features/listing-quality/rules.ts';
import { editScope, mayList } from '#features/listings/rules.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import type { Route } from './+types/listing-preview';
import { NO_HISTORY, previewData } from './preview/preview-data.ts';
import { FailedPreview, PreviewPage } from './preview/preview-page.tsx';

export async function loader({ params, url, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const preview = await readOrNull(ctx, () => listingPreview(ctx, { propertyId: params.id }));
  if (!preview) return data({ shown: null }, { status: 503 });
  const history = preview.listing.listedAt
    ? await readOrNull(ctx, () => publicHistory(ctx, params.id))
    : NO_HISTORY;
  const { listing, hasChanges, gaps } = preview;
  return data({
    shown: {
      preview: previewData(ctx, preview, { history, searchParams: url.searchParams }),
      mayDuplicate: mayList(ctx.actor) && !hasChanges,
      // What keeps it from being submitted comes first.
      hints: gaps.length === 0 && editScope(listing.status) === 'all' ? qualityHints(listing) : [],
    },
  });
}

export const clientLoader = (args: Route.ClientLoaderArgs) => loadAfterSavingAll(args);

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  pageMeta(matches, {
    title: loaderData?.shown ? `Preview of ${loaderData.shown.preview.name}` : 'Property Preview',
    hidden: true,
  });

/** One of the seller's listings, with the changes of its draft, as the property page will show it. */
export default function ListingPreview({ loaderData: { shown }, params: { id } }: Route.ComponentProps) {
  const formHref = sellerPaths.editProperty(id);
  if (!shown) return <FailedPreview formHref={formHref} />;
  const { preview, ...notice } = shown;
  return (
    <PreviewPage
      preview={preview}
      formHref={formHref}
      isDraft={false}
      notice={<PreviewedListingNotice listingId={id} {...notice} />}
    />
  );
}
