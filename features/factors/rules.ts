import { signedIn } from '#platform/access.ts';

/** Everybody signed in manages their own second factors, whatever their role. */
export const mayManageOwnFactors = signedIn;

export const factorMessages = {
  proofNeeded: 'Please confirm that it is you',
  nothingGiven: 'Enter your password, or use another way below.',
  wrongPassword: 'The password is incorrect',
  wrongCode: 'The code is incorrect or was used before',
  wrongPasskey: 'The passkey was not accepted. Please try again.',
} as const;
