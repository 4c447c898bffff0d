import {
  addressOf,
  authorized,
  CONTENT_TYPES,
  exchangeAddress,
  type FuzzTargets,
  hostileRequest,
  namesFor,
  pageWithForm,
  pathOf,
} from './fuzz-request.ts';
import type { Random } from './hostile-input.ts';
import type { PageNames } from './page-names.ts';

/** Anyone can send this much, without an account, in one go. */
const MAX_BYTES = 8 * 1_024;

/** Texts of which a long run has made parsers and patterns slow before. */
const BAIT = [
  'a',
  'a.',
  'a@',
  'a-',
  'A ',
  ' ',
  '\t',
  '\n',
  '\r\n',
  '0',
  '9',
  '1,',
  '1.',
  '1e9',
  '-',
  '--',
  '_',
  '.',
  '..',
  '/',
  '//',
  '\\',
  '"',
  "'",
  '(',
  '((a',
  '[',
  '[[',
  '{',
  '{"a":',
  '<',
  '<a ',
  '&',
  '&amp;',
  '%',
  '%20',
  '%e2%80%ae',
  '=',
  ';',
  'a=b;',
  ',',
  'q=0.1,',
  'text/html;q=0.',
  '*',
  '+',
  '?',
  '|',
  ':',
  '::',
  '!',
  '$',
  '#',
  '^',
  '~',
  '@',
  'http://',
  'www.a.',
  '1 Main St ',
  'NaN',
  'e\u0301',
  '\u0130',
  '\u00df',
  '\ufb00',
  '\u200d',
  '\ud83d\ude00',
  '\ud83c\udff3\ufe0f\u200d\ud83c\udf08',
  '\u0e33',
  '\u1112\u1161\u11ab',
  '\u202e',
  '00000000-0000-4000-8000-000000000000,',
  '97031,',
  'garden ',
  'house or ',
  '-maple ',
  'maple* ',
  'id,',
  'root,',
  '44.05_-121.31_',
  '-121.3,44,',
  'not ',
  'City eq 1 or ',
  "'a',",
  'Media($select=Order),',
];

/** What stands at the end of a run, for patterns that give up only there. */
const ENDS = ['', '!', 'x', '@', '\u0000', ' ', '.', '"', '$'];

/** The bytes of a random request of at most 8 kB: either hostile in its content, or one thing as often as it fits. */
export function abusiveRequest(random: Random, targets: FuzzTargets): Buffer {
  for (;;) {
    const bytes = random.percent(45) ? hostileRequest(random, targets) : stuffedRequest(random, targets);
    if (bytes.length <= MAX_BYTES) return bytes;
  }
}

const run = (random: Random, room: number): string => {
  const bait = random.pick(BAIT);
  const end = random.pick(ENDS);
  const times = Math.max(1, Math.floor((room - end.length) / Buffer.byteLength(bait)));
  return bait.repeat(times) + end;
};

/** Many short things between separators: names and values of a query, a form, a header or a list. */
const many = (random: Random, room: number, separator: string, names: readonly string[]): string => {
  const named = random.percent(60);
  const value = random.pick(['', '1', 'a', '0.5', '%41', 'x'.repeat(20)]);
  const parts: string[] = [];
  for (let used = 0, n = 0; ; n += 1) {
    const part = `${named ? random.pick(names) : random.percent(50) ? `n${n}` : 'a'}=${value}`;
    used += part.length + separator.length;
    if (used > room) return parts.join(separator);
    parts.push(part);
  }
};

const encoded = (text: string, room: number): string => {
  const whole = encodeURIComponent(text.toWellFormed());
  return whole.length <= room ? whole : whole.slice(0, room).replace(/%.?$/, '');
};

function stuffedRequest(random: Random, targets: FuzzTargets): Buffer {
  const place = random.below(100);
  const room = MAX_BYTES - 900;
  if (place < 4) return authorized(random, targets, stuffedQuery(random, room));
  if (place < 30) return get(random, targets, stuffedAddress(random, targets, room));
  if (place < 50)
    return get(
      random,
      targets,
      addressOf(random, targets).slice(0, 1_500),
      stuffedHeader(random, room - 1_500),
    );
  return post(random, targets, room);
}

