import { partyEvents } from '#features/sales/model.ts';
import type { PaymentMethod } from '#gateways/payments/port.ts';
import { SANDBOX_ACTIONS } from '#gateways/payments/sandbox/checkout-page.ts';
import { signWebhook } from '#gateways/payments/sandbox/webhook.ts';
import { FORMS } from './forms.ts';
import { encodedText, hostileText, type Random } from './hostile-input.ts';

/** What a run of hostile requests knows about the server. */
export interface FuzzTargets {
  /** patterns of addresses, with `:id`, `:ref`, `:shard` and `*` */
  patterns: readonly string[];
  /** existing ids: listings, users, sales, checkouts */
  ids: readonly string[];
  host: string;
  origin: string;
  /** Cookie headers of open sessions; the last is an administrator's */
  cookies: readonly string[];
  /** webhook signing secrets: such messages have hostile content but a valid signature */
  secrets: Readonly<Record<PaymentMethod, string>>;
  /** the version of the build, which every page tells, and without which the router's own endpoint answers nothing */
  version?: string;
}

/** Names of query parameters that our pages read. */
export const PARAMETERS = [
  'q',
  'type',
  'min',
  'max',
  'beds',
  'baths',
  'sort',
  'page',
  'bbox',
  'map',
  'zoom',
  'next',
  'intent',
  'forgot',
  'token',
  'code',
  'done',
  'mail',
  'inquire',
  'exp',
  'sig',
  'name',
  'version',
  'paths',
  '_routes',
  'index',
  'sale',
  'tab',
  'do',
  'left',
  'purchase',
  'details',
  'before',
  'listing',
  'messages',
  'status',
  'kind',
  'action',
  'record',
  'edit',
];
/** Names of form fields that our pages read. */
export const FIELDS = [
  'intent',
  'email',
  'password',
  'confirm',
  'current',
  'session',
  'token',
  'next',
  'watched',
  'message',
  'key',
  'role',
  'method',
  'total',
  'sale',
  'note',
  'paymentType',
  'propertyId',
  'transactionId',
  'amount',
  'buyerEmail',
  'id',
  'ids',
  'rate',
  'seen',
  'reason',
  'phone',
  'address',
  'price',
  'status',
  'brand',
  'heroTitle',
  'until',
];
/** Valid values by field. */
const EXPECTED: Record<string, readonly string[]> = {
  intent: [
    'sign-in',
    'forgot',
    'resend',
    'revoke',
    'password',
    'reset',
    'confirm',
    'name',
    'email',
    'save',
    'fee-save',
    'fee-status',
    'fee-remove',
    'commission-save',
    'commission-drop',
    'add',
    'remove',
    'rate',
    'phone',
    'suspend',
    'approve',
    'reject',
    'note',
    'snooze',
    'retry',
    'drop',
  ],
  method: ['card', 'crypto'],
  paymentType: ['card', 'crypto'],
  total: ['74200000'],
  amount: ['742000', '742000.00'],
  event: [...partyEvents, 'cancel_checkout'],
  action: SANDBOX_ACTIONS,
};
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
  const form = method === 'POST' && random.percent(30) ? random.pick(FORMS) : null;
  const address = form?.path ?? addressOf(random, targets);
  const body = method === 'GET' || method === 'HEAD' ? null : bodyOf(random, targets, form?.intents);
  const headers: [string, string][] = [
    [
      'host',
      random.percent(96)
        ? targets.host
        : random.pick(['', 'a b', 'evil.example', '[::1', 'localhost:99999', '%00', '..', 'x'.repeat(300)]),
    ],
    ['connection', 'close'],
    ...hostileHeaders(random, targets, { address, writing: method !== 'GET' }),
  ];
  if (body) {
    if (!headers.some(([name]) => name === 'content-type')) headers.push(['content-type', body.type]);
    headers.push(['content-length', String(body.bytes.length)]);
  }
  const head = `${method} ${address} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), body?.bytes ?? Buffer.alloc(0)]);
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

/** The path and query of a random request. */
export function addressOf(random: Random, { patterns, ids }: FuzzTargets): string {
  const segment = () => (random.percent(50) ? random.pick(ids) : encodedText(random).slice(0, 9_000));
  let path = random
    .pick(patterns)
    .replace(/:\w+|\*/g, () => segment())
    .replace(/[\s\0]/g, '+');
  if (random.percent(25)) path = path === '/' ? '/_root.data' : `${path}.data`;
  if (random.percent(6)) path = `/${encodedText(random).slice(0, 9_000)}${path}`;
  if (random.percent(4))
    path = random.pick(['//', '/./', '/../', '/%2e/', '/;/', '/\\', '*', 'http://evil.example/', '']) + path;
  const count = random.percent(65) ? 1 + random.below(4) : 0;
  const query = Array.from({ length: count }, () => parameter(random, PARAMETERS)).join('&');
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
  { address, writing }: { address: string; writing: boolean },
): [string, string][] {
  const headers: [string, string][] = [];
  if (writing && random.percent(88))
    headers.push(['sec-fetch-site', 'same-origin'], ['origin', targets.origin]);
  else if (random.percent(20)) headers.push(['origin', headerText(random)]);
  const session = sessionFor(random, address, targets.cookies);
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
  { ids }: FuzzTargets,
  intents = EXPECTED.intent ?? [],
): { type: string; bytes: Buffer } {
  const kind = random.below(22);
  const field = (): readonly [string, string] => {
    const name = random.percent(92) ? random.pick(FIELDS) : encodedText(random).slice(0, 200);
    const expected = Object.hasOwn(EXPECTED, name) ? EXPECTED[name] : undefined;
    if (expected && random.percent(88)) return [name, random.pick(expected)] as const;
    return [name, random.percent(15) ? random.pick(ids) : hostileText(random)] as const;
  };
  const fields = Array.from({ length: random.below(6) }, field);
  // Without a known intent a page does nothing.
  if (random.percent(60)) fields.unshift(['intent', random.pick(intents)]);
  if (kind < 12) {
    const pairs = fields.map(
      ([name, value]) =>
        `${name}=${random.percent(85) ? encodeURIComponent(value.toWellFormed()) : encodedText(random)}`,
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
