import { hasRole, signedIn } from '#platform/access.ts';

export const mayExportOwnData = signedIn;
/** Sellers and administrators have obligations to others; an administrator closes their accounts. */
export const mayCloseAccount = hasRole('buyer');

export const personalDataMessages = {
  liveSale: 'A purchase of yours is still under way. You can close your account once it has come to its end.',
  wrongPassword: 'The password is not right',
  closed: { title: 'Account closed', text: 'Your account is closed. Thank you for having been with us.' },
  closeFailed: 'The account could not be closed. Please try again.',
} as const;
