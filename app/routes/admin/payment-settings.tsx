import { data } from 'react-router';
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
import { feeFailures, feeFields, feeIntents } from './payment-settings/fee-actions.ts';
import { readFeesTab } from './payment-settings/fees.ts';
import { feesHref, type NewerFees } from './payment-settings/fees-query.ts';
import { FeesTab } from './payment-settings/fees-tab.tsx';
import { readStripeTab } from './payment-settings/stripe.ts';
import { stripeFailures, stripeFields, stripeIntents } from './payment-settings/stripe-actions.ts';
import type { NewerConnection } from './payment-settings/stripe-query.ts';
import { StripeTab } from './payment-settings/stripe-tab.tsx';

export async function loader({ url, context }: Route.LoaderArgs) {
  const shown = await readTab(getCtx(context), url.searchParams);
  return data({ shown }, shown.failed ? { status: 503 } : undefined);
}

async function readTab(ctx: ServerCtx, params: URLSearchParams) {
  if (params.get('tab') === 'fees') return { tab: 'fees' as const, ...(await readFeesTab(ctx, params)) };
  return { tab: 'stripe' as const, ...(await readStripeTab(ctx, params)) };
}

export const action = (args: Route.ActionArgs) =>
  runAction<NewerFees & NewerConnection>(args, {
    intents: { ...feeIntents, ...stripeIntents },
    preserve: [...feeFields, ...stripeFields],
    messages: ({ intent }, error) => feeFailures[intent] ?? stripeFailures[intent]?.(error) ?? {},
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
        ]}
      >
        {shown.tab === 'fees' ? (
          <FeesTab shown={shown} answer={actionData} />
        ) : (
          <StripeTab shown={shown} answer={actionData} />
        )}
      </Tabs>
    </>
  );
}
