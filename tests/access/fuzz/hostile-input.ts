/** A seeded source of randomness. */
export interface Random {
  /** 0 ≤ x < 1 */
  number(): number;
  /** 0 ≤ n < below */
  below(below: number): number;
  pick<T>(list: readonly T[]): T;
  /** true with a probability of `share` percent */
  percent(share: number): boolean;
}

/** Request `n` of a run depends on the seed and `n` only, so that it can be repeated on its own. */
export function seededRandom(seed: number, n: number): Random {
  let state = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) + Math.imul(n + 1, 0xc2b2ae35)) >>> 0;
  const number = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number) => Math.floor(number() * limit);
  return {
    number,
    below,
    pick: (list) => list[below(list.length)] as (typeof list)[number],
    percent: (share) => number() * 100 < share,
  };
}

/** Appears in none of our pages: where it comes back unescaped, an attacker's markup would have run. */
export const MARKUP = '<acre-fuzz onload=x>';
/** A header that only an injected line break could have created. */
export const INJECTED_HEADER = 'x-acre-injected';

/** Strings known to break programs, not URL-encoded. */
const hostileValues: readonly string[] = [
  '',
  ' ',
  '\0',
  '\0\0a',
  'a\0b',
  '\u0001\u0002\u001f',
  '\u007f',
  '\t\n\v\f\r',
  '\ufeff',
  '\ufffe',
  '\uffff',
  "'",
  '"',
  '`',
  '\\',
  "' or 1=1 --",
  "'); drop table users; --",
  "\\'; --",
  '1; vacuum',
  '$1',
  '$$',
  '?',
  '%s%n',
  '&',
  '|',
  '!',
  '!a',
  'a & b',
  'a | !b',
  '!(a',
  '(((',
  ')))',
  ':*',
  'a:*',
  'a:*b',
  '<->',
  'a <-> b',
  "a:A'B",
  '::',
  '*',
  '%',
  '_',
  '%_%',
  '\ud800',
  '\udc00',
  'a\ud83d',
  '😀',
  '👩‍👩‍👧‍👦',
  'Ω≈ç√',
  'İstanbul',
  'ß',
  'ﬀ',
  'e\u0301',
  'Z\u0351\u036b\u0343',
  '\u202eabc',
  '\u200b',
  '田中さん',
  'العربية',
  '../../../../etc/passwd',
  '..\\..\\windows',
  '/etc/passwd',
  'file:///etc/passwd',
  'C:\\x',
  '.',
  '..',
  '...',
  '/',
  '//',
  '~',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'then',
  '__defineGetter__',
  'valueOf',
  '0',
  '-1',
  '-0',
  '1.5',
  '1e3',
  '1e309',
  'NaN',
  'Infinity',
  '-Infinity',
  '0x10',
  '010',
  '９',
  '٣',
  '1_000',
  '1,000',
  '999999999999',
  '9007199254740993',
  '99999999999999999999999',
  'null',
  'undefined',
  'true',
  'false',
  '[]',
  '{}',
  '[object Object]',
  '{"a":1}',
  '{{7*7}}',
  '$' + '{7*7}',
  '#{7}',
  MARKUP,
  `">${MARKUP}`,
  `'>${MARKUP}`,
  `</script>${MARKUP}`,
  `</title>${MARKUP}`,
  `]]>${MARKUP}`,
  `<!--${MARKUP}`,
  `javascript:x`,
  `\r\n${INJECTED_HEADER}: 1`,
  `a\n${INJECTED_HEADER}: 1\n\n`,
  `%0d%0a${INJECTED_HEADER}:%201`,
  '//evil.example',
  'https://evil.example',
  '/\\evil.example',
  '/%5cevil.example',
  'http://127.0.0.1:22/',
  '1,2,3,4',
  '-91,-181,91,181',
  '40,-75,41,-74',
  '0,0,0,0',
  '90,180,-90,-180',
  'NaN,NaN,NaN,NaN',
  '1,2,3',
  '1,2,3,4,5',
  '1e1,2,3,4',
  '-0,-0,0,0',
  '89.99999999999999999,0,90,1',
  '999,999,999,999',
  'watch:00000000-0000-0000-0000-000000000000',
  'inquire:x',
  'watch:__proto__',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '{00000000-0000-0000-0000-000000000000}',
  '00000000000000000000000000000000',
  '00000000-0000-0000-0000-00000000000g',
  'maple',
  'ma',
  'garden house',
  'obsevratory',
  '97031',
  'single-family',
  'price-up',
  'largest',
  'somebody@example.test',
  'a@b',
  'a@b.c\r\nBcc: x@y.z',
  `"${MARKUP}"@example.test`,
  'Plumb-Line 77 brass',
  'password',
];

/** Invalid UTF-8 and malformed escapes, as they appear in a URL. */
const malformedEncodings: readonly string[] = [
  '%',
  '%%',
  '%z',
  '%zz',
  '%2',
  '%u0041',
  '%00',
  '%0',
  '%ff',
  '%fe%ff',
  '%c0%af',
  '%c0%80',
  '%e0%80%af',
  '%ed%a0%80',
  '%ed%b0%80',
  '%f4%90%80%80',
  '%f8%88%80%80%80',
  '%80',
  '%c3',
  '%e2%82',
  '%2e%2e%2f',
  '%2e%2e/',
  '..%2f',
  '..%5c',
  '%252e%252e%252f',
  '%5c',
  '%3f',
  '%23',
  '%0d%0a',
  '%20',
  '+',
  ';',
  ';a=b',
  '&&&',
  '=',
  '==',
  '?a',
  '#x',
  '[0]',
  '[]',
  '@',
  ':',
  'é',
  '\x80\xff',
  '\xc0\xaf',
  '\xed\xa0\x80',
];

/** A random hostile value: a known one, a combination, a repetition, or something very long. */
export function hostileText(random: Random): string {
  const kind = random.below(20);
  if (kind < 13) return random.pick(hostileValues);
  if (kind < 16) return random.pick(hostileValues) + random.pick(hostileValues);
  if (kind < 18) return random.pick(hostileValues).repeat(1 + random.below(40));
  if (kind === 18)
    return Array.from({ length: 1 + random.below(30) }, () => String.fromCharCode(random.below(65_536))).join(
      '',
    );
  return random
    .pick(['a', 'ab ', '%', '\0', '(', '9', 'é', '😀'])
    .repeat(random.pick([300, 3_000, 12_000, 100_000]));
}

/** The same, encoded (mostly) for a URL or a form. */
export function encodedText(random: Random): string {
  if (random.percent(25))
    return random.pick(malformedEncodings) + (random.percent(50) ? random.pick(malformedEncodings) : '');
  const text = hostileText(random);
  return random.percent(90) ? encodeURIComponent(text.toWellFormed()) : text.replace(/[\s\0]/g, '+');
}

/** External addresses written so that careless code takes them for paths of our own. */
export const externalRedirects: readonly string[] = [
  'https://evil.example/',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/%0d%0aset-cookie:x=1',
  '/\t/evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/%2e%2e//evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  ' //evil.example',
  '/\r\nlocation: https://evil.example',
  'evil.example',
  'http:evil.example',
  '/@evil.example/..//x',
  '/\u0000/evil.example',
  '/\u2028//evil.example',
];
