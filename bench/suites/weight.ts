import { readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { gzipSync } from 'node:zlib';
import { projectRoot } from '#platform/project-root.ts';
import { builtServer, ensureBuilt, origin, startAppServer, temporaryFolder } from '../support/app-server.ts';
import { pagesToWeigh } from '../support/public-pages.ts';
import type { SuiteReport } from '../support/suite-report.ts';
import { table } from '../support/timings.ts';

const PROMISED_SCRIPT_BYTES = 110_000;

interface Weight {
  page: string;
  files: number;
  script: number;
  style: number;
  html: number;
}

/**
 * The bytes a browser loads to show and run a page, each file compressed with gzip -9; what is loaded after hydration does not
 * count. The pages are those of `app/routes.ts`. Promised: less than 110 kB of JavaScript on every public page (R11).
 */
export async function weightSuite(): Promise<SuiteReport> {
  const { pages, problems } = pagesToWeigh();
  await ensureBuilt();
  const folder = temporaryFolder();
  const server = await startAppServer(builtServer, folder.path);
  const weights: Weight[] = [];
  try {
    const property = /\/property\/[0-9a-f-]{36}/.exec(await page('/properties'))?.[0];
    if (!property) throw new Error('The list of the demo market shows no property');
    for (const { name, address } of pages)
      weights.push(weigh(name, await page(address.replace('/property/:id', property))));
  } finally {
    await server.stop();
    folder.remove();
  }
  weights.sort((one, other) => other.script - one.script);
  return {
    title: 'What a page weighs',
    text: `${table(
      ['bytes, gzip -9', 'JavaScript', 'files', 'CSS', 'HTML'],
      weights.map((one) => [one.page, ...[one.script, one.files, one.style, one.html].map(String)]),
    )}\n\nPromised: JavaScript on every public page under ${PROMISED_SCRIPT_BYTES} bytes.`,
    missed: [
      ...problems,
      ...weights
        .filter(({ script }) => script === 0 || script >= PROMISED_SCRIPT_BYTES)
        .map(
          ({ page, script }) =>
            `${page} loads ${script} bytes of JavaScript, promised under ${PROMISED_SCRIPT_BYTES}`,
        ),
    ],
  };
}

async function page(path: string): Promise<string> {
  const answer = await fetch(`${origin}${path}`, { headers: { accept: 'text/html' }, redirect: 'manual' });
  // What a page redirects to is another page.
  if (answer.status >= 500 || (answer.status >= 300 && answer.status < 400))
    throw new Error(`${path}: ${answer.status}`);
  return answer.text();
}

function weigh(name: string, html: string): Weight {
  const named = (ending: string) => [
    ...new Set([...html.matchAll(new RegExp(`/assets/[\\w.-]+\\.${ending}`, 'g'))].map(([file]) => file)),
  ];
  const scripts = withImports(named('js').filter((file) => isLoaded(html, file)));
  const sum = (files: Iterable<string>) => [...files].reduce((total, file) => total + gzipped(read(file)), 0);
  return {
    page: name,
    files: scripts.size,
    script: sum(scripts),
    style: sum(named('css')),
    html: gzipped(Buffer.from(html)),
  };
}

/** The page also lists other pages' scripts; only those it preloads or imports are loaded. */
const isLoaded = (html: string, file: string): boolean =>
  html.includes(`href="${file}"`) ||
  /for\(const href of (\[[^\]]*\])\)/.exec(html)?.[1]?.includes(`"${file}"`) ||
  new RegExp(`(?:from|import\\() ?"${file}"`).test(html);

/** The scripts with all their static imports. */
function withImports(files: readonly string[]): Set<string> {
  const all = new Set(files);
  for (const file of all) {
    const code = read(file).toString();
    for (const [, path = ''] of code.matchAll(/(?:\bfrom|\bimport) ?["'](\.[^"']+\.js)["']/g))
      all.add(posix.join(dirname(file), path));
  }
  return all;
}

const read = (file: string): Buffer => readFileSync(join(projectRoot, 'build/client', file));
const gzipped = (content: Buffer): number => gzipSync(content, { level: 9 }).length;
