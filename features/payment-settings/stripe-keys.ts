/** Test keys move no money. */
export type StripeMode = 'test' | 'live';

export const stripeModes = ['test', 'live'] as const satisfies readonly StripeMode[];

/** The boxes in which keys are typed. */
const keyFields = ['testPublishable', 'testSecret', 'livePublishable', 'liveSecret'] as const;
type KeyField = (typeof keyFields)[number];

export type TypedKeys = Readonly<Record<KeyField, string>>;
export type KeyErrors = Partial<Record<KeyField, string>>;

/** What was typed for one mode; null for a box that was left empty. */
export interface ModeKeys {
  mode: StripeMode;
  publishable: string | null;
  secret: string | null;
}

export const fieldsOf = {
  test: { publishable: 'testPublishable', secret: 'testSecret' },
  live: { publishable: 'livePublishable', secret: 'liveSecret' },
} as const satisfies Record<StripeMode, Record<'publishable' | 'secret', KeyField>>;

/** Longest key that is accepted, in characters; Stripe names no limit. */
export const KEY_MAX_LENGTH = 255;

export const stripeMessages = {
  saved: 'API Keys Saved',
  saveFailed: 'Failed to save API keys. Please try again.',
  connected: 'Stripe Connected',
  sandboxConnected: 'The built-in sandbox stands in for card payments: no real money moves.',
  disconnected: 'Stripe Disconnected',
  checked: 'Connection checked',
  failed: 'The connection to Stripe could not be changed. Please try again.',
  newer: 'This record was changed by someone else',
  environment: 'The environment of the server sets the keys. They cannot be changed here.',
  keysMissing: 'Save API keys first.',
  onlyOtherMode: 'Only keys of the other mode are saved. Configure their webhook, then switch Test Mode.',
  otherMode: {
    test: 'Only test keys are saved. Switch Test Mode on to take payments with them; no real money moves then.',
    live: 'Only live keys are saved. Configure the webhook, then switch Test Mode off to take payments with them.',
  },
  liveSales: 'Live sales are under way. Stripe can be disconnected once they have ended.',
  nothingTyped: 'Enter a key to save',
  secretMissing: 'Enter the secret key of the same account too',
  refused: 'Stripe does not accept this key',
  liveRefused: 'Live keys can be saved in production only',
  webhooksConfigured: 'Webhooks Configured',
  secretRotated: 'Webhook secret rotated',
  webhookRefused:
    'Stripe does not send its messages to this address. It has to be reachable from the internet.',
  payoutFailed: 'The payout information could not be loaded.',
  loadFailed: 'The payment settings could not be loaded.',
} as const;

/** 'Test Mode Activated' with its text. */
export const modeToast = (mode: StripeMode) => ({
  title: mode === 'live' ? 'Live Mode Activated' : 'Test Mode Activated',
  text: `The platform is now using ${mode} API keys.`,
});

/** Why a mode cannot be switched to. */
export const modeRefusals = {
  no_keys: (mode: StripeMode) => `Save ${mode} keys first.`,
  refused: (mode: StripeMode) => `Stripe does not accept the ${mode} keys.`,
  no_webhook: (mode: StripeMode) => `Configure the webhook of ${mode} mode first.`,
} as const;

const forms = {
  test: { publishable: /^pk_test_\w+$/, secret: /^[sr]k_test_\w+$/ },
  live: { publishable: /^pk_live_\w+$/, secret: /^[sr]k_live_\w+$/ },
};

const formTexts = {
  publishable: (mode: StripeMode) => `A ${mode} publishable key starts with pk_${mode}_`,
  secret: (mode: StripeMode) => `A ${mode} secret key starts with sk_${mode}_ or rk_${mode}_`,
};

/** The keys as they were typed, or what is wrong in which box. Their prefixes must fit their boxes. */
export function parseKeys(
  typed: TypedKeys,
): { ok: true; modes: ModeKeys[] } | { ok: false; errors: KeyErrors } {
  const errors: KeyErrors = {};
  const modes = stripeModes.map((mode): ModeKeys => {
    const read = (kind: 'publishable' | 'secret') => {
      const field = fieldsOf[mode][kind];
      const key = typed[field].trim();
      if (key === '') return null;
      if (key.length > KEY_MAX_LENGTH || !forms[mode][kind].test(key)) errors[field] = formTexts[kind](mode);
      return key;
    };
    return { mode, publishable: read('publishable'), secret: read('secret') };
  });
  const given = modes.filter(({ publishable, secret }) => publishable !== null || secret !== null);
  if (given.length === 0) return { ok: false, errors: { testPublishable: stripeMessages.nothingTyped } };
  return Object.keys(errors).length > 0 ? { ok: false, errors } : { ok: true, modes: given };
}

/** What is shown of a secret key: 'sk_...1234'. */
export const keyHint = (key: string): string => `${key.slice(0, 3)}...${key.slice(-4)}`;

/** What is shown of an account: 'acct_...1234'. */
export const maskedAccount = (account: string): string => `acct_...${account.slice(-4)}`;

/** Stripe's own pages for payouts in a mode. */
export const dashboardUrl = (mode: StripeMode): string =>
  `https://dashboard.stripe.com/${mode === 'test' ? 'test/' : ''}payouts`;

/** The mode of a secret key. */
export const modeOfKey = (secretKey: string): StripeMode => (/^.k_live_/.test(secretKey) ? 'live' : 'test');

/** Why the last question whether Stripe accepts a key failed, as it is stored. */
export type CheckFailure = 'refused' | 'no_answer';

export const failureTexts: Readonly<Record<CheckFailure | 'unreadable', string>> = {
  refused: 'Stripe does not accept the key.',
  no_answer: 'Stripe did not answer.',
  unreadable: 'The key cannot be read: it was encrypted with another APP_SECRET.',
};
