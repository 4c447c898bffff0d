import { partyEvents } from '#features/sales/model.ts';
import type { PaymentMethod } from '#gateways/payments/port.ts';
import { SANDBOX_ACTIONS } from '#gateways/payments/sandbox/checkout-page.ts';
import { signWebhook } from '#gateways/payments/sandbox/webhook.ts';
import { hostileRequest as hostileQuery } from '#tests/support/reso/hostile-odata.ts';
import { encodedText, hostileText, type Random } from './hostile-input.ts';
import type { PageNames } from './page-names.ts';

/** What a run of hostile requests knows about the server. */
export interface FuzzTargets {
  /** what each page reads */
  pages: readonly PageNames[];
  /** the pages whose forms are sent */
  forms: readonly PageNames[];
  /** the pages whose forms a buyer sends, who may use none of them */
  forbiddenForms: readonly PageNames[];
  /** all names of parameters and fields, of which a request now and then gives those of another page */
  names: readonly string[];
  /** an administrator's API key */
  apiKey: string;
  /** addresses of files with a valid signature */
  signedFiles: readonly string[];
  /** patterns of addresses, with `:id`, `:ref`, `:shard` and `*` */
  patterns: readonly string[];
  /** existing ids: listings, users, sales, checkouts */
  ids: readonly string[];
  host: string;
  origin: string;
  /** Cookie headers of open sessions; the first is a buyer's, the last an administrator's */
  cookies: readonly string[];
  /** webhook signing secrets: such messages have hostile content but a valid signature */
  secrets: Readonly<Record<PaymentMethod, string>>;
  /** the version of the build, which every page tells, and without which the router's own endpoint answers nothing */
  version?: string;
}

/** Valid values by field. */
const EXPECTED: Record<string, readonly string[]> = {
  method: ['card', 'crypto'],
  paymentType: ['card', 'crypto'],
  total: ['74200000'],
  amount: ['742000', '742000.00'],
  event: [...partyEvents, 'cancel_checkout'],
  action: SANDBOX_ACTIONS,
};
/** What a field of some kind may take, so that the next one is read as well. */
const PLAUSIBLE = [
  '1',
  '0',
  '600',
  'yes',
  'on',
  '2026-12-01',
  '2026-12',
  '97031',
  'buyer@example.test',
  'A note.',
];
/** JSON values other than strings. */
const ODD_VALUES = [
  null,
  true,
  0,
  -1,
  0.1,
  742_000,
  1e308,
  Number.MAX_SAFE_INTEGER + 1,
  [],
  [[]],
  {},
  { a: 1 },
];
const METHODS = ['HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY', 'get', 'FOO'];
export const CONTENT_TYPES = [
  'application/x-www-form-urlencoded',
  'application/x-www-form-urlencoded; charset=utf-7',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary="',
  'application/json',
  'text/plain',
  'text/xml',
  'image/svg+xml',
  'a/b;c',
  '/',
  '',
  'application/x-www-form-urlencoded, application/json',
];

