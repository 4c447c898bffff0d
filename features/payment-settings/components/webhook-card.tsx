import { Ellipsis } from 'lucide-react';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Icon } from '#ui/icon.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { Menu } from '#ui/menu.tsx';
import { Panel } from '#ui/panel.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import { CONFIGURE_WEBHOOKS } from '../intents.ts';
import type { ShownWebhook, StripeConnection } from '../model.ts';
import { type StripeMode, stripeModes } from '../stripe-keys.ts';
import { StripeForm } from './stripe-form.tsx';

interface WebhookCardProps {
  connection: StripeConnection;
  here: string;
  rotateHref: (mode: StripeMode) => string;
}

/** Whether Stripe sends us its messages, and when the last one came whose signature was right. */
export function WebhookCard({ connection, here, rotateHref }: WebhookCardProps) {
  const pending = usePendingForm(CONFIGURE_WEBHOOKS) !== null;
  const { keys, origin, serves, webhookUrl } = connection;
  const shown = stripeModes.flatMap((mode) => {
    const found = keys[mode];
    return found ? [{ mode, webhook: found.webhook, usable: found.failure === null }] : [];
  });
  const configured = shown.length > 0 && shown.every(({ webhook }) => webhook.configured);
  return (
    <Panel
      title="Webhooks"
      inset
      actions={
        <>
          {configured && <Badge tone="ok">Configured</Badge>}
          {origin === 'saved' && (
            <StripeForm intent={CONFIGURE_WEBHOOKS} action={here} fields={{}}>
              <Button
                type="submit"
                variant="outline"
                busy={pending}
                // Before there is a connection, too: live mode can only be switched to with its webhook.
                disabled={configured || !shown.some(({ usable }) => usable)}
              >
                Configure Webhooks
              </Button>
            </StripeForm>
          )}
        </>
      }
    >
      {shown.length === 0 ? (
        <p className="m-0 text-sm text-ink-muted">
          {serves === 'sandbox'
            ? 'The sandbox needs no webhook: it is part of this server.'
            : 'Save API keys first. Then Stripe can notify this server of payments right away.'}
        </p>
      ) : (
        <>
          <p className="m-0 text-sm text-ink-muted">
            Stripe sends its messages to <span className="stripe-url">{webhookUrl}</span>
          </p>
          <ul className="webhooks">
            {shown.map(({ mode, webhook }) => (
              <li key={mode}>
                <WebhookRow mode={mode} webhook={webhook} editable={origin === 'saved'} {...{ rotateHref }} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Panel>
  );
}

const endpointLabel = (configured: ShownWebhook['configured']): string =>
  configured === null ? 'Not checked' : configured ? 'Configured' : 'Not configured';

interface WebhookRowProps extends Pick<WebhookCardProps, 'rotateHref'> {
  mode: StripeMode;
  webhook: ShownWebhook;
  editable: boolean;
}

function WebhookRow({ mode, webhook, editable, rotateHref }: WebhookRowProps) {
  const { configured, setAt, lastMessageAt } = webhook;
  return (
    <>
      <h3>{mode === 'test' ? 'Test mode' : 'Live mode'}</h3>
      <Badge tone={configured ? 'ok' : 'warn'}>{endpointLabel(configured)}</Badge>
      <p>
        {lastMessageAt ? (
          <>
            Last signed event <LocalTime of={lastMessageAt} />
          </>
        ) : (
          'No signed event yet'
        )}
        {setAt && (
          <>
            , secret set on <LocalTime of={setAt} as="date" />
          </>
        )}
      </p>
      {editable && setAt && (
        <Menu
          end
          label={`More for the webhook of ${mode} mode`}
          buttonClass="iconbtn"
          entries={[{ label: 'Rotate secret', href: rotateHref(mode) }]}
        >
          <Icon of={Ellipsis} />
        </Menu>
      )}
    </>
  );
}
