import type { LaunchOptions } from '@playwright/test';
import { findBrowser } from './find-browser.ts';

const NO_PICTURES = '--blink-settings=imagesEnabled=false';
// A test opens its pages anew, so what is compiled for speed is hardly used: doing without it saves a tenth of the browser's CPU.
const NO_OPTIMIZER = '--js-flags=--no-maglev --no-turbofan';

const launchOptions = (...args: string[]): LaunchOptions => ({
  executablePath: findBrowser(),
  args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), NO_OPTIMIZER, ...args],
});

/**
 * How the tests' browser starts. It shows no pictures, because drawing those of a list is half of the work of a page, unless
 * someone wants to look at the pages.
 */
export const withoutPictures = launchOptions(...(process.env.LOOK ? [] : [NO_PICTURES]));

/** For `test.use` in specs that look at pictures. */
export const withPictures = { launchOptions: launchOptions() };
