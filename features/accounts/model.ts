import { z } from 'zod';
import type { Role } from '#platform/context.ts';
import type { Door } from './rules.ts';

/** Who is signed in, as pages may show it. */
export interface Viewer {
  id: string;
  role: Role;
  name: string;
  email: string;
  emailVerified: boolean;
  /** a suspended seller may look and not touch (B-098) */
  suspended: boolean;
}

/** The browser at the other end; the context knows its address. */
export interface Device {
  userAgent: string | null;
}

const typed = (message: string) => z.string(message).trim().min(1, message);
const email = (required: string) =>
  typed(required).pipe(z.email('Invalid email address').max(254, 'Invalid email address').toLowerCase());
const LONGEST = 'Password must be at most 128 characters';
const newPassword = z
  .string('Password is required')
  .min(1, 'Password is required')
  .min(8, 'Password must be at least 8 characters')
  .max(128, LONGEST);
const knownPassword = z.string('Password is required').min(1, 'Password is required').max(1_000, LONGEST);
const confirmed = { path: ['confirm'], error: 'Passwords do not match' };

export const signUpSchema = z.object({ email: email('Email is required'), password: newPassword });
export const signInSchema = z.object({ email: email('Email is required'), password: knownPassword });
export const emailSchema = z.object({ email: email('Email is required') });
export const resetSchema = z
  .object({ password: newPassword, confirm: z.string('Passwords do not match') })
  .refine(({ password, confirm }) => password === confirm, confirmed);
export const changePasswordSchema = z
  .object({ current: knownPassword, password: newPassword, confirm: z.string('Passwords do not match') })
  .refine(({ password, confirm }) => password === confirm, confirmed);
/** The form's rule for a new administrator stays six characters; fewer than eight must be changed at once (B-168). */
export const newAdminSchema = z.object({
  email: email('Email is required'),
  password: z.string().min(6, 'Password must be at least 6 characters').max(128, LONGEST).optional(),
});

export type FieldErrors = Partial<Record<string, string>>;

/** The first message of each field. */
export function fieldErrors(error: z.ZodError): FieldErrors {
  const errors: FieldErrors = {};
  for (const issue of error.issues) errors[String(issue.path[0] ?? '')] ??= issue.message;
  return errors;
}

export const COMMON_PASSWORD = 'This password is too common. Please choose another one.';

const limit = (name: string, times: number, windowSeconds: number) => ({ name, limit: times, windowSeconds });

/** What account forms may do how often, beside the limits that the platform knows. */
export const accountLimits = {
  /** one confirmation mail a minute (B-091) */
  resend: [limit('resend', 1, 60), limit('resend-hour', 5, 3_600)],
  /** asking for mails to other people's addresses, by the asking address */
  mailsByAddress: [limit('mails-address', 20, 3_600)],
  newPasswordByAddress: [limit('new-password-address', 20, 3_600)],
  confirmByAddress: [limit('confirm-address', 60, 3_600)],
  changePassword: [limit('change-password', 5, 15 * 60)],
} as const;

/** The accounts of the demo market and the one password of them all. */
export const DEMO_PASSWORD = 'AcreDemo!2026';
export const demoAccounts = [
  { email: 'admin@acre.test', role: 'admin' },
  { email: 'seller@acre.test', role: 'agent' },
  { email: 'seller2@acre.test', role: 'agent' },
  { email: 'buyer@acre.test', role: 'buyer' },
  { email: 'buyer2@acre.test', role: 'buyer' },
] as const satisfies readonly { email: string; role: Role }[];

export interface DemoAccount {
  email: string;
  password: string;
}

/** The demo accounts that a sign-in page offers with one click; none outside a demo market. */
export function demoAccountsFor(door: Door, demo: boolean): DemoAccount[] {
  if (!demo) return [];
  return demoAccounts
    .filter((account) => account.role === door)
    .map(({ email: address }) => ({ email: address, password: DEMO_PASSWORD }));
}
