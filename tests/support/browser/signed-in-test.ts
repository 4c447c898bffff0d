import { type APIRequestContext, type BrowserContext, errors, type Page, request } from '@playwright/test';
import { DEMO_PASSWORD } from '#features/accounts/model.ts';
import { test as base, expect } from './base-test.ts';

export { expect };

export type LoginRole = 'buyer' | 'agent' | 'admin';
type Cookies = Parameters<BrowserContext['addCookies']>[0];

interface Fixtures {
  /** Signs the test's browser in as a demo account. Sessions are shared, so a test that signs out must create its own. */
  signInAs(email: string, role?: LoginRole): Promise<void>;
}
/** The sessions of this worker's demo accounts, by origin and e-mail. */
const sessions = new Map<string, Cookies>();

/** Playwright's `test` with demo accounts to sign in as. */
export const test = base.extend<Fixtures>({
  signInAs: async ({ context, baseURL }, use) => {
    await use(async (email, role = 'buyer') => {
      const name = `${baseURL} ${email}`;
      const cookies = sessions.get(name) ?? (await createSession(baseURL ?? '', email, role));
      sessions.set(name, cookies);
      await context.addCookies(cookies);
    });
  },
});

/** Creates a new session for an account and returns its cookies. */
export async function createSession(
  origin: string,
  email: string,
  role: LoginRole = 'buyer',
  password = DEMO_PASSWORD,
): Promise<Cookies> {
  const http = await request.newContext({ baseURL: origin, extraHTTPHeaders: { origin } });
  const path = role === 'admin' ? '/admin' : `/${role}/login`;
  const response = await http.post(path, { form: { intent: 'sign-in', email, password }, maxRedirects: 0 });
  if (response.status() !== 302) throw new Error(`${email} could not sign in: ${response.status()}`);
  const { cookies } = await http.storageState();
  await http.dispose();
  return cookies;
}

/** What a page hydrates: its first control, and what is loaded after it. */
const HYDRATED = [
  'main a, main button, header a',
  '.drop-bell',
  '.drop-account',
  '.pages a',
  '.empty a',
  '.more-filters-panel input',
  '.buybox .sheet',
];

/** What a page has loaded, and which of its controls are there without React. */
function loadedSoFar(selectors: readonly string[]): string {
  const found = selectors.flatMap((selector) => document.querySelector(selector) ?? []);
  return JSON.stringify({
    state: document.readyState,
    plain: found
      .filter((element) => !Object.keys(element).some((key) => key.startsWith('__reactProps')))
      .map((element) => element.outerHTML.slice(0, 100)),
    loaded: performance.getEntriesByType('resource').map((entry) => {
      const { name, responseStatus, responseEnd } = entry as PerformanceResourceTiming;
      return `${name} ${responseStatus} ${Math.round(responseEnd)} ms`;
    }),
  });
}

/**
 * Waits for hydration: before that, clicks and forms use plain HTML behaviour.
 * @throws Error that says what the page has loaded, when it takes longer than half of a test may
 */
export async function waitForHydration(page: Page): Promise<void> {
  try {
    await page.waitForFunction(
      (selectors) => {
        const [first, ...later] = selectors.map((selector) => document.querySelector(selector));
        const isHydrated = (element: Element) =>
          Object.keys(element).some((key) => key.startsWith('__reactProps'));
        return first && isHydrated(first) && later.every((element) => !element || isHydrated(element));
      },
      HYDRATED,
      { timeout: 30_000 },
    );
  } catch (error) {
    if (!(error instanceof errors.TimeoutError)) throw error;
    throw new Error(`${page.url()} is not hydrated: ${await page.evaluate(loadedSoFar, HYDRATED)}`);
  }
  // React marks elements before it commits; effects, which listen to other windows, run after the next frame.
  await page.evaluate(
    () =>
      new Promise<void>((done) => {
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)));
      }),
  );
}

/** Waits for the code that shows toasts, which every page loads with the chunk `later` once it is hydrated; a page that goes offline before cannot show one. */
export async function toastsLoaded(page: Page): Promise<void> {
  const chunk = await page.waitForFunction(
    () => performance.getEntriesByType('resource').find(({ name }) => name.includes('/later-'))?.name,
  );
  // The file alone is not enough: what it imports must have arrived as well.
  await chunk.evaluate(async (name) => {
    if (name) await import(name);
  });
}

/** Opens a page and waits for hydration. */
export async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await waitForHydration(page);
}

/** The toast, or the one with this title. */
export const toastOf = (page: Page, title = '') => page.locator('.toast', { hasText: title });

/** The HTTP status of a path, without following redirects. */
export const statusOf = async (http: APIRequestContext, path: string): Promise<number> =>
  (await http.get(path, { maxRedirects: 0 })).status();
