import { writeFile } from 'node:fs/promises';
import { type BrowserContext, test as base, expect, type TestInfo } from '@playwright/test';
import { type ExpectedProblem, unexpectedProblems, watchConsoles } from './console-watch.ts';
import { ScenarioServers } from './scenario-servers.ts';

export { expect };

interface Fixtures {
  /** Allows console messages or failed requests that this test provokes on purpose. */
  expectConsole(...problems: ExpectedProblem[]): void;
  /** where the server keeps its files: `outbox/` holds the mails */
  dataDir: string;
}
interface WorkerFixtures {
  /**
   * Every fixture of a worker stands here. Playwright gives tests that differ in one a worker of their own, and a worker
   * takes seconds to start.
   */
  servers: ScenarioServers;
}

/**
 * Playwright's `test` against the running demo server. A console error, an uncaught exception or a response with
 * status 500 or above, in any browser context, fails the test unless it was announced through `expectConsole`.
 */
export const test = base.extend<Fixtures, WorkerFixtures>({
  servers: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures here
    async ({}, use) => {
      const servers = new ScenarioServers();
      await use(servers);
      await servers.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  dataDir: process.env.E2E_DATA_DIR ?? '',
  expectConsole: [
    async ({ browser, context }, use, testInfo) => {
      const expected: ExpectedProblem[] = [];
      const { problems, stop } = watchConsoles(browser, context);
      await use((...more) => void expected.push(...more));
      if (testInfo.status !== testInfo.expectedStatus) await keepPages(context, testInfo);
      // A request that a test intercepts may still be under way when the test has seen all that it wanted.
      for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' });
      stop();
      expect(unexpectedProblems(problems, expected), 'complaints of the browser or the server').toEqual([]);
    },
    { auto: true },
  ],
});

/** Writes the HTML of every page of a failed test beside its other results. */
async function keepPages(context: BrowserContext, testInfo: TestInfo): Promise<void> {
  for (const [n, page] of context.pages().entries()) {
    // A page that was closed, or hangs, has nothing to keep.
    const html = await page.content().catch(() => null);
    if (html !== null) await writeFile(testInfo.outputPath(`page-${n + 1}.html`), html);
  }
}
