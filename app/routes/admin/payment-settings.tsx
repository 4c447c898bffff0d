import { data } from 'react-router';
import { pageMeta } from '#app/page-meta.ts';
import { readOrNull } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { ServiceCards } from '#features/payment-settings/components/service-cards.tsx';
import { configuredServices } from '#features/payment-settings/reads.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { Breadcrumbs } from '#ui/breadcrumbs.tsx';
import { FailedPanel } from '#ui/failed-panel.tsx';
import { AreaHead } from '#ui/page-head.tsx';
import { Tabs } from '#ui/tabs.tsx';
import type { Route } from './+types/payment-settings';

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const services = await readOrNull(ctx, async () => configuredServices(ctx));
  return data({ services }, services ? undefined : { status: 503 });
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Payment Settings', hidden: true });

/** How the marketplace takes and pays out money. */
export default function PaymentSettings({ loaderData: { services } }: Route.ComponentProps) {
  return (
    <>
      <Breadcrumbs
        ancestors={[{ href: adminPaths.dashboard(), label: 'Dashboard' }]}
        current="Payment Settings"
      />
      <AreaHead title="Payment Settings" />
      <Tabs
        label="Payment Settings"
        current="stripe"
        tabs={[{ id: 'stripe', label: 'Stripe Integration', href: adminPaths.paymentSettings() }]}
      >
        {services ? (
          <ServiceCards services={services} />
        ) : (
          <FailedPanel title="The payment settings could not be loaded." />
        )}
      </Tabs>
    </>
  );
}