/** A page, by how much it reads. */
const pageThatReads = (random: Random, { pages }: FuzzTargets): PageNames =>
  random.pick(pages.flatMap((page) => page.names.map(() => page)));

/** A request of the exchange with one option as long as it can be. */
function stuffedQuery(random: Random, room: number): string {
  const [path = '', query = ''] = exchangeAddress(random).split('?');
  const name = random.pick([
    '$filter',
    '$filter',
    '$filter',
    '$select',
    '$orderby',
    '$expand',
    '$skiptoken',
    '$top',
  ]);
  const filter = () => {
    const [open, close] = random.pick([
      ['(', ')'],
      ['not (', ')'],
      ['tolower(', ')'],
      ['not ', ''],
    ] as const);
    const depth = Math.floor((room / 3 - 20) / (open.length + close.length));
    return `${open.repeat(depth)}City eq 'a'${close.repeat(depth)}`;
  };
  const text =
    name === '$filter' && random.percent(40) ? filter() : run(random, random.percent(50) ? room / 3 : room);
  const others = new URLSearchParams(query);
  others.delete(name);
  const rest = `${others}`.slice(0, 600);
  return `${path}?${rest}&${name}=${encoded(text, room - rest.length - path.length - 20)}`;
}

function stuffedAddress(random: Random, targets: FuzzTargets, room: number): string {
  const page = random.percent(60) ? pageThatReads(random, targets) : null;
  const names = namesFor(random, targets, page);
  const [path = '/'] = (page ? pathOf(random, targets, page.path) : addressOf(random, targets)).split('?');
  const kind = random.below(10);
  if (kind === 9 && targets.version) {
    const each = random.pick([
      (n: number) => `/${n.toString(36)}`,
      (n: number) => `/agent/${n}`,
      () => '/a'.repeat(40),
    ]);
    const separator = random.percent(80) ? ',' : '';
    const paths = Array.from({ length: random.below(2_000) }, (_, n) => each(n)).join(separator);
    return `/__manifest?version=${targets.version}&paths=${paths.slice(0, room - 300)}`;
  }
  if (kind === 0) return `${path.slice(0, 300)}${'/a'.repeat(random.below(1_000))}`;
  if (kind === 1) return `${path.slice(0, 300)}/${encoded(run(random, 1_700), 1_700)}`;
  const short = path.slice(0, 600);
  const left = room - short.length;
  if (kind < 4) return `${short}?${many(random, left, '&', names)}`;
  const name = random.pick(names);
  const text = random.percent(50) ? run(random, left / 3) : run(random, left);
  return `${short}?${name}=${encoded(text, left - name.length)}`;
}

function stuffedHeader(random: Random, room: number): [string, string] {
  const name = random.pick([
    'cookie',
    'cookie',
    'accept',
    'accept-encoding',
    'accept-language',
    'user-agent',
    'referer',
    'if-none-match',
    'x-forwarded-host',
    'x-forwarded-proto',
    'range',
    'last-event-id',
    'origin',
    'x-request-id',
    'content-type',
  ]);
  if (name === 'cookie' && random.percent(70))
    return [
      name,
      many(random, room, '; ', [
        'acre.session_token',
        'acre.device',
        'acre-flash',
        'acre-reset',
        'acre-sidebar',
      ]),
    ];
  const text = Buffer.from(run(random, room), 'utf8').toString('latin1').slice(0, room);
  return [name, text.replace(/[\r\n\0]/g, ' ')];
}

const get = (random: Random, targets: FuzzTargets, address: string, header?: [string, string]): Buffer =>
  Buffer.from(
    `${random.percent(92) ? 'GET' : 'HEAD'} ${address.replace(/[ \r\n\0]/g, '+')} HTTP/1.1\r\n${common(random, targets, header)}\r\n`,
    'latin1',
  );

