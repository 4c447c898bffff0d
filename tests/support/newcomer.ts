import { randomUUID } from 'node:crypto';
import { type Page, request } from '@playwright/test';
import { linkIn, mailTo } from './mailbox.ts';

export const PASSWORD = 'Plumb-Line 77 brass';

/** An address that nobody has. */
export const newAddress = (): string => `newcomer-${randomUUID().slice(0, 8)}@example.test`;

/** A running server: its origin, and the folder of its files. */
export interface Place {
  origin: string;
  dataDir: string;
}

/** Opens a buyer's account as a browser without scripts would, and answers with its address. */
export async function openUnconfirmed(origin: string): Promise<string> {
  const email = newAddress();
  await post(origin, '/buyer/signup', { form: 'sign-up', email, password: PASSWORD });
  return email;
}

/** Opens a buyer's account and confirms its address through the mailed link; the password is `PASSWORD`. */
export async function openAccount({ origin, dataDir }: Place): Promise<string> {
  const email = await openUnconfirmed(origin);
  const link = linkIn(await mailTo(dataDir, email, 'Confirm your e-mail address'), '/verify-email');
  const token = new URL(link, origin).searchParams.get('token') ?? '';
  await post(origin, '/verify-email', { form: 'confirm', token });
  return email;
}

/** Fills in the sign-in form that stands open and sends it. */
export async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In' }).click();
}

/** Asks for a reset link and answers with its path. */
export async function resetLinkFor({ origin, dataDir }: Place, email: string): Promise<string> {
  await post(origin, '/buyer/login?forgot=1', { form: 'forgot', email });
  return linkIn(await mailTo(dataDir, email, 'Reset your password'), '/reset-password');
}

async function post(origin: string, path: string, form: Record<string, string>): Promise<void> {
  const http = await request.newContext({ baseURL: origin, extraHTTPHeaders: { origin } });
  const answer = await http.post(path, { form, maxRedirects: 0 });
  if (answer.status() !== 302) throw new Error(`${path} answered ${answer.status()}`);
  await http.dispose();
}
