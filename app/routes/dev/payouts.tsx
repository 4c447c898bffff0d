import './payouts.css';
import { redirect } from 'react-router';
import { runAction, type Submission } from '#app/actions/run-action.ts';
import { pageMeta } from '#app/page-meta.ts';
import { getScope } from '#app/request.ts';
import { PaymentError } from '#gateways/payments/port.ts';
import {
  CONSOLE_ACTIONS,
  performConsoleAction,
  readPayoutConsole,
} from '#gateways/payouts/sandbox/console.ts';
import { dollarsAndCents } from '#platform/money.ts';
import { paths } from '#routing/paths.ts';
import { Button } from '#ui/button.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { Select } from '#ui/select.tsx';
import { TextInput } from '#ui/text-input.tsx';
import type { Route } from './+types/payouts';
import { ConsoleAccounts, ConsoleMessages } from './payouts/accounts.tsx';
import { ConsolePayouts } from './payouts/payouts.tsx';

/** What the sandbox knows of payouts to sellers, newest first; `?q=` finds them by sale, key or destination. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { ctx, services } = getScope(context);
  const q = new URL(request.url).searchParams.get('q') ?? '';
  return { q, ...(await readPayoutConsole(services.db, q, ctx.now())) };
}

export async function action(args: Route.ActionArgs) {
  const { search } = new URL(args.request.url);
  const perform =
    (one: (typeof CONSOLE_ACTIONS)[number]) =>
    async ({ ctx, scope, text }: Submission) => {
      try {
        await performConsoleAction(scope.services.db, one, text, ctx.now());
        return redirect(paths.devPayouts() + search, 303);
      } catch (error) {
        if (!(error instanceof PaymentError)) throw error;
        return { ok: false as const, toast: error.message };
      }
    };
  return runAction(args, { intents: Object.fromEntries(CONSOLE_ACTIONS.map((one) => [one, perform(one)])) });
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Sandbox payouts', hidden: true });

export default function SandboxPayouts({ loaderData, actionData }: Route.ComponentProps) {
  const { q, balances, payouts, accounts, messages } = loaderData;
  return (
    <div className="console">
      <PageHead title="Sandbox payouts" back={{ href: paths.home(), label: 'Back' }} />
      {actionData?.toast && <p role="alert">{actionData.toast.text}</p>}
      <section className="sheet" aria-labelledby="balances">
        <h2 id="balances">Balances</h2>
        <dl className="console-facts">
          {(['stripe', 'paypal'] as const).map((method) => (
            <div key={method}>
              <dt>{method === 'stripe' ? 'Stripe' : 'PayPal'}</dt>
              <dd>
                {dollarsAndCents(balances[method].availableCents)} available,{' '}
                {dollarsAndCents(balances[method].pendingCents)} pending
              </dd>
            </div>
          ))}
        </dl>
        <form method="post" className="console-form">
          <IntentField is="fund" />
          <Select
            label="Account"
            name="method"
            options={[
              { value: 'paypal', label: 'PayPal' },
              { value: 'stripe', label: 'Stripe' },
            ]}
          />
          <TextInput label="Amount in dollars" name="dollars" inputMode="decimal" required />
          <Button type="submit" variant="outline">
            Add funds
          </Button>
        </form>
      </section>
      <section className="sheet" aria-labelledby="payouts">
        <h2 id="payouts">Payouts</h2>
        <form method="get" className="console-form">
          <TextInput label="Sale, key or destination" name="q" defaultValue={q} />
          <Button type="submit" variant="outline">
            Search
          </Button>
        </form>
        {payouts.length > 0 ? <ConsolePayouts payouts={payouts} /> : <EmptyState title="No payouts." />}
      </section>
      <ConsoleAccounts accounts={accounts} />
      <ConsoleMessages messages={messages} />
    </div>
  );
}