function common(random: Random, { host, cookies }: FuzzTargets, header?: [string, string]): string {
  const lines: [string, string][] = [
    ['host', host],
    ['connection', 'close'],
    ['x-forwarded-for', `10.${random.below(250)}.${random.below(250)}.${random.below(250)}`],
    ['accept', random.pick(['text/html', 'application/json', '*/*', 'text/x-script'])],
    ['accept-encoding', random.pick(['br', 'gzip', 'identity'])],
  ];
  if (random.percent(60)) lines.push(['cookie', random.pick(cookies)]);
  const [name] = header ?? [];
  const others = lines.filter(([one]) => one !== name);
  return [...others, ...(header ? [header] : [])].map(([one, value]) => `${one}: ${value}\r\n`).join('');
}

function post(random: Random, targets: FuzzTargets, room: number): Buffer {
  const page = pageWithForm(random, targets);
  const address = (random.percent(60) ? pathOf(random, targets, page.path) : addressOf(random, targets))
    .slice(0, 600)
    .replace(/[ \r\n\0]/g, '+');
  const { type, body } = stuffedBody(random, room - 700, {
    names: namesFor(random, targets, page),
    intents: page.intents,
  });
  const head = [
    `POST ${address} HTTP/1.1\r\n`,
    common(random, targets),
    `sec-fetch-site: same-origin\r\norigin: ${targets.origin}\r\n`,
    `content-type: ${random.percent(92) ? type : random.pick(CONTENT_TYPES)}\r\ncontent-length: ${body.length}\r\n\r\n`,
  ].join('');
  return Buffer.concat([Buffer.from(head, 'latin1'), body]);
}

const nested = (open: string, close: string, room: number): string => {
  const depth = Math.floor(room / (open.length + close.length));
  return open.repeat(depth) + close.repeat(depth);
};

/** What a form may be made of. */
type Form = Pick<PageNames, 'names' | 'intents'>;

function stuffedBody(random: Random, room: number, form: Form): { type: string; body: Buffer } {
  const kind = random.below(10);
  const intent = `intent=${random.pick(form.intents)}&`;
  if (kind < 4) {
    const field = random.pick(form.names);
    const text = random.percent(50)
      ? many(random, room - 60, '&', form.names)
      : `${field}=${encoded(run(random, random.percent(50) ? room / 3 : room), room - 60)}`;
    return { type: 'application/x-www-form-urlencoded', body: Buffer.from(intent + text, 'latin1') };
  }
  if (kind < 7) return { type: 'multipart/form-data; boundary=b', body: multipart(random, room, form) };
  const json = random.pick([
    () => nested('[', ']', room),
    () => nested('{"a":', '}', room),
    () => `{"${random.pick(form.names)}":${JSON.stringify(run(random, room / 3))}}`,
    () => `{${Array.from({ length: Math.floor(room / 12) }, (_, n) => `"k${n}":${n % 10}`).join(',')}}`,
    () => `[${'1,'.repeat(Math.floor(room / 2) - 2)}1]`,
    () => `{"amount":${'9'.repeat(room - 20)}}`,
    () => `{"amount":1e${'9'.repeat(room - 20)}}`,
    () => `{"__proto__":${nested('{"__proto__":', '}', room - 20)}}`,
  ])();
  return { type: 'application/json', body: Buffer.from(json).subarray(0, room) };
}

function multipart(random: Random, room: number, form: Form): Buffer {
  const name = random.pick(form.names);
  const part = random.pick([
    () => '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n\r\n'.repeat(Math.floor(room / 55)),
    () => `--b\r\ncontent-disposition: form-data; name="${run(random, room - 100)}"\r\n\r\n1\r\n`,
    () => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${run(random, room - 100)}\r\n`,
    () => `--b\r\n${'x-a: b\r\n'.repeat(Math.floor(room / 9))}\r\n1\r\n`,
    () => '\r\n--b'.repeat(Math.floor(room / 5)),
    () => '-'.repeat(room),
  ])();
  const intent = `--b\r\ncontent-disposition: form-data; name="intent"\r\n\r\n${random.pick(form.intents)}\r\n`;
  return Buffer.from(`${intent}${part}${random.percent(80) ? '--b--\r\n' : ''}`).subarray(0, room);
}