/** The bytes of a random hostile request. */
export function hostileRequest(random: Random, targets: FuzzTargets): Buffer {
  const roll = random.below(100);
  const method = roll < 54 ? 'GET' : roll < 92 ? 'POST' : random.pick(METHODS);
  if (random.percent(4)) return signedRequest(random, targets);
  if (random.percent(4)) return authorizedRequest(random, targets);
  const forbidden = method === 'POST' && targets.forbiddenForms.length > 0 && random.percent(20);
  const forms = forbidden ? targets.forbiddenForms : targets.forms;
  const page = forbidden || (method === 'POST' && random.percent(50)) ? random.pick(forms) : null;
  const address = page ? pathOf(random, targets, page.path, 90) : addressOf(random, targets);
  const body = method === 'GET' || method === 'HEAD' ? null : bodyOf(random, targets, page);
  const headers: [string, string][] = [
    [
      'host',
      random.percent(96)
        ? targets.host
        : random.pick(['', 'a b', 'evil.example', '[::1', 'localhost:99999', '%00', '..', 'x'.repeat(300)]),
    ],
    ['connection', 'close'],
    ...hostileHeaders(random, targets, { address, forbidden, writing: method !== 'GET' }),
  ];
  if (body) {
    if (!headers.some(([name]) => name === 'content-type')) headers.push(['content-type', body.type]);
    headers.push(['content-length', String(body.bytes.length)]);
  }
  const head = `${method} ${address} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), body?.bytes ?? Buffer.alloc(0)]);
}

/** A page with a form: chance alone seldom finds both the page and what its form can ask for. */
export const pageWithForm = (random: Random, { forms }: FuzzTargets): PageNames => random.pick(forms);

/** Names that a page reads, or now and then others. */
export const namesFor = (random: Random, { names }: FuzzTargets, page: PageNames | null | undefined) =>
  page && page.names.length > 0 && random.percent(75) ? page.names : names;

/** What only a program with a key or a signed link reaches: data of the exchange, and files. */
function authorizedRequest(random: Random, targets: FuzzTargets): Buffer {
  const signed = random.percent(25);
  const address = signed ? signedAddress(random, targets) : exchangeAddress(random);
  return authorized(random, targets, address.replace(/[ \r\n\0]/g, '+'));
}

/** The bytes of a request with an API key that is valid, for any address. */
export const authorized = (random: Random, { host, apiKey }: FuzzTargets, address: string): Buffer =>
  Buffer.from(
    [
      `${random.percent(92) ? 'GET' : 'HEAD'} ${address} HTTP/1.1`,
      `host: ${host}`,
      'connection: close',
      `authorization: Bearer ${apiKey}`,
      `x-forwarded-for: 10.${random.below(250)}.${random.below(250)}.${random.below(250)}`,
      '\r\n',
    ].join('\r\n'),
    'latin1',
  );

/** A signed link as it is, or with something put before, into or after it. */
function signedAddress(random: Random, { signedFiles }: FuzzTargets): string {
  const address = random.pick(signedFiles);
  if (random.percent(50)) return address;
  return random.percent(50)
    ? `${address}&${random.pick(['exp', 'sig', 'name', 'x'])}=${encodedText(random).slice(0, 2_000)}`
    : address.replace(/[?&](?=\w)/, (mark) => `${mark}${encodedText(random).slice(0, 500)}&`);
}

/** A request of the exchange, most of which are well-formed. */
export function exchangeAddress(random: Random): string {
  const { resource, params } = hostileQuery(random);
  const part = random.percent(15) ? '/$count' : random.percent(10) ? `('${encodedText(random)}')` : '';
  const query = params.toString();
  return `/reso/odata/${resource}${part.slice(0, 500)}${query ? `?${query}` : ''}`;
}

/** A webhook message with a valid signature and content no provider would send. */
function signedRequest(random: Random, { ids, host, secrets }: FuzzTargets): Buffer {
  const method = random.pick(['card', 'crypto'] as const);
  const text = () => (random.percent(40) ? random.pick(ids) : hostileText(random));
  const type = random.percent(60)
    ? random.pick(['checkout.session.completed', 'charge.dispute.created', 'checkout.payment.success'])
    : text();
  const event_id = text();
  const value = () => (random.percent(30) ? random.pick(ODD_VALUES) : text());
  const object = random.percent(85)
    ? { id: value(), object: value(), payment_intent: value(), amount: value(), status: value() }
    : value();
  const event =
    method === 'card'
      ? {
          id: random.percent(80) ? event_id : value(),
          object: 'event',
          type,
          livemode: value(),
          data: { object },
        }
      : { id: value(), eventType: type, amount: value(), status: value(), metadata: { saleId: value() } };
  const payload = random.percent(90) ? JSON.stringify(event) : text();
  const headerId = event_id.replace(/[^\x21-\x7e]/g, '_').slice(0, 500);
  const headerType = type.replace(/[^\x21-\x7e]/g, '_').slice(0, 500);
  const message = signWebhook(
    { method, event_id: headerId, type: headerType, payload },
    secrets[method],
    new Date(),
  );
  const body = Buffer.from(message.rawBody);
  const path = '/api/webhooks/sandbox';
  const headers = [
    ...message.headers,
    ['host', host],
    ['connection', 'close'],
    ['content-length', body.length],
  ];
  const head = headers.map(([name, is]) => `${name}: ${is}\r\n`).join('');
  return Buffer.concat([Buffer.from(`POST ${path} HTTP/1.1\r\n${head}\r\n`, 'latin1'), body]);
}

/** A path that fits a pattern; half (or `known` per cent) of what it leaves open is the id of something that exists. */
export function pathOf(random: Random, { ids }: FuzzTargets, pattern: string, known = 50): string {
  const segment = () => (random.percent(known) ? random.pick(ids) : encodedText(random).slice(0, 9_000));
  return pattern.replace(/:\w+|\*/g, () => segment()).replace(/[\s\0]/g, '+');
}

/** The path and query of a random request. */
export function addressOf(random: Random, targets: FuzzTargets): string {
  const { pages, patterns } = targets;
  const pattern = random.pick(patterns);
  const page = pages.find((one) => one.path === pattern);
  let path = pathOf(random, targets, pattern);
  if (random.percent(25)) path = path === '/' ? '/_root.data' : `${path}.data`;
  if (random.percent(6)) path = `/${encodedText(random).slice(0, 9_000)}${path}`;
  if (random.percent(4))
    path = random.pick(['//', '/./', '/../', '/%2e/', '/;/', '/\\', '*', 'http://evil.example/', '']) + path;
  const count = random.percent(65) ? 1 + random.below(4) : 0;
  const names = namesFor(random, targets, page);
  const query = Array.from({ length: count }, () => parameter(random, names)).join('&');
  return (query ? `${path}?${query}` : path).replace(/[ \r\n\0]/g, '+');
}

function parameter(random: Random, names: readonly string[]): string {
  const name = random.percent(90) ? random.pick(names) : encodedText(random).slice(0, 300);
  const suffix = random.percent(8) ? random.pick(['[]', '[0]', '[a][b]', '.a', '%5B%5D']) : '';
  return `${name}${suffix}=${encodedText(random)}`;
}

/** Contains no line breaks, except now and then to be rejected by the parser. */
const headerText = (random: Random): string => {
  const text = Buffer.from(hostileText(random).slice(0, 4_000), 'utf8').toString('latin1');
  return random.percent(97) ? text.replace(/[\r\n\0]/g, ' ') : text;
};

/** The session of a user whose pages these mostly are: they send everyone else away, which would prove little. */
function sessionFor(random: Random, address: string, cookies: readonly string[]): string {
  const [buyer, seller, , admin] = cookies;
  const owner = { buyer, agent: seller, admin }[address.split(/[/?.]/)[1] ?? ''];
  return owner && random.percent(address.startsWith('/admin') ? 100 : 75) ? owner : random.pick(cookies);
}

function hostileHeaders(
  random: Random,
  targets: FuzzTargets,
  { address, forbidden, writing }: { address: string; forbidden: boolean; writing: boolean },
): [string, string][] {
  const headers: [string, string][] = [];
  if (writing && random.percent(88))
    headers.push(['sec-fetch-site', 'same-origin'], ['origin', targets.origin]);
  else if (random.percent(20)) headers.push(['origin', headerText(random)]);
  const [buyer = ''] = targets.cookies;
  const session = forbidden ? buyer : sessionFor(random, address, targets.cookies);
  const cookies = [
    ...(random.percent(65) ? [session] : []),
    ...(random.percent(20)
      ? [
          `${random.pick(['acre.session_token', 'acre-flash', 'acre-reset', 'sidebar:state', 'acre-sidebar', '__proto__', 'x'])}=${encodedText(random).slice(0, 3_000)}`,
        ]
      : []),
    ...(random.percent(5) ? [headerText(random)] : []),
  ];
  if (cookies.length) headers.push(['cookie', cookies.join('; ').replace(/[\r\n\0]/g, ' ')]);
  const more: (() => [string, string])[] = [
    () => [
      'accept',
      random.pick([
        '*/*',
        'application/json',
        'text/html',
        'text/x-script',
        'text/event-stream',
        headerText(random),
      ]),
    ],
    () => [
      'accept-encoding',
      random.pick(['br', 'gzip', 'identity;q=0', 'br;q=1.0, gzip;q=0', '*', headerText(random)]),
    ],
    () => ['accept-language', headerText(random)],
    () => ['user-agent', random.pick(['Mozilla/5.0 Firefox/140.0', 'Googlebot/2.1', headerText(random)])],
    () => ['referer', random.pick([`${targets.origin}//evil.example/`, targets.origin, headerText(random)])],
    () => ['x-forwarded-for', random.pick(['1.2.3.4', '::1', '1.2.3.4, 5.6.7.8', headerText(random)])],
    () => ['x-forwarded-host', random.pick(['evil.example', 'a b', headerText(random)])],
    () => ['x-forwarded-proto', random.pick(['https', 'ftp', 'javascript', headerText(random)])],
    () => ['x-request-id', headerText(random)],
    () => ['last-event-id', headerText(random)],
    () => ['if-none-match', headerText(random)],
    () => ['if-modified-since', headerText(random)],
    () => ['range', random.pick(['bytes=0-', 'bytes=-1', 'bytes=9-1', 'bytes=0-0,1-1', headerText(random)])],
    () => ['content-type', random.pick([...CONTENT_TYPES, headerText(random)])],
    () => ['content-encoding', random.pick(['gzip', 'br', 'deflate'])],
    () => ['x-react-router-spa-mode', 'yes'],
    () => ['x-react-router-prerender-data', headerText(random)],
    () => ['x-http-method-override', 'DELETE'],
    () => ['expect', random.pick(['100-continue', 'x'])],
    () => ['upgrade', random.pick(['websocket', 'h2c'])],
    () => [`x-${random.below(9)}`, headerText(random)],
  ];
  const count = random.below(4);
  for (let at = 0; at < count; at++) headers.push(random.pick(more)());
  return headers;
}

