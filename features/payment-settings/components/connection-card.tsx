import { Form } from 'react-router';
import { Badge } from '#ui/badge.tsx';
import { Button, ButtonLink } from '#ui/button.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { Panel } from '#ui/panel.tsx';
import { SwitchButton } from '#ui/switch.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import { maySwitchMode, otherMode, waitsForOtherMode } from '../connection.ts';
import { CHECK_STRIPE, CONNECT_STRIPE, SET_STRIPE_MODE } from '../intents.ts';
import type { StripeConnection } from '../model.ts';
import { type StripeMode, stripeMessages } from '../stripe-keys.ts';
import { StripeForm } from './stripe-form.tsx';

interface ConnectionCardProps {
  connection: StripeConnection;
  here: string;
  disconnectHref: string;
}

/** Whether card payments are connected, by what, and in which mode; with the acts that change that. */
export function ConnectionCard(props: ConnectionCardProps) {
  const { connection } = props;
  const { connected, origin } = connection;
  return (
    <Panel
      title="Connection"
      className="mt-0!"
      inset
      actions={
        <>
          <Badge tone={connected ? 'ok' : 'mute'}>{connected ? 'Connected' : 'Not Connected'}</Badge>
          {origin === 'saved' && <Acts {...props} />}
        </>
      }
    >
      <div className="grid gap-5">
        <Serving connection={connection} />
        <TestMode {...props} />
        {connection.former.length > 0 && <Former connection={connection} />}
      </div>
    </Panel>
  );
}

function Acts({ connection, here, disconnectHref }: ConnectionCardProps) {
  const { connected, serves, version, keys } = connection;
  const checking = usePendingForm(CHECK_STRIPE) !== null;
  const connecting = usePendingForm(CONNECT_STRIPE) !== null;
  const saved = keys.test !== null || keys.live !== null;
  return (
    <>
      {connected && serves === 'stripe' && (
        <StripeForm intent={CHECK_STRIPE} action={here} fields={{ seen: version }}>
          <Button type="submit" variant="ghost" busy={checking}>
            Check now
          </Button>
        </StripeForm>
      )}
      {(connected || saved) && (
        <ButtonLink variant="outline" to={disconnectHref} preventScrollReset>
          {connected ? 'Disconnect' : 'Remove keys'}
        </ButtonLink>
      )}
      {!connected && !waitsForOtherMode(connection) && (
        <StripeForm intent={CONNECT_STRIPE} action={here} fields={{ seen: version }}>
          <Button type="submit" busy={connecting}>
            Connect Stripe
          </Button>
        </StripeForm>
      )}
    </>
  );
}

function Serving({ connection }: { connection: StripeConnection }) {
  const { origin, mode, serves, keys, connected, sandboxAllowed } = connection;
  const current = keys[mode];
  return (
    <div className="grid gap-1">
      <p>{servingText(connection)}</p>
      {current?.failure && (
        <p className="err" role="alert">
          {current.failure}
        </p>
      )}
      {current?.account && <p className="text-sm text-ink-muted">Account {current.account}</p>}
      {current?.checkedAt && (
        <p className="text-sm text-ink-muted">
          Checked <LocalTime of={current.checkedAt} />
        </p>
      )}
      {origin === 'environment' && (
        <p className="text-sm text-ink-muted">
          {stripeMessages.environment} STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_PUBLISHABLE_KEY
        </p>
      )}
      {!connected && serves === null && !current && (
        <p className="text-sm text-ink-muted">
          {waitsForOtherMode(connection)
            ? stripeMessages.otherMode[otherMode(mode)]
            : sandboxAllowed
              ? 'Save API keys, or connect the built-in sandbox, with which no real money moves.'
              : stripeMessages.keysMissing}
        </p>
      )}
    </div>
  );
}

function servingText({ serves, mode, connected }: StripeConnection): string {
  if (serves === 'sandbox') return stripeMessages.sandboxConnected;
  if (serves === null) return 'Buyers cannot pay by card or bank transfer.';
  return connected
    ? `Stripe takes payments by card and bank transfer with ${mode} keys.`
    : `Payments by card and bank transfer use ${mode} keys that cannot be used now.`;
}

/** Test to live leads to a question; live to test is done at once. */
function TestMode({ connection, here }: ConnectionCardProps) {
  const { connected, mode, serves, version } = connection;
  const pending = usePendingForm(SET_STRIPE_MODE) !== null;
  const isTest = mode === 'test';
  const disabled = !maySwitchMode(connection) || pending;
  const control = <SwitchButton label="Test Mode" on={isTest} disabled={disabled} />;
  return (
    <div className="test-mode">
      {isTest ? (
        <Form method="get" action={here} preventScrollReset>
          <input type="hidden" name="do" value="go-live" />
          {control}
        </Form>
      ) : (
        <StripeForm intent={SET_STRIPE_MODE} action={here} fields={{ mode: 'test', seen: version }}>
          {control}
        </StripeForm>
      )}
      <div>
        <p className="font-medium" aria-hidden="true">
          Test Mode
        </p>
        <p className="text-sm text-ink-muted">{modeText(mode, connected ? serves : null)}</p>
      </div>
    </div>
  );
}

function modeText(mode: StripeMode, serves: StripeConnection['serves']): string {
  if (serves === null)
    return mode === 'live'
      ? 'Off: for live keys, with which real money moves.'
      : 'On: for test keys, with which no real money moves.';
  if (mode === 'live') return 'Off: new payments use live keys, and real money moves.';
  return serves === 'sandbox'
    ? 'On: no real money moves.'
    : 'On: new payments use test keys, and no real money moves.';
}

function Former({ connection: { former } }: { connection: StripeConnection }) {
  return (
    <div>
      <h3 className="text-sm font-medium">Former keys</h3>
      <ul className="mt-1 grid gap-1 text-sm text-ink-muted">
        {former.map(({ account, mode, sales }) => (
          <li key={`${account} ${mode}`}>
            {account}, {mode}:{' '}
            {sales === 0
              ? 'no sale needs them, they are removed within a day'
              : `${sales} ${sales === 1 ? 'sale needs' : 'sales need'} them`}
          </li>
        ))}
      </ul>
    </div>
  );
}
