import { dollarsAndCents } from '#platform/money.ts';
import './checkout.css';
import { data, redirect } from 'react-router';
import { runAction, type Submission } from '#app/actions/run-action.ts';
import { pageMeta } from '#app/page-meta.ts';
import { getScope } from '#app/request.ts';
import { BareShell } from '#app/shell/bare-shell.tsx';
import { ErrorPage } from '#app/shell/error-page.tsx';
import { useSite } from '#app/site.ts';
import { paidByLabels } from '#features/sales/rules.ts';
import { DEFAULT_BRAND } from '#features/settings/brand.ts';
import type { CheckoutStatus } from '#gateways/payments/port.ts';
import {
  performSandboxAction,
  readSandboxCheckout,
  SANDBOX_ACTIONS,
  type SandboxAction,
} from '#gateways/payments/sandbox/checkout-page.ts';
import { purchasePaths } from '#routing/purchase-paths.ts';
import { INTENT } from '#ui/action-data.ts';
import { Button } from '#ui/button.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { Notice } from '#ui/notice.tsx';
import { PriceBreakdown } from '#ui/price-breakdown.tsx';
import type { Route } from './+types/checkout';

/** The checkout, while the sandbox is enabled; as at a provider, the unguessable URL needs no session. */
async function requireCheckout(ref: string, context: Route.LoaderArgs['context']) {
  const { ctx, services } = getScope(context);
  const checkout = ctx.config.sandboxPayments ? await readSandboxCheckout(services.db, ref, ctx.now()) : null;
  if (!checkout) throw data(null, { status: 404, statusText: 'Page Not Found' });
  return checkout;
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const { expiresAt, settleAt, ...checkout } = await requireCheckout(params.ref, context);
  return {
    ...checkout,
    expiresAt: expiresAt.toISOString(),
    settleAt: settleAt?.toISOString() ?? null,
  };
}

