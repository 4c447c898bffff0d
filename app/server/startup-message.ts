import { demoInvitationPath } from '#demo/market/people.ts';
import { DEMO_PASSWORD, demoAccounts } from '#features/accounts/model.ts';
import { providersByMethod } from '#features/checkout/payment-methods.ts';
import { networkOf } from '#gateways/chain/networks.ts';
import type { Ports } from '#gateways/ports.ts';
import type { Config } from '#platform/config.ts';

type Shown = Pick<
  Config,
  | 'publicUrl'
  | 'demo'
  | 'developerPages'
  | 'sandboxPayments'
  | 'stripe'
  | 'coinbase'
  | 'stripeConnect'
  | 'paypal'
  | 'chain'
  | 'smtpUrl'
  | 'dataDir'
>;

/**
 * The text printed when the process is ready: its URL, what is not as on a public site, and in the demo how to sign in.
 * @param ports to also name Stripe where its keys are saved in the database, and Coinbase's sandbox
 */
export function startupMessage(config: Shown, ports?: Pick<Ports, 'payments' | 'payouts'>): string {
  const { publicUrl, demo } = config;
  const lines = [
    '',
    `Acre Trading Post is at ${publicUrl}`,
    `Payments: ${paymentsLine(config, ports)}`,
    `Payouts: ${payoutsLine(config, ports)}`,
    `Chain: ${chainLine(config)}`,
    `Mails: ${mailsLine(config)}`,
  ];
  if (demo) {
    lines.push(
      '',
      `Demo accounts, all with the password ${DEMO_PASSWORD}:`,
      ...demoAccounts.map(({ email, role }) => `  ${email} (${role === 'agent' ? 'seller' : role})`),
      `An invited seller registers at: ${publicUrl}${demoInvitationPath()}`,
    );
  }
  return `${lines.join('\n')}\n\n`;
}

type SavedPorts = Pick<Ports, 'payments' | 'payouts'> | undefined;

function paymentsLine({ stripe, coinbase, sandboxPayments }: Shown, ports: SavedPorts): string {
  const withoutKeys = sandboxPayments
    ? 'sandbox, no real money moves'
    : 'not available, no provider is configured';
  const saved = ports && !stripe ? providersByMethod(ports.payments).card : null;
  const card = stripe
    ? `Stripe${/^.k_test_/.test(stripe.secretKey) ? ', test mode' : ''}`
    : saved?.provider === 'stripe'
      ? `Stripe with saved keys${saved.livemode ? '' : ', test mode'}`
      : withoutKeys;
  const port = ports && providersByMethod(ports.payments).crypto;
  const crypto = coinbase ? `Coinbase${port?.livemode === false ? ', its sandbox' : ''}` : withoutKeys;
  return card === crypto ? card : `card and bank by ${card}; crypto by ${crypto}`;
}

function payoutsLine({ stripe, stripeConnect, paypal, sandboxPayments }: Shown, ports: SavedPorts): string {
  const withoutKeys = sandboxPayments ? 'in the sandbox, no real money moves' : 'by hand';
  const saved = stripeConnect && ports && !stripe ? ports.payouts.forMethod('stripe') : null;
  const connect =
    stripeConnect && stripe
      ? `by Connect${/^.k_test_/.test(stripe.secretKey) ? ', test mode' : ''}`
      : saved?.provider === 'stripe-connect'
        ? `by Connect with saved keys${saved.livemode ? '' : ', test mode'}`
        : withoutKeys;
  const byPayPal = paypal ? `by PayPal${paypal.mode === 'sandbox' ? ', its sandbox' : ''}` : withoutKeys;
  return connect === byPayPal ? connect : `to accounts at Stripe ${connect}; to PayPal addresses ${byPayPal}`;
}

function chainLine({ chain }: Shown): string {
  if (!chain) return 'none, hashes and tokens wait';
  return chain.kind === 'local' ? 'on this machine' : networkOf(chain.chainId).label;
}

function mailsLine({ smtpUrl, developerPages, publicUrl, dataDir }: Shown): string {
  if (smtpUrl) return 'sent by SMTP';
  return developerPages ? `written, see ${publicUrl}/dev/mail` : `written to ${dataDir}/outbox`;
}
