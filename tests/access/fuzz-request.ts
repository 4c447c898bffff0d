import { partyEvents } from '#features/purchases/model.ts';
import type { Rail } from '#gateways/payments/port.ts';
import { signedMessage } from '#gateways/payments/sandbox/messages.ts';
import { SANDBOX_ACTIONS } from '#gateways/payments/sandbox/page.ts';
import { type Chance, encodedText, hostileText } from './hostile.ts';

/** What a run of hostile requests knows of the house. */
export interface Targets {
  /** patterns of addresses, with `:id`, `:ref`, `:shard` and `*` */
  patterns: readonly string[];
  /** ids that exist: listings, people, sales, checkouts */
  ids: readonly string[];
  host: string;
  origin: string;
  /** Cookie headers of open sessions */
  cookies: readonly string[];
  /** what the providers' messages are signed with: their content is hostile, their sender is right */
  secrets: Readonly<Record<Rail, string>>;
}

const PARAMETERS = [
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
];
const FIELDS = [
  'form',
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
  'scripted',
  'role',
  'method',
  'total',
  'cancel',
  'event',
  'note',
  'action',
  'paymentType',
  'propertyId',
  'transactionId',
  'amount',
  'buyerEmail',
];
/** What stands in a field when it is what its reader waits for. */
const EXPECTED: Record<string, readonly string[]> = {
  form: ['sign-in', 'forgot', 'resend', 'revoke', 'password', 'reset', 'confirm', 'sign-up'],
  method: ['card', 'crypto'],
  paymentType: ['card', 'crypto'],
  total: ['74200000'],
  amount: ['742000', '742000.00'],
  event: [...partyEvents, 'cancel_checkout'],
  action: SANDBOX_ACTIONS,
};
/** What JSON can hold beside texts. */
const ODD = [null, true, 0, -1, 0.1, 742_000, 1e308, Number.MAX_SAFE_INTEGER + 1, [], [[]], {}, { a: 1 }];
const METHODS = ['HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY', 'get', 'FOO'];
const TYPES = [
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

/** The bytes of a request as hostile as chance has it. */
export function hostileRequest(chance: Chance, targets: Targets): Buffer {
  const roll = chance.below(100);
  const method = roll < 55 ? 'GET' : roll < 92 ? 'POST' : chance.pick(METHODS);
  if (chance.percent(4)) return signedRequest(chance, targets);
  const body = method === 'GET' || method === 'HEAD' ? null : bodyOf(chance, targets);
  const headers: [string, string][] = [
    [
      'host',
      chance.percent(96)
        ? targets.host
        : chance.pick(['', 'a b', 'evil.example', '[::1', 'localhost:99999', '%00', '..', 'x'.repeat(300)]),
    ],
    ['connection', 'close'],
    ...hostileHeaders(chance, targets, method !== 'GET'),
  ];
  if (body) {
    if (!headers.some(([name]) => name === 'content-type')) headers.push(['content-type', body.type]);
    headers.push(['content-length', String(body.bytes.length)]);
  }
  const head = `${method} ${addressOf(chance, targets)} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), body?.bytes ?? Buffer.alloc(0)]);
}

/** A provider's message whose signature is right and whose content is not what the provider would say. */
function signedRequest(chance: Chance, { ids, host, secrets }: Targets): Buffer {
  const rail = chance.pick(['card', 'crypto'] as const);
  const text = () => (chance.percent(40) ? chance.pick(ids) : hostileText(chance));
  const type = chance.percent(60)
    ? chance.pick(['checkout.session.completed', 'charge.dispute.created', 'checkout.payment.success'])
    : text();
  const event_id = text();
  const value = () => (chance.percent(30) ? chance.pick(ODD) : text());
  const object = chance.percent(85)
    ? { id: value(), object: value(), payment_intent: value(), amount: value(), status: value() }
    : value();
  const said =
    rail === 'card'
      ? {
          id: chance.percent(80) ? event_id : value(),
          object: 'event',
          type,
          livemode: value(),
          data: { object },
        }
      : { id: value(), eventType: type, amount: value(), status: value(), metadata: { saleId: value() } };
  const payload = chance.percent(90) ? JSON.stringify(said) : text();
  const named = event_id.replace(/[^\x21-\x7e]/g, '_').slice(0, 500);
  const typed = type.replace(/[^\x21-\x7e]/g, '_').slice(0, 500);
  const message = signedMessage({ rail, event_id: named, type: typed, payload }, secrets[rail], new Date());
  const body = Buffer.from(message.rawBody);
  const path = `/api/webhooks/${rail === 'card' ? 'stripe' : 'coinbase'}`;
  const headers = [
    ...message.headers,
    ['host', host],
    ['connection', 'close'],
    ['content-length', body.length],
  ];
  const head = headers.map(([name, is]) => `${name}: ${is}\r\n`).join('');
  return Buffer.concat([Buffer.from(`POST ${path} HTTP/1.1\r\n${head}\r\n`, 'latin1'), body]);
}

function addressOf(chance: Chance, { patterns, ids }: Targets): string {
  const segment = () => (chance.percent(50) ? chance.pick(ids) : encodedText(chance).slice(0, 9_000));
  let path = chance
    .pick(patterns)
    .replace(/:\w+|\*/g, () => segment())
    .replace(/[\s\0]/g, '+');
  if (chance.percent(25)) path = path === '/' ? '/_root.data' : `${path}.data`;
  if (chance.percent(6)) path = `/${encodedText(chance).slice(0, 9_000)}${path}`;
  if (chance.percent(4))
    path = chance.pick(['//', '/./', '/../', '/%2e/', '/;/', '/\\', '*', 'http://evil.example/', '']) + path;
  const count = chance.percent(65) ? 1 + chance.below(4) : 0;
  const query = Array.from({ length: count }, () => parameter(chance, PARAMETERS)).join('&');
  return (query ? `${path}?${query}` : path).replace(/[ \r\n\0]/g, '+');
}

function parameter(chance: Chance, names: readonly string[]): string {
  const name = chance.percent(90) ? chance.pick(names) : encodedText(chance).slice(0, 300);
  const suffix = chance.percent(8) ? chance.pick(['[]', '[0]', '[a][b]', '.a', '%5B%5D']) : '';
  return `${name}${suffix}=${encodedText(chance)}`;
}

/** A header holds no line break, unless it is to be refused by the parser. */
const headerText = (chance: Chance): string => {
  const text = Buffer.from(hostileText(chance).slice(0, 4_000), 'utf8').toString('latin1');
  return chance.percent(97) ? text.replace(/[\r\n\0]/g, ' ') : text;
};

function hostileHeaders(chance: Chance, targets: Targets, writing: boolean): [string, string][] {
  const headers: [string, string][] = [];
  if (writing && chance.percent(88))
    headers.push(['sec-fetch-site', 'same-origin'], ['origin', targets.origin]);
  else if (chance.percent(20)) headers.push(['origin', headerText(chance)]);
  const cookies = [
    ...(chance.percent(55) ? [chance.pick(targets.cookies)] : []),
    ...(chance.percent(20)
      ? [
          `${chance.pick(['acre.session_token', 'acre-flash', 'acre-reset', 'sidebar:state', 'acre-sidebar', '__proto__', 'x'])}=${encodedText(chance).slice(0, 3_000)}`,
        ]
      : []),
    ...(chance.percent(5) ? [headerText(chance)] : []),
  ];
  if (cookies.length) headers.push(['cookie', cookies.join('; ').replace(/[\r\n\0]/g, ' ')]);
  const more: (() => [string, string])[] = [
    () => [
      'accept',
      chance.pick([
        '*/*',
        'application/json',
        'text/html',
        'text/x-script',
        'text/event-stream',
        headerText(chance),
      ]),
    ],
    () => [
      'accept-encoding',
      chance.pick(['br', 'gzip', 'identity;q=0', 'br;q=1.0, gzip;q=0', '*', headerText(chance)]),
    ],
    () => ['accept-language', headerText(chance)],
    () => ['user-agent', chance.pick(['Mozilla/5.0 Firefox/140.0', 'Googlebot/2.1', headerText(chance)])],
    () => ['referer', chance.pick([`${targets.origin}//evil.example/`, targets.origin, headerText(chance)])],
    () => ['x-forwarded-for', chance.pick(['1.2.3.4', '::1', '1.2.3.4, 5.6.7.8', headerText(chance)])],
    () => ['x-forwarded-host', chance.pick(['evil.example', 'a b', headerText(chance)])],
    () => ['x-forwarded-proto', chance.pick(['https', 'ftp', 'javascript', headerText(chance)])],
    () => ['x-request-id', headerText(chance)],
    () => ['last-event-id', headerText(chance)],
    () => ['if-none-match', headerText(chance)],
    () => ['if-modified-since', headerText(chance)],
    () => ['range', chance.pick(['bytes=0-', 'bytes=-1', 'bytes=9-1', 'bytes=0-0,1-1', headerText(chance)])],
    () => ['content-type', chance.pick([...TYPES, headerText(chance)])],
    () => ['content-encoding', chance.pick(['gzip', 'br', 'deflate'])],
    () => ['x-react-router-spa-mode', 'yes'],
    () => ['x-react-router-prerender-data', headerText(chance)],
    () => ['x-http-method-override', 'DELETE'],
    () => ['expect', chance.pick(['100-continue', 'x'])],
    () => ['upgrade', chance.pick(['websocket', 'h2c'])],
    () => [`x-${chance.below(9)}`, headerText(chance)],
  ];
  const count = chance.below(4);
  for (let at = 0; at < count; at++) headers.push(chance.pick(more)());
  return headers;
}

