import type { LaunchOptions } from '@playwright/test';
import { findBrowser } from './find-browser.ts';

const NO_PICTURES = '--blink-settings=imagesEnabled=false';

const launchOptions = (...args: string[]): LaunchOptions => ({
  executablePath: findBrowser(),
  args: process.getuid?.() === 0 ? ['--no-sandbox', ...args] : args,
});

/**
 * How the tests' browser starts. It shows no pictures, because drawing those of a list is half of the work of a page, unless
 * someone wants to look at the pages.
 */
export const withoutPictures = launchOptions(...(process.env.LOOK ? [] : [NO_PICTURES]));

/** For `test.use` in specs that look at pictures. */
export const withPictures = { launchOptions: launchOptions() };
