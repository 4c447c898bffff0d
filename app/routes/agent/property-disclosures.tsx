import { data } from 'react-router';
import { handleUploadDisclosure } from '#app/actions/disclosure.actions.ts';
import { preserveInput, textFields } from '#app/actions/preserve-input.ts';
import { runAction } from '#app/actions/run-action.ts';
import { pageMeta } from '#app/page-meta.ts';
import { readOrNull } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { DisclosureForm, UPLOAD_DISCLOSURE } from '#features/disclosures/components/disclosure-form.tsx';
import { ownDisclosures } from '#features/disclosures/reads.ts';
import { disclosureMessages, mayUploadDisclosures } from '#features/disclosures/rules.ts';
import { SaleDocumentList } from '#features/documents/components/sale-documents.tsx';
import { sellerPaths } from '#routing/seller-paths.ts';
import { ButtonLink } from '#ui/button.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { FailedPanel } from '#ui/failed-panel.tsx';
import { FlashToast } from '#ui/flash-toast.tsx';
import { useFocusInvalid } from '#ui/focus-invalid.ts';
import { AreaHead } from '#ui/page-head.tsx';
import { Panel } from '#ui/panel.tsx';
import type { Route } from './+types/property-disclosures';

export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const disclosures = await readOrNull(ctx, () => ownDisclosures(ctx, { propertyId: params.id }));
  return data(
    { disclosures, mayUpload: mayUploadDisclosures(ctx.actor) },
    disclosures ? undefined : { status: 503 },
  );
}

export const action = (args: Route.ActionArgs) =>
  runAction(args, {
    intents: { [UPLOAD_DISCLOSURE]: handleUploadDisclosure(args.params.id) },
    preserve: ['name'],
    messages: { failed: disclosureMessages.uploadFailed },
  });

export const clientAction = (args: Route.ClientActionArgs) =>
  preserveInput(args, {
    inputOf: textFields('name'),
    toast: { title: 'Error', text: disclosureMessages.notSent },
  });

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  pageMeta(matches, {
    title: titleOf(loaderData?.disclosures),
    hidden: true,
  });

type Disclosures = Awaited<ReturnType<typeof ownDisclosures>>;

const titleOf = (disclosures: Disclosures | null | undefined) =>
  disclosures ? `Disclosures of ${disclosures.listing.address}` : 'Disclosures';

/** Where a seller uploads what the buyer of a property has to know, such as defects, and sees what they have uploaded. */
export default function PropertyDisclosures({ loaderData, actionData, params }: Route.ComponentProps) {
  const { disclosures, mayUpload } = loaderData;
  useFocusInvalid(actionData?.errors);
  return (
    <>
      <AreaHead
        title={titleOf(disclosures)}
        back={{ href: sellerPaths.properties(), label: 'Back to Properties' }}
        actions={
          <ButtonLink variant="outline" to={sellerPaths.editProperty(params.id)}>
            Edit listing
          </ButtonLink>
        }
      />
      {disclosures ? (
        <Uploaded {...disclosures} />
      ) : (
        <FailedPanel title="The disclosures could not be loaded." />
      )}
      {disclosures && mayUpload && disclosures.listing.status !== 'Sold' && (
        <DisclosureForm
          // Another form once something was uploaded.
          key={disclosures.documents[0]?.id}
          answer={actionData}
        />
      )}
      <FlashToast toast={actionData?.toast} />
    </>
  );
}

function Uploaded({ listing, documents }: Disclosures) {
  return (
    <>
      <p className="mb-6 text-ink-muted">{listing.town}</p>
      <Panel title="Disclosures" inset>
        <p className="mb-4">
          What a buyer has to know about the property, such as known defects, lead paint or flood zones. You
          and administrators see it; a buyer sees it on the page of the purchase once it is paid.
        </p>
        {documents.length > 0 ? (
          <SaleDocumentList documents={documents} />
        ) : (
          <EmptyState bare title="No disclosures yet" text="Nothing was uploaded for this property." />
        )}
      </Panel>
    </>
  );
}
