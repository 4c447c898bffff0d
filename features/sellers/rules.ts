import { anyone, hasRole, nobody, type Permission, sellerOf } from '#platform/access.ts';

/** The seller area is open to every seller; a suspended one has read-only access. */
export const mayUseSellerArea = hasRole('agent');
/** Writes need the seller role, a seller record and no suspension. */
export const mayActAsSeller: Permission = (actor) => sellerOf(actor)?.suspended === false;

/** Anyone with the link; its id and token decide what it opens. */
export const mayRegister = anyone;
/** Sellers are invited by administrators and from the command line. */
export const mayInvite = hasRole('admin');
/** Everything else about sellers, too. */
export const mayManageSellers = hasRole('admin');
/** What an archived seller had for sale is withdrawn by a job. */
export const mayWithdrawForSellers = nobody;
/** Links that other mails carry are created by the system alone. */
export const mayCreateLink = nobody;

export const suspendedMessage = {
  title: 'Your seller account is suspended',
  text: 'You can see everything here but cannot change anything. Your listings are hidden, administrators continue your open sales, and payouts are on hold.',
};

/** The user-facing messages of the registration. */
export const registrationMessages = {
  verifying: 'Verifying seller information...',
  invalidTitle: 'Invalid Registration Link',
  invalid: 'The registration link is invalid or has expired.',
  unknown: 'The seller ID provided does not exist.',
  fault: 'There was an error verifying your seller account.',
  title: 'Complete Your Seller Registration',
  lead: 'Set up your account to access the seller portal',
  asInvited: 'As in your invitation',
  byMail:
    'We will email a link to the address that was invited. Open it to set your password and finish; you will be asked for the password again.',
  alreadyRegistered: { title: 'Already registered', text: 'Please sign in with your password.' },
  accountExists: {
    title: 'Account already exists',
    text: 'There is an account with this email address. Please sign in.',
  },
  failed: 'Registration failed',
  done: { title: 'Registration complete', text: 'Welcome to the seller portal.' },
} as const;
