import { data, Form, redirect } from 'react-router';
import { preserveInput, textFields } from '#app/actions/preserve-input.ts';
import { conflict, invalid, type Refusal, redirectWithToast, runAction } from '#app/actions/run-action.ts';
import { pageMeta } from '#app/page-meta.ts';
import { MissingProperty } from '#app/pages/listings/missing-property.tsx';
import { getScope } from '#app/request.ts';
import { AuthCard } from '#app/shell/auth-card.tsx';
import { requestTour } from '#features/tours/commands/request-tour.ts';
import { FreeTimes } from '#features/tours/components/free-times.tsx';
import { NOTE_LIMIT, type RequestRefusal, type TourOffer } from '#features/tours/model.ts';
import { tourOffer } from '#features/tours/reads.ts';
import { mayAsk, refusalText } from '#features/tours/rules.ts';
import { paths } from '#routing/paths.ts';
import { tourPaths } from '#routing/tour-paths.ts';
import { Button, ButtonLink } from '#ui/button.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { Notice } from '#ui/notice.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import type { Route } from './+types/request-tour';

export async function loader({ params, url, context }: Route.LoaderArgs) {
  const { ctx } = getScope(context);
  const found = await tourOffer(ctx, params.id);
  if (!found.ok) throw data(null, { status: found.status, statusText: 'Property not found' });
  const { refusal } = found.offer;
  return {
    offer: found.offer,
    // Here rather than in the browser, which would load the texts of all refusals.
    refusalText: refusal && refusalText[refusal],
    chosen: url.searchParams.get('at') ?? '',
    sendingKey: ctx.requestId,
  };
}

/** The refusals that concern a field, by its name. */
const fields: Partial<Record<RequestRefusal, string>> = {
  no_time: 'at',
  not_free: 'at',
  busy: 'at',
  too_long: 'note',
};

export const action = (args: Route.ActionArgs) =>
  runAction(args, {
    fallback: 'request',
    preserve: ['at', 'note', 'key'],
    messages: {
      title: 'The tour was not requested',
      limited: (message) => `You have asked for several tours in a short time. ${message}`,
    },
    intents: {
      async request({ ctx, text }): Promise<Response | Refusal> {
        const { id } = args.params;
        if (!mayAsk(ctx.actor))
          return redirect(paths.buyerLogin({ next: tourPaths.request(id, { at: text('at') }) }));
        const asked = { propertyId: id, startsAt: text('at'), note: text('note'), key: text('key') };
        const result = await requestTour(ctx, asked);
        if (!result.ok) {
          const field = fields[result.reason];
          const words = refusalText[result.reason];
          return field ? invalid({ [field]: words }) : conflict(words);
        }
        return redirectWithToast(tourPaths.ofBuyer(), {
          title: 'Tour requested',
          text: 'You are notified when the seller answers.',
        });
      },
    },
  });

export const clientAction = (args: Route.ClientActionArgs) =>
  preserveInput(args, {
    inputOf: textFields('at', 'note', 'key'),
    toast: { title: 'The tour was not requested', text: 'Please try again.' },
  });

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  pageMeta(matches, { title: loaderData ? 'Ask for a tour' : 'Property not found', hidden: true });

/** Where a buyer asks for a tour, also without scripts. */
export default function RequestTour({ loaderData, actionData }: Route.ComponentProps) {
  const { offer, refusalText: refused, chosen, sendingKey } = loaderData;
  const { listing, open, days } = offer;
  const errors = actionData?.errors ?? {};
  const input = actionData?.input;
  const busy = usePendingForm('request') !== null;
  return (
    <AuthCard
      title="Ask for a tour"
      back={{ href: paths.property(listing.id), label: 'Back to the property' }}
    >
      <p>
        {listing.address}, {listing.town}
      </p>
      {actionData?.ok === false && actionData.toast?.text && (
        <p className="err" role="alert">
          {actionData.toast.text}
        </p>
      )}
      {refused || open || days.length === 0 ? (
        <Instead offer={offer} refused={refused} />
      ) : (
        <Form method="post" className="grid gap-6" noValidate>
          <IntentField is="request" />
          <input type="hidden" name="key" value={input?.key || sendingKey} />
          <FreeTimes days={days} zoneName={offer.zoneName} chosen={input?.at ?? chosen} error={errors.at} />
          {offer.signedIn && (
            <TextArea
              label="Note to the seller"
              name="note"
              rows={3}
              optional
              maxLength={NOTE_LIMIT}
              counted
              defaultValue={input?.note ?? ''}
              error={errors.note}
            />
          )}
          <Button type="submit" size="lg" wide busy={busy}>
            {offer.signedIn ? 'Ask for this tour' : 'Sign in to ask for this tour'}
          </Button>
        </Form>
      )}
    </AuthCard>
  );
}

/** Why there is nothing to choose, and what helps. */
function Instead({ offer: { listing, open }, refused }: { offer: TourOffer; refused: string | null }) {
  if (open)
    return (
      <Notice title={`Your tour: ${open.when}`}>
        <p>{open.status === 'confirmed' ? 'The seller has confirmed it.' : 'It is not confirmed yet.'}</p>
        <ButtonLink className="mt-4" variant="outline" to={tourPaths.ofBuyer()}>
          See your tours
        </ButtonLink>
      </Notice>
    );
  if (refused) return <Notice title="You cannot ask for a tour">{refused}</Notice>;
  return (
    <Notice title="No free times">
      <p>The seller has no free times in the next two weeks. Ask for one in a message.</p>
      <ButtonLink className="mt-4" variant="outline" to={`${paths.property(listing.id)}?inquire=1`}>
        Send an inquiry
      </ButtonLink>
    </Notice>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <MissingProperty error={error} />;
}
