import { data } from 'react-router';
import { loadAfterSavingAll } from '#app/actions/listing-form.client-action.ts';
import { pageMeta } from '#app/page-meta.ts';
import { readOrNull } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { draftPreview } from '#features/listing-form/reads.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import { ButtonLink } from '#ui/button.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { AreaHead } from '#ui/page-head.tsx';
import type { Route } from './+types/draft-preview';
import { NO_HISTORY, previewData } from './preview/preview-data.ts';
import { FailedPreview, PreviewPage } from './preview/preview-page.tsx';

export async function loader({ url, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const read = await readOrNull(ctx, async () => ({ draft: await draftPreview(ctx) }));
  if (!read) return data({ shown: null }, { status: 503 });
  const { searchParams } = url;
  const preview = read.draft && previewData(ctx, read.draft, { history: NO_HISTORY, searchParams });
  return data({ shown: { preview } });
}

export const clientLoader = (args: Route.ClientLoaderArgs) => loadAfterSavingAll(args);

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Draft Preview', hidden: true });

/** The seller's draft of a new listing, as the property page will show it. */
export default function DraftPreview({ loaderData: { shown } }: Route.ComponentProps) {
  const formHref = sellerPaths.addProperty();
  if (!shown) return <FailedPreview formHref={formHref} />;
  const { preview } = shown;
  if (preview) return <PreviewPage preview={preview} formHref={formHref} isDraft />;
  return (
    <>
      <AreaHead title="Preview" back={{ href: sellerPaths.properties(), label: 'Back to Properties' }} />
      <EmptyState
        title="There is no draft to preview."
        action={<ButtonLink to={formHref}>Add New Property</ButtonLink>}
      />
    </>
  );
}
