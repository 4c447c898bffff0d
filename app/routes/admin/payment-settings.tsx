import { data } from 'react-router';
import { preserveInput, textFields } from '#app/actions/preserve-input.ts';
import { runAction } from '#app/actions/run-action.ts';
import { pageMeta } from '#app/page-meta.ts';
import { readOrNull } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { ServiceCards } from '#features/payment-settings/components/service-cards.tsx';
import { configuredServices } from '#features/payment-settings/reads.ts';
import type { ServerCtx } from '#gateways/ports.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { Breadcrumbs } from '#ui/breadcrumbs.tsx';
import { FailedPanel } from '#ui/failed-panel.tsx';
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

export async function loader({ url, context }: Route.LoaderArgs) {
  const shown = await readTab(getCtx(context), url.searchParams);
  return data({ shown }, shown.failed ? { status: 503 } : undefined);
}

async function readTab(ctx: ServerCtx, params: URLSearchParams) {
  if (params.get('tab') === 'fees') return { tab: 'fees' as const, ...(await readFeesTab(ctx, params)) };
  if (params.get('tab') === 'schedule')
    return { tab: 'schedule' as const, ...(await readScheduleTab(ctx, params)) };
  const services = await readOrNull(ctx, async () => configuredServices(ctx));
  return { tab: 'stripe' as const, services, failed: services === null };
}

export const action = (args: Route.ActionArgs) =>
  runAction<NewerFees & NewerSchedule>(args, {
    intents: { ...feeIntents, ...scheduleIntents },
    preserve: [...feeFields, ...scheduleFields],
    messages: ({ intent }) => feeFailures[intent] ?? scheduleFailures[intent] ?? {},
  });

export const clientAction = (args: Route.ClientActionArgs) =>
  preserveInput(args, {
    inputOf: textFields(...feeFields, ...scheduleFields),
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
        ) : shown.services ? (
          <ServiceCards services={shown.services} />
        ) : (
          <FailedPanel title="The payment settings could not be loaded." />
        )}
      </Tabs>
    </>
  );
}
