import { type BrowserContext, test as base, expect } from '@playwright/test';

export { expect };

interface Fixtures {
  /** Tells of a console message or failed request that this test provokes on purpose. */
  expectConsole(...patterns: RegExp[]): void;
}
interface WorkerFixtures {
  /** where the server keeps its files: `outbox/` holds the mails */
  dataDir: string;
}

/**
 * Playwright's test on the running demo market. An error in the browser's console, an uncaught exception or an answer
 * of 500 and above fails the test, unless it said that it expects it.
 */
export const test = base.extend<Fixtures, WorkerFixtures>({
  dataDir: [process.env.E2E_DATA_DIR ?? '', { option: true, scope: 'worker' }],
  expectConsole: [
    async ({ context }, use) => {
      const expected: RegExp[] = [];
      const complaints = watch(context);
      await use((...patterns) => void expected.push(...patterns));
      const unexpected = complaints.filter((text) => !expected.some((pattern) => pattern.test(text)));
      expect(unexpected, 'complaints of the browser or the server').toEqual([]);
    },
    { auto: true },
  ],
});

function watch(context: BrowserContext): string[] {
  const complaints: string[] = [];
  context.on('console', (message) => {
    if (message.type() !== 'error') return;
    complaints.push(`${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (error) => complaints.push(`uncaught: ${error.error().stack ?? error.error()}`));
  context.on('response', (response) => {
    if (response.status() >= 500) complaints.push(`${response.status()} ${response.url()}`);
  });
  return complaints;
}
