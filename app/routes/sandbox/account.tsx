import './checkout.css';
import { data } from 'react-router';
import { pageMeta } from '#app/page-meta.ts';
import { getScope } from '#app/request.ts';
import { BareShell } from '#app/shell/bare-shell.tsx';
import { ErrorPage } from '#app/shell/error-page.tsx';
import { useSite } from '#app/site.ts';
import { DEFAULT_BRAND } from '#features/settings/brand.ts';
import { readLoginPage } from '#gateways/payouts/sandbox/login-page.ts';
import { dollarsAndCents } from '#platform/money.ts';
import { Notice } from '#ui/notice.tsx';
import type { Route } from './+types/account';

/** The seller's own page at the sandbox; as at a provider, the link that leads here needs no session. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { ctx, services } = getScope(context);
  const { sandboxPayments, secret } = ctx.config;
  const shown = sandboxPayments ? await readLoginPage(services.db, params.token, secret, ctx.now()) : null;
  if (!shown) throw data(null, { status: 404, statusText: 'Page Not Found' });
  return shown;
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Sandbox payout account', hidden: true });

export default function SandboxAccount({ loaderData }: Route.ComponentProps) {
  const { name, email, balanceCents, transfersActive, requirement } = loaderData;
  return (
    <BareShell brand={useSite()?.brand ?? DEFAULT_BRAND}>
      <div className="sandbox">
        <p className="sandbox-mark">Sandbox – no real money moves</p>
        <section className="sheet" aria-label="Payout account">
          <h1>{dollarsAndCents(balanceCents)}</h1>
          <p className="sandbox-who">
            Balance of {name} · {email}
          </p>
          <div className="sandbox-note">
            <Notice
              tone={transfersActive ? 'ok' : 'warn'}
              title={
                transfersActive ? 'This account can receive payouts.' : 'This account cannot receive payouts.'
              }
            >
              {requirement && <p>{requirement}</p>}
            </Notice>
          </div>
        </section>
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
