import { nobody, signedIn } from '#platform/access.ts';
import { oneLine, visibleText } from '#platform/typed-text.ts';
import { PASSKEY_NAME_MAX } from './model.ts';

/** Everybody signed in manages their own second factors, whatever their role. */
export const mayManageOwnFactors = signedIn;

/** Whoever has lost theirs asks the operator. */
export const mayResetFactors = nobody;

/** What a passkey is called: one visible line of at most 60 characters, 'Passkey' when nothing was typed. */
export const passkeyName = (typed: string): string =>
  [...oneLine(visibleText(typed))].slice(0, PASSKEY_NAME_MAX).join('').trim() || 'Passkey';

export const factorMessages = {
  failed: 'The change could not be saved. Please try again.',
  proofNeeded: 'Please confirm that it is you',
  nothingGiven: 'Enter your password, or use another way below.',
  wrongPassword: 'The password is incorrect',
  wrongCode: 'The code is incorrect or was used before',
  wrongNewCode: 'The code is incorrect. Check the clock of your phone and enter the newest code.',
  setUpExpired: 'This set-up has expired. Please start again.',
  oneApp: 'An authenticator app is set up already. Remove it first.',
  tooManyPasskeys: 'An account can have 20 passkeys. Remove one first.',
  wrongRecoveryCode: 'The recovery code is incorrect or was used before',
  stepExpired: 'This took too long. Please sign in again.',
  lastFactor: {
    title: 'Not removed',
    text: 'Administrators need a second factor. Add another one first.',
  },
  gone: { title: 'Already removed', text: 'It is no longer part of your account.' },
  wrongPasskey: 'The passkey was not accepted. Please try again.',
} as const;
