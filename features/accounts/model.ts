import { z } from 'zod';
import type { Role } from '#platform/context.ts';
import { oneLine, visibleText } from '#platform/typed-text.ts';
import type { LoginRole } from './rules.ts';

/** The signed-in user, with only what pages may show. */
export interface Viewer {
  id: string;
  role: Role;
  name: string;
  email: string;
  emailVerified: boolean;
  /** a suspended seller has read-only access; a suspended buyer cannot buy, ask or write */
  suspended: boolean;
}

/** The user's browser; its IP address is in the context. */
export interface Device {
  userAgent: string | null;
  /** the Cookie header, by which the browser may be known */
  cookie?: string | null;
}

const requiredText = (message: string) => z.string(message).trim().min(1, message);
const email = (required: string) =>
  requiredText(required).pipe(
    z.email('Invalid email address').max(254, 'Invalid email address').toLowerCase(),
  );

/** An e-mail address, which every invalid input is told with the same message; lower case. */
export const emailAddress = (message: string) =>
  z
    .string(message)
    .trim()
    .pipe(z.email(message).max(254, message))
    .transform((text) => text.toLowerCase());

const TOO_LONG = 'Password must be at most 128 characters';
const newPassword = z
  .string('Password is required')
  .min(1, 'Password is required')
  .min(8, 'Password must be at least 8 characters')
  .max(128, TOO_LONG);

const existingPassword = z.string('Password is required').min(1, 'Password is required').max(1_000, TOO_LONG);
const passwordsMustMatch = { path: ['confirm'], error: 'Passwords do not match' };

export const signUpSchema = z.object({ email: email('Email is required'), password: newPassword });
export const signInSchema = z.object({ email: email('Email is required'), password: existingPassword });
export const emailSchema = z.object({ email: email('Email is required') });
export const resetSchema = z
  .object({ password: newPassword, confirm: z.string('Passwords do not match') })
  .refine(({ password, confirm }) => password === confirm, passwordsMustMatch);

export const changePasswordSchema = z
  .object({ current: existingPassword, password: newPassword, confirm: z.string('Passwords do not match') })
  .refine(({ password, confirm }) => password === confirm, passwordsMustMatch);

export const changeEmailSchema = z.object({
  email: email('Email is required'),
  emailPassword: existingPassword,
});

const NAME_TOO_SHORT = 'Name must be at least 2 characters';
export const changeNameSchema = z.object({
  name: z
    .string(NAME_TOO_SHORT)
    .transform((typed) => oneLine(visibleText(typed)))
    .pipe(z.string().min(2, NAME_TOO_SHORT).max(120, 'Name must be at most 120 characters')),
});

/** A new administrator may be given six characters; fewer than eight must be changed at the first sign-in. */
export const newAdminSchema = z.object({
  email: email('Email is required'),
  password: z
    .string()
    .min(1, 'Password is required')
    .min(6, 'Password must be at least 6 characters')
    .max(128, TOO_LONG)
    .optional(),
});

export type FieldErrors = Partial<Record<string, string>>;

/** The first message of each field. */
export function fieldErrors(error: z.ZodError): FieldErrors {
  const errors: FieldErrors = {};
  for (const issue of error.issues) errors[String(issue.path[0] ?? '')] ??= issue.message;
  return errors;
}

export const COMMON_PASSWORD = 'This password is too common. Please choose another one.';
export const WRONG_CURRENT_PASSWORD = 'The current password is incorrect';

/** The accounts of the demo marketplace, which share one password. */
export const DEMO_PASSWORD = 'AcreDemo!2026';
export const demoAccounts = [
  { email: 'admin@acre.test', role: 'admin' },
  { email: 'admin2@acre.test', role: 'admin' },
  { email: 'seller@acre.test', role: 'agent' },
  { email: 'seller2@acre.test', role: 'agent' },
  { email: 'buyer@acre.test', role: 'buyer' },
  { email: 'buyer2@acre.test', role: 'buyer' },
] as const satisfies readonly { email: string; role: Role }[];

interface DemoAccount {
  email: string;
  password: string;
}

/** The demo accounts that a sign-in page offers with one click; none outside the demo marketplace. */
export function demoAccountsFor(loginRole: LoginRole, demo: boolean): DemoAccount[] {
  if (!demo) return [];
  return demoAccounts
    .filter((account) => account.role === loginRole)
    .map(({ email: address }) => ({ email: address, password: DEMO_PASSWORD }));
}
