import { setTimeout as delay } from 'node:timers/promises';
import {
  type ActionMessages,
  conflict,
  invalid,
  type Refusal,
  redirectWithToast,
  type Submission,
} from '#app/actions/run-action.ts';
import {
  type ConfigureWebhooksResult,
  configureWebhooks,
  rotateWebhookSecret,
} from '#features/payment-settings/commands/configure-webhooks.ts';
import { connectStripe } from '#features/payment-settings/commands/connect-stripe.ts';
import { disconnectStripe } from '#features/payment-settings/commands/disconnect-stripe.ts';
import { saveStripeKeys } from '#features/payment-settings/commands/save-stripe-keys.ts';
import { setStripeMode } from '#features/payment-settings/commands/set-stripe-mode.ts';
import * as intents from '#features/payment-settings/intents.ts';
import { stripeConnection } from '#features/payment-settings/reads.ts';
import {
  failureTexts,
  modeRefusals,
  modeToast,
  stripeMessages,
  stripeModes,
} from '#features/payment-settings/stripe-keys.ts';
import { PaymentError } from '#gateways/payments/port.ts';
import { BadRequest } from '#platform/errors.ts';
import { type NewerConnection, stripeHref } from './stripe-query.ts';

type Answer = Promise<Response | Refusal<NewerConnection>>;

/** How long the sandbox takes to connect: as long as a provider would. */
const SANDBOX_CONNECTS_MS = 1_500;

const failed = (text: string) => (error: unknown) => ({
  failed: text,
  ...(error instanceof PaymentError && {
    unavailable: error.retryable ? failureTexts.no_answer : stripeMessages.webhookRefused,
  }),
});
const changeFailed = failed(stripeMessages.failed);

/** What the forms of the tab say when they could not be done for a reason that nobody expected. */
export const stripeFailures: Readonly<Record<string, (error: unknown) => ActionMessages>> = {
  [intents.CONNECT_STRIPE]: changeFailed,
  [intents.CHECK_STRIPE]: changeFailed,
  [intents.DISCONNECT_STRIPE]: changeFailed,
  [intents.SAVE_STRIPE_KEYS]: failed(stripeMessages.saveFailed),
  [intents.SET_STRIPE_MODE]: changeFailed,
  [intents.CONFIGURE_WEBHOOKS]: changeFailed,
  [intents.ROTATE_WEBHOOK_SECRET]: changeFailed,
};

/** The forms of the tab Stripe Integration; what succeeds leads back to it, with a toast. */
export const stripeIntents: Readonly<Record<string, (submission: Submission) => Answer>> = {
  [intents.CONNECT_STRIPE]: connect,
  [intents.CHECK_STRIPE]: check,
  [intents.DISCONNECT_STRIPE]: disconnect,
  [intents.SAVE_STRIPE_KEYS]: save,
  [intents.SET_STRIPE_MODE]: setMode,
  [intents.CONFIGURE_WEBHOOKS]: async ({ ctx }) =>
    webhooks(await configureWebhooks(ctx), stripeMessages.webhooksConfigured),
  [intents.ROTATE_WEBHOOK_SECRET]: async (submission) =>
    webhooks(
      await rotateWebhookSecret(submission.ctx, { mode: modeOf(submission) }),
      stripeMessages.secretRotated,
    ),
};

const done = (title: string, text?: string) =>
  redirectWithToast(stripeHref(), { title, ...(text !== undefined && { text }) });
/** Leads back to the tab, which shows what has changed. */
const outdated = () => redirectWithToast(stripeHref(), { title: stripeMessages.newer, tone: 'bad' });
const seenBy = ({ text }: Submission) => Number(text('seen'));

/** @throws BadRequest for anything but a mode */
function modeOf({ text }: Submission) {
  const mode = stripeModes.find((one) => one === text('mode'));
  if (!mode) throw new BadRequest('There is no such mode');
  return mode;
}

async function connect(submission: Submission): Answer {
  const result = await connectStripe(submission.ctx, { seen: seenBy(submission) });
  if (!result.ok) return notConnected(result.reason);
  if (result.serves === 'stripe') return done(stripeMessages.connected);
  await delay(SANDBOX_CONNECTS_MS);
  return done(stripeMessages.connected, stripeMessages.sandboxConnected);
}

async function check(submission: Submission): Answer {
  const result = await connectStripe(submission.ctx, { seen: seenBy(submission) });
  return result.ok ? done(stripeMessages.checked) : notConnected(result.reason);
}

function notConnected(reason: Exclude<Awaited<ReturnType<typeof connectStripe>>, { ok: true }>['reason']) {
  switch (reason) {
    case 'newer':
      return outdated();
    case 'environment':
      return conflict(stripeMessages.environment);
    case 'no_keys':
      return conflict(stripeMessages.keysMissing);
    case 'other_mode':
      return redirectWithToast(stripeHref(), {
        title: 'Not connected yet',
        text: stripeMessages.onlyOtherMode,
        tone: 'bad',
      });
    default:
      // Its page says since when, too.
      return redirectWithToast(stripeHref(), { title: 'Error', text: failureTexts[reason], tone: 'bad' });
  }
}

async function disconnect(submission: Submission): Answer {
  const result = await disconnectStripe(submission.ctx, { seen: seenBy(submission) });
  if (result.ok) return done(stripeMessages.disconnected);
  if (result.reason === 'environment') return conflict(stripeMessages.environment);
  if (result.reason === 'live_sales') return conflict(stripeMessages.liveSales);
  return outdated();
}

async function save(submission: Submission): Answer {
  const { ctx, text } = submission;
  const result = await saveStripeKeys(ctx, {
    seen: seenBy(submission),
    testPublishable: text('testPublishable'),
    testSecret: text('testSecret'),
    livePublishable: text('livePublishable'),
    liveSecret: text('liveSecret'),
  });
  if (result.ok) return done(stripeMessages.saved);
  switch (result.reason) {
    case 'invalid':
      return invalid(result.errors);
    case 'environment':
      return conflict(stripeMessages.environment);
    case 'no_answer':
      return { ok: false, status: 503, toast: `${failureTexts.no_answer} ${stripeMessages.saveFailed}` };
    case 'newer':
      return {
        ...conflict(stripeMessages.newer),
        extra: { newerConnection: await stripeConnection(ctx) },
      };
  }
}

async function setMode(submission: Submission): Answer {
  const mode = modeOf(submission);
  const result = await setStripeMode(submission.ctx, { mode, seen: seenBy(submission) });
  if (result.ok) {
    const { title, text } = modeToast(mode);
    return done(title, text);
  }
  switch (result.reason) {
    case 'newer':
    case 'disconnected':
    case 'already':
      return outdated();
    case 'environment':
      return conflict(stripeMessages.environment);
    case 'no_answer':
      return { ok: false, status: 503, toast: failureTexts.no_answer };
    default:
      return conflict(modeRefusals[result.reason](mode));
  }
}

function webhooks(result: ConfigureWebhooksResult, title: string): Response | Refusal<NewerConnection> {
  if (result.ok) return done(title);
  if (result.reason === 'newer') return outdated();
  return conflict(result.reason === 'environment' ? stripeMessages.environment : stripeMessages.keysMissing);
}
