import type { Scenario } from './scenario-servers.ts';
import { test as signedIn } from './signed-in-test.ts';

export type { Scenario } from './scenario-servers.ts';
export { createSession, expect, open, toastOf, toastsLoaded } from './signed-in-test.ts';

interface Fixtures {
  scenario: Scenario;
  /** extra environment variables for the server */
  environment: Record<string, string>;
  /** Names a server that only tests with this name use: for those that change what all other tests see, such as fees. */
  ownServer: string;
}

/** Playwright's `test` with a server of the worker's own, on the kind of database that E2E_DATABASE names. */
export const test = signedIn.extend<Fixtures>({
  environment: [{}, { option: true }],
  ownServer: ['', { option: true }],
  scenario: [
    async ({ servers, environment, ownServer }, use) => use(await servers.get(environment, ownServer)),
    { timeout: 120_000 },
  ],
  baseURL: async ({ scenario }, use) => use(scenario.url),
});
