import { PaymentError } from '#gateways/payments/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import type { ConfiguredService } from './model.ts';
import { maySeePaymentSettings } from './rules.ts';

/**
 * The services that only the environment configures, and whether it does.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export function configuredServices(ctx: CtxWith<'payments'>): ConfiguredService[] {
  authorize(ctx, maySeePaymentSettings);
  const { config } = ctx;
  return [
    coinbase(ctx),
    {
      name: 'Email',
      configured: config.smtpUrl !== undefined,
      mode: null,
      text: config.smtpUrl
        ? 'Emails are sent by your mail server.'
        : 'Emails are written to a folder of the server.',
      variables: 'SMTP_URL, MAIL_FROM',
    },
    {
      name: 'File storage',
      configured: config.filesUrl !== undefined,
      mode: null,
      text: config.filesUrl ? 'Files lie in your object storage.' : 'Files lie in a folder of the server.',
      variables: 'FILES_URL',
    },
  ];
}

function coinbase({ config, payments }: CtxWith<'payments'>): ConfiguredService {
  const port = portOrNull(() => payments.forMethod('crypto'));
  const configured = config.coinbase !== undefined;
  return {
    name: 'Coinbase',
    configured,
    mode: port && (configured ? (port.livemode ? 'live' : 'test') : 'sandbox'),
    text: configured
      ? 'Buyers pay by crypto at Coinbase.'
      : port
        ? 'The built-in sandbox stands in for crypto payments: no real money moves.'
        : 'Buyers cannot pay by crypto.',
    variables: 'COINBASE_KEY_ID, COINBASE_KEY_SECRET, COINBASE_WEBHOOK_SECRET',
  };
}

function portOrNull<Port>(find: () => Port): Port | null {
  try {
    return find();
  } catch (error) {
    if (error instanceof PaymentError && error.code === 'unavailable') return null;
    throw error;
  }
}
