import { ExternalLink } from 'lucide-react';
import { dollarsAndCents } from '#platform/money.ts';
import { Badge } from '#ui/badge.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { Icon } from '#ui/icon.tsx';
import { Panel } from '#ui/panel.tsx';
import { useRetry } from '#ui/use-retry.ts';
import type { PayoutInformation } from '../model.ts';
import { stripeMessages } from '../stripe-keys.ts';

/** The account that receives card payments: what it holds, and when that leaves to the bank. */
export function PayoutCard({ payout }: { payout: PayoutInformation | 'failed' }) {
  const retry = useRetry();
  if (payout === 'failed')
    return (
      <Panel title="Payout Information">
        <ErrorState
          title={stripeMessages.payoutFailed}
          detail="Please try again in a moment."
          retry={retry}
        />
      </Panel>
    );
  const { account, mode, availableCents, pendingCents, schedule, dashboardUrl } = payout;
  const facts = [
    ['Account', account],
    ['Available', dollarsAndCents(availableCents)],
    ['Pending', dollarsAndCents(pendingCents)],
    ['Payouts to the bank', schedule],
  ] as const;
  return (
    <Panel
      title="Payout Information"
      inset
      actions={
        <Badge tone={mode === 'live' ? 'info' : 'warn'}>{mode === 'live' ? 'Live' : 'Test mode'}</Badge>
      }
    >
      <dl className="stripe-facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-4 text-sm">
        <a
          className="link inline-flex items-center gap-1"
          href={dashboardUrl}
          target="_blank"
          rel="noreferrer"
        >
          Open the Stripe dashboard
          <Icon of={ExternalLink} size={14} />
        </a>
      </p>
    </Panel>
  );
}
