import { data } from 'react-router';
import { handleUploadProof } from '#app/actions/ownership.actions.ts';
import { preserveInput, textFields } from '#app/actions/preserve-input.ts';
import { runAction } from '#app/actions/run-action.ts';
import { mayHaveMissed, useLiveEvents } from '#app/live/live-events.ts';
import { useRevalidate } from '#app/live/revalidate.ts';
import { pageMeta } from '#app/page-meta.ts';
import { readOrNull } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { ProofForm, UPLOAD_PROOF } from '#features/ownership/components/proof-form.tsx';
import { ProofStatus } from '#features/ownership/components/proof-status.tsx';
import type { OwnOwnership } from '#features/ownership/model.ts';
import { ownOwnership } from '#features/ownership/reads.ts';
import { mayProveOwnership, ownershipMessages } from '#features/ownership/rules.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import { ButtonLink } from '#ui/button.tsx';
import { FailedPanel } from '#ui/failed-panel.tsx';
import { FlashToast } from '#ui/flash-toast.tsx';
import { useFocusInvalid } from '#ui/focus-invalid.ts';
import { AreaHead } from '#ui/page-head.tsx';
import type { Route } from './+types/property-ownership';

export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const ownership = await readOrNull(ctx, () => ownOwnership(ctx, { propertyId: params.id }));
  return data(
    { ownership, mayUpload: mayProveOwnership(ctx.actor) },
    ownership ? undefined : { status: 503 },
  );
}

const TYPED = ['ownerName', 'parcelNumber', 'note'] as const;

export const action = (args: Route.ActionArgs) =>
  runAction(args, {
    intents: { [UPLOAD_PROOF]: handleUploadProof(args.params.id) },
    preserve: TYPED,
    messages: { failed: ownershipMessages.uploadFailed },
  });

export const clientAction = (args: Route.ClientActionArgs) =>
  preserveInput(args, {
    inputOf: textFields(...TYPED),
    toast: { title: 'Error', text: ownershipMessages.notSent },
  });

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  pageMeta(matches, {
    title: loaderData?.ownership ? `Ownership of ${loaderData.ownership.listing.address}` : 'Ownership',
    hidden: true,
  });

/** Where a seller proves who owns a property, and sees what became of it. */
export default function PropertyOwnership({ loaderData, actionData, params }: Route.ComponentProps) {
  const { ownership, mayUpload } = loaderData;
  const revalidate = useRevalidate();
  useFocusInvalid(actionData?.errors);
  useLiveEvents((message) => {
    const isAboutListing = message.type === 'notification.new' && message.payload?.property === params.id;
    if (isAboutListing || mayHaveMissed(message)) void revalidate();
  });
  return (
    <>
      <AreaHead
        title={ownership ? `Ownership of ${ownership.listing.address}` : 'Ownership'}
        back={{ href: sellerPaths.properties(), label: 'Back to Properties' }}
        actions={
          <ButtonLink variant="outline" to={sellerPaths.editProperty(params.id)}>
            Edit listing
          </ButtonLink>
        }
      />
      {ownership ? (
        <Ownership ownership={ownership} mayUpload={mayUpload} answer={actionData} />
      ) : (
        <FailedPanel title="The ownership could not be loaded." />
      )}
      <FlashToast toast={actionData?.toast} />
    </>
  );
}

interface OwnershipProps {
  ownership: OwnOwnership;
  mayUpload: boolean;
  answer: Route.ComponentProps['actionData'];
}

function Ownership({ ownership, mayUpload, answer }: OwnershipProps) {
  const { listing, proof } = ownership;
  return (
    <>
      <p className="mb-6 text-ink-muted">{listing.town}</p>
      <ProofStatus ownership={ownership} />
      {mayUpload && proof?.status !== 'verified' && listing.status !== 'Sold' && (
        <ProofForm
          // Another form once something was uploaded.
          key={proof?.id}
          again={proof !== null}
          answer={answer}
        />
      )}
    </>
  );
}
