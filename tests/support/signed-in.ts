import { type APIRequestContext, type BrowserContext, type Page, request } from '@playwright/test';
import { DEMO_PASSWORD } from '#features/accounts/model.ts';
import { test as base, expect } from './browser.ts';

export { expect };

export type Door = 'buyer' | 'agent' | 'admin';
type Cookies = Parameters<BrowserContext['addCookies']>[0];

interface Fixtures {
  /** Puts a demo account's session into the test's browser. Sessions are shared: a test that signs out starts its own. */
  enter(email: string, door?: Door): Promise<void>;
}
interface WorkerFixtures {
  sessions: Map<string, Cookies>;
}

/** Playwright's test with demo accounts to enter as. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures here
  sessions: [({}, use) => use(new Map()), { scope: 'worker' }],
  enter: async ({ context, baseURL, sessions }, use) => {
    await use(async (email, door = 'buyer') => {
      const name = `${baseURL} ${email}`;
      const cookies = sessions.get(name) ?? (await sessionOf(baseURL ?? '', email, door));
      sessions.set(name, cookies);
      await context.addCookies(cookies);
    });
  },
});

/** Opens a session of its own for an account, and answers with its cookies. */
export async function sessionOf(
  origin: string,
  email: string,
  door: Door = 'buyer',
  password = DEMO_PASSWORD,
): Promise<Cookies> {
  const http = await request.newContext({ baseURL: origin, extraHTTPHeaders: { origin } });
  const path = door === 'admin' ? '/admin' : `/${door}/login`;
  const answer = await http.post(path, { form: { form: 'sign-in', email, password }, maxRedirects: 0 });
  if (answer.status() !== 302) throw new Error(`${email} could not sign in: ${answer.status()}`);
  const { cookies } = await http.storageState();
  await http.dispose();
  return cookies;
}

/** Waits until the page's scripts have taken over: before that a press is a plain HTML press. */
export async function takenOver(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const element = document.querySelector('main a, main button, header a');
    return element !== null && Object.keys(element).some((key) => key.startsWith('__reactProps'));
  });
}

/** Goes to an address and waits for the scripts. */
export async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await takenOver(page);
}

/** The toast with this title, wherever it stands. */
export const toastOf = (page: Page, title: string) => page.locator('.toast', { hasText: title });

/** The status of an address as a stranger gets it. */
export const statusOf = async (http: APIRequestContext, path: string): Promise<number> =>
  (await http.get(path, { maxRedirects: 0 })).status();