function bodyOf(
  random: Random,
  targets: FuzzTargets,
  page: PageNames | null,
): { type: string; bytes: Buffer } {
  // Most forms of a page can be read whole, so that what is odd in them gets as far as the command.
  const readable = page !== null && random.percent(75);
  const kind = random.below(readable ? 15 : 22);
  const field = (): readonly [string, string] => {
    const name = random.percent(92)
      ? random.pick(namesFor(random, targets, page))
      : encodedText(random).slice(0, 200);
    const expected = Object.hasOwn(EXPECTED, name) ? EXPECTED[name] : undefined;
    if (expected && random.percent(88)) return [name, random.pick(expected)] as const;
    if (random.percent(15)) return [name, random.pick(targets.ids)] as const;
    return [name, random.percent(readable ? 60 : 15) ? random.pick(PLAUSIBLE) : hostileText(random)] as const;
  };
  const fields = Array.from({ length: random.below(page ? 10 : 6) }, field);
  // Without a known intent a page does nothing.
  const intents = (page ?? pageWithForm(random, targets)).intents;
  if (random.percent(page ? 85 : 60)) fields.unshift(['intent', random.pick(intents)]);
  if (kind < 12) {
    const pairs = fields.map(
      ([name, value]) =>
        `${name}=${random.percent(readable ? 99 : 85) ? encodeURIComponent(value.toWellFormed()) : encodedText(random)}`,
    );
    return { type: 'application/x-www-form-urlencoded', bytes: Buffer.from(pairs.join('&'), 'latin1') };
  }
  if (kind < 15) {
    const part = ([name, value]: readonly [string, string]) =>
      `--b\r\ncontent-disposition: form-data; name="${name}"${random.percent(20) ? `; filename="${value.slice(0, 50)}"` : ''}\r\n\r\n${value}\r\n`;
    const end = random.percent(80) ? '--b--\r\n' : '';
    return { type: 'multipart/form-data; boundary=b', bytes: Buffer.from(fields.map(part).join('') + end) };
  }
  if (kind === 15 || kind > 19)
    return { type: 'application/json', bytes: Buffer.from(JSON.stringify(oddJson(random, fields))) };
  if (kind === 16)
    return { type: 'application/json', bytes: Buffer.from('{"a":'.repeat(1 + random.below(5_000))) };
  if (kind === 17) return { type: random.pick(CONTENT_TYPES), bytes: Buffer.from(hostileText(random)) };
  if (kind === 18)
    return {
      type: 'application/x-www-form-urlencoded',
      bytes: Buffer.from('a=b&'.repeat(random.pick([10_000, 60_000, 80_000]))),
    };
  return {
    type: random.pick(CONTENT_TYPES),
    bytes: Buffer.from(Array.from({ length: random.below(500) }, () => random.below(256))),
  };
}

/** A body roughly as the payment endpoints expect it. */
function oddJson(random: Random, fields: (readonly [string, string])[]): Record<string, unknown> {
  const call = Object.fromEntries<unknown>(fields);
  if (random.percent(60)) Object.assign(call, { amount: '742000.00' });
  for (const name of Object.keys(call)) if (random.percent(15)) call[name] = random.pick(ODD_VALUES);
  return call;
}
