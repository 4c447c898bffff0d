import { data, Form } from 'react-router';
import { preserveInput, textFields } from '#app/actions/preserve-input.ts';
import { invalid, type Refusal, redirectWithToast, runAction } from '#app/actions/run-action.ts';
import { pageMeta } from '#app/page-meta.ts';
import { MissingProperty } from '#app/pages/listings/missing-property.tsx';
import { getScope } from '#app/request.ts';
import { AuthCard } from '#app/shell/auth-card.tsx';
import { reportListing } from '#features/listing-reports/commands/report-listing.ts';
import { reportReasons } from '#features/listing-reports/model.ts';
import { DETAILS_LIMIT, reasonLabels } from '#features/listing-reports/rules.ts';
import { listingDetail } from '#features/listings/reads.ts';
import { paths } from '#routing/paths.ts';
import { Button } from '#ui/button.tsx';
import { FieldError } from '#ui/field.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { Radio } from '#ui/radio.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import type { Route } from './+types/report-listing';

export async function loader({ params, context }: Route.LoaderArgs) {
  const { ctx } = getScope(context);
  const found = await listingDetail(ctx, params.id);
  if (!found.ok) throw data(null, { status: found.status, statusText: 'Property not found' });
  const { id, address, town } = found.listing;
  return { listing: { id, address, town }, sendingKey: ctx.requestId };
}

export const action = (args: Route.ActionArgs) =>
  runAction(args, {
    fallback: 'report',
    preserve: ['reason', 'details', 'key'],
    messages: { limited: (message) => `You have reported several properties in a short time. ${message}` },
    intents: {
      async report({ ctx, text }): Promise<Response | Refusal> {
        const result = await reportListing(ctx, {
          propertyId: args.params.id,
          reason: text('reason'),
          details: text('details'),
          key: text('key'),
        });
        if (!result.ok) return invalid(result.errors);
        return redirectWithToast(paths.property(args.params.id), {
          title: 'Thank you',
          text: 'Your report was sent to the administrators.',
        });
      },
    },
  });

export const clientAction = (args: Route.ClientActionArgs) =>
  preserveInput(args, {
    inputOf: textFields('reason', 'details', 'key'),
    toast: { title: 'Error', text: 'The report could not be sent. Please try again.' },
    refusalsLeave: true,
  });

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  pageMeta(matches, { title: loaderData ? 'Report this listing' : 'Property not found', hidden: true });

export default function ReportListing({ loaderData, actionData }: Route.ComponentProps) {
  const { listing, sendingKey } = loaderData;
  const errors = actionData?.errors ?? {};
  const input = actionData?.input;
  const busy = usePendingForm('report') !== null;
  const problem = actionData?.ok === false ? actionData.toast?.text : undefined;
  return (
    <AuthCard
      title="Report this listing"
      back={{ href: paths.property(listing.id), label: 'Back to the property' }}
    >
      <p>
        Tell the administrators what is wrong with {listing.address}, {listing.town}. The seller does not see
        who reported it.
      </p>
      <Form method="post" className="grid gap-5" noValidate>
        <IntentField is="report" />
        <input type="hidden" name="key" value={input?.key || sendingKey} />
        {problem && (
          <p className="err" role="alert">
            {problem}
          </p>
        )}
        <fieldset aria-describedby={errors.reason ? 'report-reason-error' : undefined}>
          <legend className="flabel mb-3">What is wrong?</legend>
          <div className="grid gap-3">
            {reportReasons.map((reason) => (
              <Radio
                key={reason}
                name="reason"
                value={reason}
                label={reasonLabels[reason]}
                defaultChecked={input?.reason === reason}
                aria-invalid={errors.reason ? true : undefined}
              />
            ))}
          </div>
          {errors.reason && <FieldError id="report-reason-error">{errors.reason}</FieldError>}
        </fieldset>
        <TextArea
          label="Details"
          name="details"
          rows={5}
          optional
          maxLength={DETAILS_LIMIT}
          counted
          defaultValue={input?.details ?? ''}
          error={errors.details}
        />
        <Button type="submit" size="lg" wide busy={busy}>
          Send the report
        </Button>
      </Form>
    </AuthCard>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <MissingProperty error={error} />;
}
