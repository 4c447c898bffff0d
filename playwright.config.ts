import { join } from 'node:path';
import { defineConfig, devices } from '@playwright/test';
import { withoutPictures } from '#tests/support/browser/launch-options.ts';

// Browser tests run against the production build, on a server with demo data that the global setup starts.
export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '**/*.spec.ts',
  globalSetup: './tests/support/browser/global-setup.ts',
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  // Each run has a folder of its own, so that one does not delete what another left of its failures.
  outputDir: join('test-results', process.env.E2E_RESULTS ?? 'embedded'),
  use: {
    // Set by the global setup; workers read this file again afterwards.
    baseURL: process.env.E2E_URL,
    locale: 'en-US',
    timezoneId: 'America/Chicago',
    // A trace slows every step down, so only the run that gathers evidence of failures records one.
    trace: process.env.E2E_TRACE ? 'on' : 'off',
    launchOptions: withoutPictures,
    // Playwright scrolls the page when something keeps moving, and on a busy machine then presses beside a menu.
    contextOptions: { reducedMotion: 'reduce' },
  },
  projects: [
    { name: 'desktop', use: { viewport: { width: 1440, height: 900 } } },
    {
      name: 'mobile',
      // What differs on a phone: another layout, other controls, or an accessibility check of its own.
      grep: /@phone/,
      use: {
        ...devices['Pixel 7'],
        viewport: { width: 390, height: 844 },
        deviceScaleFactor: 2,
      },
    },
  ],
});
