import { z } from 'zod';
import { emailAddress } from '#features/accounts/model.ts';
import { DAY } from '#platform/durations.ts';

const PASSWORD_TOO_SHORT = 'Password must be at least 8 characters';

const passwords = {
  password: z
    .string(PASSWORD_TOO_SHORT)
    .min(8, PASSWORD_TOO_SHORT)
    .max(128, 'Password must be at most 128 characters'),
  confirm: z.string('Passwords do not match'),
};
const matching = ({ password, confirm }: { password: string; confirm: string }) => password === confirm;
const mismatch = {
  path: ['confirm'],
  error: 'Passwords do not match',
  // Report this even if another field is invalid.
  when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null && 'confirm' in value,
};

/** The registration form of a link without a token, which names nobody. */
export const passwordSchema = z.object(passwords).refine(matching, mismatch);

/** The seller registration form. */
export const registerSchema = z
  .object({
    name: z
      .string('Name must be at least 2 characters')
      .trim()
      .min(2, 'Name must be at least 2 characters')
      .max(120, 'Name must be at most 120 characters'),
    email: emailAddress('Invalid email address'),
    ...passwords,
  })
  .refine(matching, mismatch);

/** How long a mailed invitation works, in milliseconds. */
export const INVITATION_MS = 7 * DAY;

/**
 * The state of a registration link. `proven`: its token came by mail, so that it completes the registration. Without a token the
 * form mails a link and shows nothing of the invitation, since the seller's id is no secret.
 */
export type RegistrationState =
  | { state: 'ready'; proven: true; name: string; email: string }
  | { state: 'ready'; proven: false }
  | { state: 'registered' | 'invalid' | 'unknown' | 'fault' };

/** A seller's own profile. Times are ISO 8601, UTC. */
export interface SellerProfile {
  id: string;
  name: string;
  email: string;
  registeredAt: string | null;
  activeListings: number;
  soldListings: number;
}
