import type { ShownKeys, StripeConnection } from './model.ts';
import { type CheckFailure, failureTexts, maskedAccount, type StripeMode } from './stripe-keys.ts';
import type { KeySet } from './stripe-store.ts';

const isFailure = (text: string): text is CheckFailure => Object.hasOwn(failureTexts, text);

/** What pages show of saved keys. */
export function shownKeys(
  set: KeySet,
  {
    readable,
    endpointReadable,
    lastMessageAt,
  }: { readable: boolean; endpointReadable: boolean; lastMessageAt: Date | null },
): ShownKeys {
  const failure = readable ? set.check_failure : 'unreadable';
  return {
    publishableKey: set.publishable_key,
    secretHint: set.secret_hint,
    setAt: set.set_at.toISOString(),
    account: maskedAccount(set.account_ref),
    checkedAt: set.checked_at.toISOString(),
    failure:
      failure === null
        ? null
        : failureTexts[failure === 'unreadable' || isFailure(failure) ? failure : 'refused'],
    webhook: {
      configured: set.endpoint_enabled === true && endpointReadable,
      setAt: set.endpoint_set_at?.toISOString() ?? null,
      lastMessageAt: lastMessageAt?.toISOString() ?? null,
    },
  };
}

/** Whether card payments are connected: Stripe accepts the keys of the mode in use, or without keys the sandbox stands in. */
export function isConnected({
  serves,
  keys,
  mode,
}: Pick<StripeConnection, 'serves' | 'keys' | 'mode'>): boolean {
  if (serves === 'sandbox') return true;
  const current = keys[mode];
  return serves === 'stripe' && current !== null && current.failure === null;
}

/** The mode that new payments do not use. */
export const otherMode = (mode: StripeMode): StripeMode => (mode === 'test' ? 'live' : 'test');

const isUsable = (keys: ShownKeys | null): boolean => keys !== null && keys.failure === null;

/** Whether the keys of the mode in use are missing, and usable ones of the other mode are saved: switching to it connects Stripe. */
export const waitsForOtherMode = ({
  origin,
  connected,
  mode,
  keys,
}: Pick<StripeConnection, 'origin' | 'connected' | 'mode' | 'keys'>): boolean =>
  origin === 'saved' && !connected && keys[mode] === null && isUsable(keys[otherMode(mode)]);

/** Whether the mode can be switched; without a connection only to keys that can be used, since that is how there may be one again. */
export const maySwitchMode = ({
  origin,
  connected,
  mode,
  keys,
}: Pick<StripeConnection, 'origin' | 'connected' | 'mode' | 'keys'>): boolean =>
  origin === 'saved' && (connected || isUsable(keys[otherMode(mode)]));

/** 'Every day', as Stripe pays the balance out to the bank. */
export function scheduleText(interval: string | null): string {
  switch (interval) {
    case 'manual':
      return 'By hand, in the dashboard';
    case 'daily':
      return 'Every day';
    case 'weekly':
      return 'Every week';
    case 'monthly':
      return 'Every month';
    default:
      return 'As set in the dashboard';
  }
}
