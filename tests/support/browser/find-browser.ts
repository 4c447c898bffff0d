import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';
import { projectRoot } from '#platform/project-root.ts';

/** The headless shell comes first: it draws no window and is three times as fast. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
];
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:/Program Files/Google/Chrome/Application/chrome.exe',
];

/**
 * The path of a Chromium or Chrome: CHROME_PATH, an installed one, or one that is installed now.
 * @throws Error when there is none and none can be installed
 */
export function findBrowser(): string {
  const given = process.env.CHROME_PATH;
  if (given) {
    if (existsSync(given)) return given;
    throw new Error(`CHROME_PATH: there is no ${given}`);
  }
  const reasons: string[] = [];
  const installs = [
    () => installFromSystem('chromium-headless-shell'),
    () => installFromSystem('chromium'),
    installFromPlaywright,
  ];
  for (const install of installs) {
    const found = installed();
    if (found) return found;
    try {
      install();
    } catch (error) {
      reasons.push(String(error));
    }
  }
  const found = installed();
  if (found) return found;
  throw new Error(
    `No browser for the tests: set CHROME_PATH to a Chrome or Chromium.\n${reasons.join('\n')}`,
  );
}

function installed(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const inPath = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...inPath, ...PLACES, chromium.executablePath()].find((path) => path && existsSync(path));
}

function installFromSystem(name: string): void {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  console.error(`Installing ${name} …`);
  command('apt-get', ['update', '-qq']);
  command('apt-get', ['install', '-y', '-qq', name, 'fonts-liberation']);
}

function installFromPlaywright(): void {
  console.error("Installing Playwright's chromium …");
  command(process.execPath, [
    join(projectRoot, 'node_modules/@playwright/test/cli.js'),
    'install',
    'chromium',
  ]);
}

function command(file: string, args: string[]): void {
  execFileSync(file, args, {
    stdio: ['ignore', 2, 2],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}
