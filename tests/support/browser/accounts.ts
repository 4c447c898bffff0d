import { randomUUID } from 'node:crypto';
import { type Page, request } from '@playwright/test';
import { linkIn, waitForMail } from './mailbox.ts';

export const PASSWORD = 'Plumb-Line 77 brass';

/** An e-mail address that is not in use. */
export const uniqueEmail = (): string => `newcomer-${randomUUID().slice(0, 8)}@example.test`;

/** A running server: its origin and its data folder. */
interface ServerLocation {
  origin: string;
  dataDir: string;
}

/** Creates a buyer account as a browser without scripts would; returns its e-mail address. */
export async function createUnconfirmedAccount(origin: string): Promise<string> {
  const email = uniqueEmail();
  await post(origin, '/buyer/signup', { intent: 'sign-up', email, password: PASSWORD });
  return email;
}

/** Creates a buyer account with `PASSWORD` and confirms its address through the mailed link; returns the address. */
export async function createConfirmedAccount({ origin, dataDir }: ServerLocation): Promise<string> {
  const email = await createUnconfirmedAccount(origin);
  const link = linkIn(await waitForMail(dataDir, email, 'Confirm your email address'), '/verify-email');
  const token = new URL(link, origin).searchParams.get('token') ?? '';
  await post(origin, '/verify-email', { intent: 'confirm', token, password: PASSWORD });
  return email;
}

/** Fills in and submits the sign-in form on the current page. */
export async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In' }).click();
}

/** Requests a password reset and returns the path of the mailed link. */
export async function requestResetLink({ origin, dataDir }: ServerLocation, email: string): Promise<string> {
  await post(origin, '/buyer/login?forgot=1', { intent: 'forgot', email });
  return linkIn(await waitForMail(dataDir, email, 'Reset your password'), '/reset-password');
}

async function post(origin: string, path: string, form: Record<string, string>): Promise<void> {
  const http = await request.newContext({ baseURL: origin, extraHTTPHeaders: { origin } });
  const response = await http.post(path, { form, maxRedirects: 0 });
  if (response.status() !== 302) throw new Error(`${path} answered ${response.status()}`);
  await http.dispose();
}
