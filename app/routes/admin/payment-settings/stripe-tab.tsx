import { useNavigate } from 'react-router';
import { ConnectionCard } from '#features/payment-settings/components/connection-card.tsx';
import { EnvironmentKeys, KeysForm } from '#features/payment-settings/components/keys-form.tsx';
import { PayoutCard } from '#features/payment-settings/components/payout-card.tsx';
import { ServiceCards } from '#features/payment-settings/components/service-cards.tsx';
import {
  DisconnectDialog,
  GoLiveDialog,
  RotateSecretDialog,
} from '#features/payment-settings/components/stripe-dialogs.tsx';
import { WebhookCard } from '#features/payment-settings/components/webhook-card.tsx';
import { maySwitchMode } from '#features/payment-settings/connection.ts';
import { SAVE_STRIPE_KEYS } from '#features/payment-settings/intents.ts';
import type { StripeConnection } from '#features/payment-settings/model.ts';
import { stripeMessages } from '#features/payment-settings/stripe-keys.ts';
import type { ActionData } from '#ui/action-data.ts';
import { FailedPanel } from '#ui/failed-panel.tsx';
import type { StripeTabData } from './stripe.ts';
import { type NewerConnection, type StripeQuery, stripeHref } from './stripe-query.ts';

interface Props {
  shown: StripeTabData;
  answer: (ActionData & NewerConnection) | undefined;
}

/** The tab Stripe Integration: how card payments are connected, and the services that the environment configures. */
export function StripeTab({ shown: { connection, payout, services, query }, answer }: Props) {
  const here = stripeHref();
  return (
    <>
      {connection ? (
        <>
          <ConnectionCard
            connection={connection}
            here={here}
            disconnectHref={stripeHref({ do: 'disconnect' })}
          />
          {connection.origin === 'environment' ? (
            <EnvironmentKeys connection={connection} />
          ) : (
            <KeysForm
              // What was typed goes once it is saved.
              key={connection.version}
              connection={connection}
              newer={answer?.newerConnection}
              here={here}
              answer={answer?.intent === SAVE_STRIPE_KEYS ? answer : undefined}
            />
          )}
          <WebhookCard
            connection={connection}
            here={here}
            rotateHref={(mode) => stripeHref({ do: 'rotate-secret', mode })}
          />
          {payout && connection.connected && <PayoutCard payout={payout} />}
          <Dialogs connection={connection} query={query} />
        </>
      ) : (
        <FailedPanel title={stripeMessages.loadFailed} />
      )}
      {services && <ServiceCards services={services} />}
    </>
  );
}

function Dialogs({
  connection,
  query: { dialog, mode },
}: {
  connection: StripeConnection;
  query: StripeQuery;
}) {
  const navigate = useNavigate();
  if (!dialog || connection.origin === 'environment') return null;
  const common = {
    here: stripeHref({ do: dialog, ...(mode && { mode }) }),
    onClose: () => void navigate(stripeHref(), { replace: true, preventScrollReset: true }),
  };
  if (dialog === 'go-live') {
    const possible = maySwitchMode(connection) && connection.mode === 'test';
    return possible && <GoLiveDialog connection={connection} {...common} />;
  }
  if (dialog === 'disconnect') return <DisconnectDialog connection={connection} {...common} />;
  return mode && connection.keys[mode]?.webhook.setAt && <RotateSecretDialog mode={mode} {...common} />;
}