function bodyOf(chance: Chance, { ids }: Targets): { type: string; bytes: Buffer } {
  const kind = chance.below(22);
  const field = (): readonly [string, string] => {
    const name = chance.percent(92) ? chance.pick(FIELDS) : encodedText(chance).slice(0, 200);
    const expected = Object.hasOwn(EXPECTED, name) ? EXPECTED[name] : undefined;
    if (expected && chance.percent(80)) return [name, chance.pick(expected)] as const;
    return [name, chance.percent(15) ? chance.pick(ids) : hostileText(chance)] as const;
  };
  const fields = Array.from({ length: chance.below(6) }, field);
  if (kind < 12) {
    const pairs = fields.map(
      ([name, value]) =>
        `${name}=${chance.percent(85) ? encodeURIComponent(value.toWellFormed()) : encodedText(chance)}`,
    );
    return { type: 'application/x-www-form-urlencoded', bytes: Buffer.from(pairs.join('&'), 'latin1') };
  }
  if (kind < 15) {
    const part = ([name, value]: readonly [string, string]) =>
      `--b\r\ncontent-disposition: form-data; name="${name}"${chance.percent(20) ? `; filename="${value.slice(0, 50)}"` : ''}\r\n\r\n${value}\r\n`;
    const end = chance.percent(80) ? '--b--\r\n' : '';
    return { type: 'multipart/form-data; boundary=b', bytes: Buffer.from(fields.map(part).join('') + end) };
  }
  if (kind === 15 || kind > 19)
    return { type: 'application/json', bytes: Buffer.from(JSON.stringify(oddly(chance, fields))) };
  if (kind === 16)
    return { type: 'application/json', bytes: Buffer.from('{"a":'.repeat(1 + chance.below(5_000))) };
  if (kind === 17) return { type: chance.pick(TYPES), bytes: Buffer.from(hostileText(chance)) };
  if (kind === 18)
    return {
      type: 'application/x-www-form-urlencoded',
      bytes: Buffer.from('a=b&'.repeat(chance.pick([10_000, 60_000, 80_000]))),
    };
  return {
    type: chance.pick(TYPES),
    bytes: Buffer.from(Array.from({ length: chance.below(500) }, () => chance.below(256))),
  };
}

/** A call as the payment calls expect it, more or less. */
function oddly(chance: Chance, fields: (readonly [string, string])[]): Record<string, unknown> {
  const call = Object.fromEntries<unknown>(fields);
  if (chance.percent(60)) Object.assign(call, { amount: '742000.00' });
  for (const name of Object.keys(call)) if (chance.percent(15)) call[name] = chance.pick(ODD);
  return call;
}
