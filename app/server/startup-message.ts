import { demoInvitationPath } from '#demo/market/people.ts';
import { DEMO_PASSWORD, demoAccounts } from '#features/accounts/model.ts';
import { providersByMethod } from '#features/checkout/payment-methods.ts';
import { networkOf } from '#gateways/chain/networks.ts';
import type { Payments } from '#gateways/payments/port.ts';
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
 * @param payments to also name Stripe where its keys are saved in the database
 */
export function startupMessage(config: Shown, payments?: Payments): string {
  const { publicUrl, demo } = config;
  const lines = [
    '',
    `Acre Trading Post is at ${publicUrl}`,
    `Payments: ${paymentsLine(config, payments)}`,
    `Payouts: ${payoutsLine(config)}`,
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

function paymentsLine({ stripe, coinbase, sandboxPayments }: Shown, payments: Payments | undefined): string {
  const withoutKeys = sandboxPayments
    ? 'sandbox, no real money moves'
    : 'not available, no provider is configured';
  const saved = payments && !stripe ? providersByMethod(payments).card : null;
  const card = stripe
    ? `Stripe${/^.k_test_/.test(stripe.secretKey) ? ', test mode' : ''}`
    : saved?.provider === 'stripe'
      ? `Stripe with saved keys${saved.livemode ? '' : ', test mode'}`
      : withoutKeys;
  const crypto = coinbase ? 'Coinbase' : withoutKeys;
  return card === crypto ? card : `card and bank by ${card}; crypto by ${crypto}`;
}

function payoutsLine({ stripeConnect, paypal, sandboxPayments }: Shown): string {
  const withoutKeys = sandboxPayments ? 'in the sandbox, no real money moves' : 'by hand';
  if (!stripeConnect && !paypal) return withoutKeys;
  const isTest = stripeConnect && /^.k_test_/.test(stripeConnect.secretKey);
  const connect = stripeConnect ? `by Connect${isTest ? ', test mode' : ''}` : withoutKeys;
  const byPayPal = paypal ? `by PayPal${paypal.mode === 'sandbox' ? ', its sandbox' : ''}` : withoutKeys;
  return `to accounts at Stripe ${connect}; to PayPal addresses ${byPayPal}`;
}

function chainLine({ chain }: Shown): string {
  if (!chain) return 'none, hashes and tokens wait';
  return chain.kind === 'local' ? 'on this machine' : networkOf(chain.chainId).label;
}

function mailsLine({ smtpUrl, developerPages, publicUrl, dataDir }: Shown): string {
  if (smtpUrl) return 'sent by SMTP';
  return developerPages ? `written, see ${publicUrl}/dev/mail` : `written to ${dataDir}/outbox`;
}
