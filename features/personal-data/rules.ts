import { hasRole, nobody, signedIn } from '#platform/access.ts';

export const mayExportOwnData = signedIn;
/** Sellers and administrators have obligations to others; an administrator closes their accounts. */
export const mayCloseAccount = hasRole('buyer');
/** Exporting and erasing what is kept about somebody who asked for it. */
export const mayAnswerDataRequests = hasRole('admin');
/** Only what closes accounts erases them. */
export const mayEraseAccounts = nobody;

export const personalDataMessages = {
  liveSale: 'One of your purchases is still in progress. You can close your account once it is over.',
  wrongPassword: 'The password is incorrect',
  closed: { title: 'Account closed', text: 'Your account is closed. Thank you for being with us.' },
  closeFailed: 'The account could not be closed. Please try again.',
} as const;
