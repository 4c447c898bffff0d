import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectRoot } from '#platform/project-root.ts';
import { readSources, withoutComments } from '../scripts/check/sources.ts';

// What docs/security.md says that the sources never do. Each rule lists what it admits, so that a new case is looked at.

const PRODUCT = /^(?:app|features|gateways|illustrator|platform|routing|ui)\//;
const sources = readSources(projectRoot)
  .filter(({ path }) => PRODUCT.test(path) && !/\.test\.tsx?$|\/contract[^/]*\.ts$/.test(path))
  .map(({ path, text, imports }) => ({ path, imports, code: withoutComments(text) }));

/** The files whose code matches. */
const filesWith = (pattern: RegExp) =>
  sources.filter(({ code }) => pattern.test(code)).map(({ path }) => path);
/** Everything that the pattern's first group matches, once. */
const found = (pattern: RegExp) => [
  ...new Set(sources.flatMap(({ code }) => [...code.matchAll(pattern)].map(([, one = '']) => one))),
];

it('the rules read the sources', () => {
  expect(sources.length).toBeGreaterThan(1_000);
});

it('a pattern is put together where its parts are ours, or words of letters and digits', () => {
  expect(filesWith(/\bRegExp\(/)).toEqual([
    'features/listing-import/prices.ts',
    // the words of a search that name one of our places: features/search/words.test.ts
    'features/search/components/result-count.tsx',
    'features/search/intent-facts.ts',
    'features/search/intents.ts',
    'platform/events/cursor.ts',
    'platform/http/multipart.ts',
  ]);
});

it('what is logged is named in words of ours, and nothing is formatted by a string that holds input', () => {
  const calls = sources.flatMap(({ path, code }) =>
    [...code.matchAll(/\blog\??\.(?:trace|debug|info|warn|error|fatal)\(/g)].map((call) => ({
      path,
      words: lastArgument(code, call.index + call[0].length),
    })),
  );
  expect(calls.length).toBeGreaterThan(80);
  const isFixed = (words: string) => /^(['"])(?:(?!\1).)*\1$|^`[^`$]*`$/.test(words);
  // Each is one of several sentences of ours, but for the one of the library that keeps the accounts.
  expect(calls.filter(({ words }) => !isFixed(words))).toEqual([
    { path: 'app/server/open-services.ts', words: 'warning' },
    { path: 'features/chain/follow.ts', words: 'doubt' },
    { path: 'platform/auth/auth.ts', words: 'message' },
    { path: 'platform/http/serve.ts', words: 'fault' },
  ]);
  expect(filesWith(/\b(?:sprintf|printf|formatWithOptions|util\.format)\b/)).toEqual([]);
  expect(filesWith(/\bconsole\.(?:log|debug|info|warn|error)\(|from 'pino'/)).toEqual(['platform/log.ts']);
});

/** The last argument of the call whose arguments start there. */
function lastArgument(code: string, start: number): string {
  let [depth, from, at] = [0, start, start];
  for (let quote = ''; ; at++) {
    const sign = code[at] ?? ')';
    if (quote) {
      if (sign === '\\') at++;
      else if (sign === quote) quote = '';
    } else if ('\'"`'.includes(sign)) quote = sign;
    else if ('([{'.includes(sign)) depth++;
    else if (')]}'.includes(sign) && depth-- === 0) break;
    // A comma at the end is followed by no argument.
    else if (sign === ',' && depth === 0 && !/^\s*\)/.test(code.slice(at + 1))) from = at + 1;
  }
  return code.slice(from, at).trim().replace(/,$/, '');
}

it('pages send messages to tabs of this origin alone, and take none from other windows', () => {
  const channel = /\bnew BroadcastChannel\(/;
  const workers = /^(?:gateways\/images|platform\/db\/embedded)\//;
  const speaking = filesWith(/\.postMessage\(|\bonmessage\b|addEventListener\(\s*['"]message['"]/);
  const pages = speaking.filter((path) => !workers.test(path));
  expect(pages.length).toBeGreaterThan(0);
  expect(pages.filter((path) => !filesWith(channel).includes(path))).toEqual([]);
  expect(
    filesWith(/\b(?:window|parent|opener|top|contentWindow|self)\??\.postMessage\(|\bwindow\.opener\b/),
  ).toEqual([]);
});

it('pages are made of HTML, CSS and JavaScript alone', () => {
  expect(
    filesWith(/(?<![\w$])<(?:object|embed|applet|frameset|frame|plaintext|marquee|blink)[\s/>]/),
  ).toEqual([]);
});

it('cryptography is that of Node, of browsers and of the packages named here, with these algorithms', () => {
  expect(found(/\bcreate(?:Hash|Hmac)\(\s*([^,)]+)/g)).toEqual(["'sha256'"]);
  expect(found(/\bcreate(?:Cipheriv|Decipheriv)\(\s*([^,)]+)/g)).toEqual(["'aes-256-gcm'"]);
  expect(found(/\bhkdfSync\(\s*([^,)]+)/g)).toEqual(["'sha256'"]);
  expect(found(/\bsubtle\.(\w+\([^,]+)/g)).toEqual(["digest('SHA-256'"]);
  const { dependencies } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
  const cryptographic =
    /crypt|hash|sha\d|md5|jose|jwt|jsonwebtoken|noble|forge|elliptic|otp|webauthn|argon|aws4/;
  expect(Object.keys(dependencies).filter((name) => cryptographic.test(name))).toEqual([
    '@simplewebauthn/server',
    'aws4fetch',
    'otpauth',
  ]);
  expect(filesWith(/\bMath\.random\(/)).toEqual(['app/live/shared-stream.ts']);
});

it('no connection is told to do without a valid certificate', () => {
  expect(filesWith(/\brejectUnauthorized\b|TLS_REJECT_UNAUTHORIZED|\bcheckServerIdentity\b/)).toEqual([]);
});

it('no account has hints or questions', () => {
  const columns = readFileSync(join(projectRoot, 'platform/db/schema.gen.ts'), 'utf8');
  const named = [...columns.matchAll(/^ {2}(\w*(?:hint|question|maiden)\w*):/gm)].map(([, name]) => name);
  // the last characters of a webhook's secret, for its owner
  expect(named).toEqual(['secret_hint']);
});

it('docs/security.md names every secret of the environment', () => {
  const text = readFileSync(join(projectRoot, 'docs/security.md'), 'utf8');
  const table = text.slice(text.indexOf('## Secrets and algorithms'), text.indexOf('## ASVS'));
  const variables = new Set(
    sources
      .filter(({ path }) => /^platform\/config[^/]*\.ts$/.test(path))
      .flatMap(({ code }) => [...code.matchAll(/^\s+([A-Z][A-Z0-9_]+):/gm)].map(([, name = '']) => name)),
  );
  const secrets = [...variables].filter((name) =>
    /SECRET|_KEY|JWT|AUTHORIZATION|PASSWORD|TOKEN|^(?:DATABASE|SMTP|FILES|CHAIN_RPC)_?\w*URL$/.test(name),
  );
  expect(secrets.length).toBeGreaterThan(10);
  expect(secrets.filter((name) => !table.includes(`\`${name}\``))).toEqual([]);
});
