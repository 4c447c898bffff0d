import './checkout.css';
import { data, redirect } from 'react-router';
import { runAction, type Submission } from '#app/actions/run-action.ts';
import { pageMeta } from '#app/page-meta.ts';
import { getScope } from '#app/request.ts';
import { BareShell } from '#app/shell/bare-shell.tsx';
import { ErrorPage } from '#app/shell/error-page.tsx';
import { useSite } from '#app/site.ts';
import { DEFAULT_BRAND } from '#features/settings/brand.ts';
import {
  ONBOARDING_ACTIONS,
  type OnboardingAction,
  performOnboarding,
  readOnboarding,
} from '#gateways/payouts/sandbox/onboarding-page.ts';
import { paths } from '#routing/paths.ts';
import { INTENT } from '#ui/action-data.ts';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import type { Route } from './+types/onboarding';

/** The page of a link, while the sandbox is enabled; as at a provider, the unguessable URL needs no session. */
async function requireOnboarding(token: string, context: Route.LoaderArgs['context']) {
  const { ctx, services } = getScope(context);
  const found = ctx.config.sandboxPayments ? await readOnboarding(services.db, token, ctx.now()) : null;
  if (!found) throw data(null, { status: 404, statusText: 'Page Not Found' });
  return found;
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const { valid, refreshUrl, ...shown } = await requireOnboarding(params.token, context);
  if (!valid) throw redirect(refreshUrl);
  return { ...shown, actions: ONBOARDING_ACTIONS };
}

/** Handles the buttons of the page, a plain form; leads back to where the seller came from. */
export async function action(args: Route.ActionArgs) {
  const { token } = args.params;
  await requireOnboarding(token, args.context);
  const perform =
    (one: OnboardingAction) =>
    async ({ ctx, scope }: Submission) =>
      redirect(await performOnboarding(scope.services.db, token, one, ctx.now()), 303);
  return runAction(args, {
    intents: Object.fromEntries(ONBOARDING_ACTIONS.map((one) => [one, perform(one)])),
  });
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Sandbox payout account', hidden: true });

const labels: Record<OnboardingAction, string> = {
  complete: 'Complete the setup',
  incomplete: 'Submit without an identity document',
  leave: 'Return without finishing',
};

export default function SandboxOnboarding({ loaderData, params }: Route.ComponentProps) {
  const { name, email, transfersActive, requirement, actions } = loaderData;
  return (
    <BareShell brand={useSite()?.brand ?? DEFAULT_BRAND}>
      <div className="sandbox">
        <p className="sandbox-mark">Sandbox – no real money moves</p>
        <section className="sheet" aria-label="Payout account">
          <h1>Payout account</h1>
          <p className="sandbox-who">
            {name} · {email}
          </p>
          <div className="sandbox-note">
            <Notice
              tone={transfersActive ? 'ok' : 'info'}
              title={
                transfersActive
                  ? 'This account can receive payouts.'
                  : 'This account cannot receive payouts yet.'
              }
            >
              {requirement && <p>{requirement}</p>}
            </Notice>
          </div>
          <form method="post" action={paths.sandboxOnboarding(params.token)} className="stack">
            {actions.map((one) => (
              <Button
                key={one}
                type="submit"
                name={INTENT}
                value={one}
                size="lg"
                wide
                variant={one === 'complete' ? 'primary' : one === 'leave' ? 'ghost' : 'outline'}
              >
                {labels[one]}
              </Button>
            ))}
          </form>
        </section>
        <p className="hint">
          This page stands in for Stripe's, where sellers enter who they are and where their bank is.
        </p>
      </div>
    </BareShell>
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
