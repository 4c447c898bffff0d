import { data } from 'react-router';
import { preserveInput, textFields } from '#app/actions/preserve-input.ts';
import { runAction } from '#app/actions/run-action.ts';
import { pageMeta } from '#app/page-meta.ts';
import { getCtx } from '#app/request.ts';
import type { ServerCtx } from '#gateways/ports.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { Breadcrumbs } from '#ui/breadcrumbs.tsx';
import { FlashToast } from '#ui/flash-toast.tsx';
import { useFocusInvalid } from '#ui/focus-invalid.ts';
import { AreaHead } from '#ui/page-head.tsx';
import { Tabs } from '#ui/tabs.tsx';
import type { Route } from './+types/payment-settings';
import { feeFailures, feeIntents } from './payment-settings/fee-actions.ts';
import { readFeesTab } from './payment-settings/fees.ts';
import { feeFields, feesHref, type NewerFees } from './payment-settings/fees-query.ts';
import { FeesTab } from './payment-settings/fees-tab.tsx';
import { readScheduleTab } from './payment-settings/schedule.ts';
import { scheduleFailures, scheduleIntents } from './payment-settings/schedule-actions.ts';
import { type NewerSchedule, scheduleFields, scheduleHref } from './payment-settings/schedule-query.ts';
import { ScheduleTab } from './payment-settings/schedule-tab.tsx';
import { readStripeTab } from './payment-settings/stripe.ts';
import { stripeFailures, stripeIntents } from './payment-settings/stripe-actions.ts';
import { type NewerConnection, stripeFields } from './payment-settings/stripe-query.ts';
import { StripeTab } from './payment-settings/stripe-tab.tsx';

export async function loader({ url, context }: Route.LoaderArgs) {
  const shown = await readTab(getCtx(context), url.searchParams);
  return data({ shown }, shown.failed ? { status: 503 } : undefined);
}

async function readTab(ctx: ServerCtx, params: URLSearchParams) {
  if (params.get('tab') === 'fees') return { tab: 'fees' as const, ...(await readFeesTab(ctx, params)) };
  if (params.get('tab') === 'schedule')
    return { tab: 'schedule' as const, ...(await readScheduleTab(ctx, params)) };
  return { tab: 'stripe' as const, ...(await readStripeTab(ctx, params)) };
}

const fields = [...feeFields, ...scheduleFields, ...stripeFields];

export const action = (args: Route.ActionArgs) =>
  runAction<NewerFees & NewerSchedule & NewerConnection>(args, {
    intents: { ...feeIntents, ...scheduleIntents, ...stripeIntents },
    preserve: fields,
    messages: ({ intent }, error) =>
      feeFailures[intent] ?? scheduleFailures[intent] ?? stripeFailures[intent]?.(error) ?? {},
  });

export const clientAction = (args: Route.ClientActionArgs) =>
  preserveInput(args, {
    inputOf: textFields(...fields),
    toast: { title: 'Error', text: 'Nothing was saved. Please try again.' },
  });

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Payment Settings', hidden: true });

/** How the marketplace takes and pays out money. */
export default function PaymentSettings({ loaderData: { shown }, actionData }: Route.ComponentProps) {
  useFocusInvalid(actionData?.errors);
  return (
    <>
      <Breadcrumbs
        ancestors={[{ href: adminPaths.dashboard(), label: 'Dashboard' }]}
        current="Payment Settings"
      />
      <AreaHead title="Payment Settings" />
      <FlashToast toast={actionData?.toast} />
      <Tabs
        label="Payment Settings"
        current={shown.tab}
        tabs={[
          { id: 'stripe', label: 'Stripe Integration', href: adminPaths.paymentSettings() },
          { id: 'fees', label: 'Service Fees', href: feesHref() },
          { id: 'schedule', label: 'Payout Schedule', href: scheduleHref() },
        ]}
      >
        {shown.tab === 'fees' ? (
          <FeesTab shown={shown} answer={actionData} />
        ) : shown.tab === 'schedule' ? (
          <ScheduleTab shown={shown} answer={actionData} />
        ) : (
          <StripeTab shown={shown} answer={actionData} />
        )}
      </Tabs>
    </>
  );
}
