import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { describe, expect, it } from 'vitest';
import type { ShownKeys, StripeConnection } from '../model.ts';
import { ConnectionCard } from './connection-card.tsx';
import { EnvironmentKeys, KeysForm } from './keys-form.tsx';
import { PayoutCard } from './payout-card.tsx';
import { WebhookCard } from './webhook-card.tsx';

const AT = '2026-11-20T12:00:00.000Z';
const here = '/admin/payment-settings';

function htmlOf(element: ReactElement): string {
  const router = createMemoryRouter([{ path: '*', element }], { initialEntries: [here] });
  return renderToStaticMarkup(createElement(RouterProvider, { router }));
}

/** The text of an element, as the server renders it. */
function textOf(element: ReactElement): string {
  return htmlOf(element)
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replace(/\s+/g, ' ')
    .replace(/ ([.,])/g, '$1')
    .trim();
}

const keys: ShownKeys = {
  publishableKey: 'pk_live_51Public',
  secretHint: 'sk_...1234',
  setAt: AT,
  account: 'acct_...5678',
  checkedAt: AT,
  failure: null,
  webhook: { configured: true, setAt: AT, lastMessageAt: AT },
};
const connection: StripeConnection = {
  version: 1,
  origin: 'saved',
  mode: 'live',
  connected: true,
  serves: 'stripe',
  keys: { test: null, live: keys },
  former: [],
  sandboxAllowed: false,
  webhookUrl: 'https://market.example/api/webhooks/stripe',
};
const connectionCard = (change: Partial<StripeConnection>) =>
  createElement(ConnectionCard, {
    connection: { ...connection, ...change },
    here,
    disconnectHref: `${here}?do=disconnect`,
  });
const card = (change: Partial<StripeConnection>) => textOf(connectionCard(change));

describe('the cards about Stripe', () => {
  it('say what takes payments, and in which mode', () => {
    const live = card({});
    expect(live).toContain('Stripe takes payments by card and bank transfer with live keys.');
    expect(live).toContain('Account acct_...5678');
    expect(live).toContain('Off: new payments use live keys, and real money moves.');
    const nothing = card({ serves: null, connected: false, mode: 'test', keys: { test: null, live: null } });
    expect(nothing).toContain('Not Connected Connect Stripe');
    expect(nothing).toContain('Buyers cannot pay by card or bank transfer. Save API keys first.');
  });

  it('say why saved keys are not connected, and let them be removed', () => {
    const failure = 'The key cannot be read: it was encrypted with another APP_SECRET.';
    const text = card({ connected: false, serves: null, keys: { test: null, live: { ...keys, failure } } });
    expect(text).toContain('Not Connected Remove keys Connect Stripe');
    expect(text).toContain(failure);
  });

  it('lead a site that has live keys only to live mode', () => {
    const waiting = {
      connected: false,
      serves: null,
      mode: 'test' as const,
      keys: { test: null, live: { ...keys, webhook: { ...keys.webhook, configured: false } } },
    };
    const text = card(waiting);
    expect(text).toContain('Only live keys are saved. Configure the webhook, then switch Test Mode off');
    expect(text).not.toContain('Connect Stripe');
    expect(htmlOf(connectionCard(waiting))).not.toContain('disabled');
    const shown = createElement(WebhookCard, {
      connection: { ...connection, ...waiting },
      here,
      rotateHref: () => here,
    });
    expect(textOf(shown)).toContain('Configure Webhooks');
    expect(htmlOf(shown)).not.toContain('disabled');
  });

  it('say which former keys are still needed', () => {
    const former = [
      { account: 'acct_...0001', mode: 'live' as const, sales: 2 },
      { account: 'acct_...0002', mode: 'test' as const, sales: 0 },
    ];
    const text = card({ former });
    expect(text).toContain('acct_...0001, live: 2 sales need them');
    expect(text).toContain('acct_...0002, test: no sale needs them, they are removed within a day');
  });

  it('only show keys of the environment', () => {
    const environment = {
      ...connection,
      origin: 'environment' as const,
      keys: { test: null, live: { ...keys, setAt: null } },
    };
    const text = card(environment);
    expect(text).toContain('The environment of the server sets the keys. They cannot be changed here.');
    for (const act of ['Disconnect', 'Check now', 'Connect Stripe']) expect(text).not.toContain(act);
    const shown = textOf(createElement(EnvironmentKeys, { connection: environment }));
    expect(shown).toContain('Publishable key pk_...blic Secret key sk_...1234');
    const webhook = textOf(
      createElement(WebhookCard, { connection: environment, here, rotateHref: () => here }),
    );
    expect(webhook).toContain('Webhooks Configured');
    expect(webhook).not.toContain('Configure Webhooks');
  });

  it('tell whoever saves over the change of somebody else', () => {
    const form = textOf(
      createElement(KeysForm, { connection, newer: { ...connection, version: 2 }, here, answer: undefined }),
    );
    expect(form).toContain('This record was changed by someone else');
    expect(form).toContain('Saved: sk_...1234, set on');
  });

  it('show what the account holds, or that it could not be read', () => {
    const payout = textOf(
      createElement(PayoutCard, {
        payout: {
          account: 'acct_...5678',
          mode: 'live',
          availableCents: 1_234_56,
          pendingCents: 500_00,
          schedule: 'By hand, in the dashboard',
          dashboardUrl: 'https://dashboard.stripe.com/payouts',
        },
      }),
    );
    expect(payout).toContain(
      'Available $1,234.56 Pending $500.00 Payouts to the bank By hand, in the dashboard',
    );
    expect(textOf(createElement(PayoutCard, { payout: 'failed' }))).toContain(
      'The payout information could not be loaded.',
    );
  });
});
