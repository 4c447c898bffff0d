import { z } from 'zod';

export const payoutMethods = ['stripe', 'paypal'] as const;
export type PayoutMethod = (typeof payoutMethods)[number];

const address = (message: string) =>
  z
    .string(message)
    .trim()
    .pipe(z.email(message).max(254, message))
    .transform((text) => text.toLowerCase());
const SHORT = 'Password must be at least 8 characters';

/** The form of a seller's registration, with the messages of S0 §5. */
export const registerSchema = z
  .object({
    name: z
      .string('Name must be at least 2 characters')
      .trim()
      .min(2, 'Name must be at least 2 characters')
      .max(120, 'Name must be at most 120 characters'),
    email: address('Invalid email address'),
    password: z.string(SHORT).min(8, SHORT).max(128, 'Password must be at most 128 characters'),
    confirm: z.string('Passwords do not match'),
  })
  .refine(({ password, confirm }) => password === confirm, {
    path: ['confirm'],
    error: 'Passwords do not match',
    // Also told beside another field's complaint.
    when: ({ value }) => typeof value === 'object' && value !== null && 'confirm' in value,
  });

/** Who is invited; what an administrator types. */
export const inviteSchema = z.object({
  name: registerSchema.shape.name,
  email: address('Invalid email address'),
});

/** How a seller wants to be paid: PayPal needs an address (S0 §5). */
export const payoutSchema = z.discriminatedUnion(
  'method',
  [
    z.object({ method: z.literal('stripe') }),
    z.object({
      method: z.literal('paypal'),
      paypalEmail: z
        .string('PayPal email is required')
        .trim()
        .min(1, 'PayPal email is required')
        .pipe(address('Invalid email address')),
    }),
  ],
  'Please choose how you want to be paid.',
);

const limit = (name: string, times: number, windowSeconds: number) => ({ name, limit: times, windowSeconds });

/** What may be done how often. */
export const sellerLimits = {
  register: [limit('seller-register', 20, 3_600)],
  /** one invitation a minute for each seller (B-153) */
  invite: [limit('seller-invite', 1, 60)],
  payout: [limit('seller-payout', 10, 3_600)],
  file: [limit('seller-file', 20, 3_600)],
} as const;

/** How long a mailed invitation works (B-095). */
export const INVITATION_MS = 7 * 86_400_000;

/** What a registration link opens. `proven`: its token came by mail, so the address needs no confirming (B-095). */
export type Registration =
  | { state: 'ready'; name: string; email: string; proven: boolean }
  | { state: 'registered' | 'invalid' | 'unknown' | 'fault' };

/** A seller's own profile. Times are ISO, UTC. */
export interface SellerProfile {
  id: string;
  name: string;
  email: string;
  registeredAt: string | null;
  activeListings: number;
  soldListings: number;
}

/** How a seller is paid. Times are ISO, UTC. */
export interface PayoutSettings {
  method: PayoutMethod | null;
  paypalEmail: string | null;
  paypalConfirmed: boolean;
  /** null when no account is connected; `requirement` is why it cannot receive yet */
  stripe: { account: string; active: boolean; requirement: string | null } | null;
  /** payouts wait until then, after a change (B-116); null when they do not wait */
  holdUntil: string | null;
  ready: boolean;
}