/** Handles the buttons of the page, a plain form; redirects onwards or back here. */
export async function action(args: Route.ActionArgs) {
  const { ref } = args.params;
  await requireCheckout(ref, args.context);
  const perform =
    (one: SandboxAction) =>
    async ({ ctx, scope }: Submission) => {
      const result = await performSandboxAction(scope.services.db, ref, one, ctx.now());
      if (!result.ok) ctx.log.info({ reason: result.reason }, 'the sandbox refused an action');
      // On a refusal the page itself shows why: the checkout is already closed.
      const here = purchasePaths.sandboxCheckout(ref);
      return redirect(result.ok ? (result.goTo ?? here) : here, 303);
    };
  return runAction(args, { intents: Object.fromEntries(SANDBOX_ACTIONS.map((one) => [one, perform(one)])) });
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Sandbox checkout', hidden: true });

const labels: Record<SandboxAction, string> = {
  pay: 'Pay',
  pay_later: 'Pay later (bank transfer settles)',
  decline: 'Decline',
  expire: 'Expire',
  cancel: 'Cancel',
  send: 'Send a transfer',
  send_rest: 'Send the rest',
  send_too_much: 'Send $1,000.00 too much',
  send_late: 'Send another $1,000.00',
};

export default function SandboxCheckout({ loaderData }: Route.ComponentProps) {
  const { ref, method, lines, amountCents, description, buyerEmail, status, notice, actions, transfer } =
    loaderData;
  return (
    <BareShell brand={useSite()?.brand ?? DEFAULT_BRAND}>
      <div className="sandbox">
        <p className="sandbox-mark">Sandbox – no real money moves</p>
        <section className="sheet" aria-label="Checkout">
          <h1>{description}</h1>
          <p className="sandbox-who">
            {transfer
              ? paidByLabels.bank
              : method === 'card'
                ? paidByLabels.card_or_bank
                : 'USDC on Base Sepolia'}{' '}
            · {buyerEmail}
          </p>
          <PriceBreakdown
            rows={lines.map(({ name, amountCents: cents }) => ({
              label: name,
              amount: dollarsAndCents(cents),
            }))}
            total={{ label: 'Total', amount: dollarsAndCents(amountCents) }}
          />
          {transfer && <Transfer {...transfer} />}
          {transfer && (status === 'open' || status === 'processing') ? (
            <a className="btn btn-outline btn-lg btn-wide" href={loaderData.successUrl}>
              Return to the marketplace
            </a>
          ) : status === 'open' ? (
            <p className="sandbox-note">
              This checkout is open until <LocalTime of={loaderData.expiresAt} />.
            </p>
          ) : (
            <Closed {...loaderData} />
          )}
          {notice && status === 'open' && <Notice tone="bad">{notice}</Notice>}
          {actions.length > 0 && (
            <form method="post" action={purchasePaths.sandboxCheckout(ref)} className="stack">
              {actions.map((action) => (
                <Button
                  key={action}
                  type="submit"
                  name={INTENT}
                  value={action}
                  size="lg"
                  wide
                  variant={variantOf(action)}
                >
                  {labels[action]}
                </Button>
              ))}
            </form>
          )}
        </section>
        {status === 'open' && (
          <p className="hint">
            {transfer
              ? "This page stands in for the payment provider. Each button does what the payer's bank would do."
              : "This page stands in for the payment provider. 'Decline' refuses the payment, 'Expire' lets the time run out, and 'Cancel' goes back without paying."}
          </p>
        )}
      </div>
    </BareShell>
  );
}

const variantOf = (action: SandboxAction) =>
  action === 'pay' || action === 'send' ? 'primary' : action === 'cancel' ? 'ghost' : 'outline';

type Loaded = Route.ComponentProps['loaderData'];

/** Where to send the transfers, and what has arrived. */
function Transfer(transfer: NonNullable<Loaded['transfer']>) {
  const { tranches, missingCents, receivedCents, trancheCents } = transfer;
  return (
    <>
      <dl className="sandbox-bank">
        {[
          ['Bank', transfer.bank],
          ['Routing number', transfer.routingNumber],
          ['Account number', transfer.accountNumber],
          ['Reference', transfer.reference],
        ].map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className="sandbox-note">
        Each transfer carries at most {dollarsAndCents(trancheCents)}. {dollarsAndCents(receivedCents)} has
        arrived, {dollarsAndCents(missingCents)} is missing.
      </p>
      {tranches.length > 0 && (
        <ol className="sandbox-tranches" aria-label="Transfers that have arrived">
          {tranches.map(({ ref, amountCents }) => (
            <li key={ref}>{dollarsAndCents(amountCents)}</li>
          ))}
        </ol>
      )}
    </>
  );
}

const closed: Record<Exclude<CheckoutStatus, 'open'>, { tone: 'ok' | 'info' | 'warn'; text: string }> = {
  paid: { tone: 'ok', text: 'This checkout is paid.' },
  processing: { tone: 'info', text: 'The money is on its way.' },
  failed: { tone: 'warn', text: 'The payment failed. Nothing was charged.' },
  expired: { tone: 'warn', text: 'This checkout has expired. Nothing was charged.' },
  canceled: { tone: 'warn', text: 'This checkout was closed. Nothing was charged.' },
};

function Closed({ status, settleAt, successUrl, cancelUrl, transfer }: Loaded) {
  if (status === 'open') return null;
  const isPart = status === 'canceled' && transfer !== null && transfer.receivedCents > 0;
  const { tone, text } = isPart
    ? ({ tone: 'warn', text: 'This checkout was closed. What has arrived is refunded.' } as const)
    : closed[status];
  const done = status === 'paid' || status === 'processing';
  return (
    <>
      <div className="sandbox-note">
        <Notice tone={tone} title={text}>
          {settleAt && (
            <p>
              It arrives <LocalTime of={settleAt} />.
            </p>
          )}
        </Notice>
      </div>
      <a className="btn btn-outline btn-lg btn-wide" href={done ? successUrl : cancelUrl}>
        Return to the marketplace
      </a>
    </>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const site = useSite();
  return (
    <BareShell brand={site?.brand ?? DEFAULT_BRAND}>
      <ErrorPage error={error} />
    </BareShell>
  );
}
