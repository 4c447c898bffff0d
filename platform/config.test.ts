import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { InvalidEnvironment, readConfig } from './config.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'acre-config-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));
const read = (environment: Record<string, string> = {}) => readConfig({ DATA_DIR: dataDir, ...environment });

it('needs nothing: defaults to a demo on the embedded database, reachable only locally', () => {
  expect(read()).toMatchObject({
    production: false,
    port: 3000,
    host: '127.0.0.1',
    publicUrl: 'http://localhost:3000',
    behindProxy: false,
    databaseUrl: undefined,
    demo: true,
    relaxedLimits: false,
    metricsPort: undefined,
    metricsHost: '127.0.0.1',
    allowedHosts: [],
  });
});

it('creates a secret once, readable only by its owner', () => {
  const { secret } = read();
  expect(secret.length).toBeGreaterThan(40);
  expect(read().secret).toBe(secret);
  expect(readFileSync(join(dataDir, 'secret'), 'utf8')).toBe(secret);
  expect(statSync(join(dataDir, 'secret')).mode & 0o077).toBe(0);
});

it('has no demo on PostgreSQL unless requested', () => {
  const DATABASE_URL = 'postgres://host/name';
  expect(read({ DATABASE_URL }).demo).toBe(false);
  expect(read({ DATABASE_URL, DEMO: 'on' }).demo).toBe(true);
  expect(read({ DEMO: 'off' }).demo).toBe(false);
});

it('requires a secret in declared production, but not where npm start chose the mode itself', () => {
  const production = { NODE_ENV: 'production', DATABASE_URL: 'postgres://host/name' };
  expect(() => read(production)).toThrow('APP_SECRET: required with NODE_ENV=production and DATABASE_URL');
  expect(read({ ...production, APP_SECRET: 's'.repeat(32) })).toMatchObject({ production: true });
  expect(read({ ...production, ACRE_UNDECLARED: 'on' })).toMatchObject({ production: false });
});

it.each([
  ['PORT', 'http'],
  ['PORT', '70000'],
  ['PUBLIC_URL', 'market.example'],
  ['DATABASE_URL', 'mysql://host/name'],
  ['DATABASE_URL', 'postgres://one,two/name?target_session_attrs=standby'],
  ['APP_SECRET', 'short'],
  ['DEMO', 'yes'],
  ['TRUST_PROXY', 'true'],
  ['ALLOWED_HOSTS', 'https://market.example'],
  ['LIMITS', 'none'],
  ['SMTP_URL', 'mail.example'],
  ['FILES_URL', 'https://bucket.example'],
  ['MAP_TILES_URL', 'https://tiles.example/'],
  ['MAP_TILES_URL', 'ftp://files.example/oregon.pmtiles'],
  ['STRIPE_SECRET_KEY', 'pk_test_1'],
  ['STRIPE_WEBHOOK_SECRET', 'secret'],
  ['STRIPE_API_BASE', 'api.stripe.com'],
  ['BANK_DEBIT_MAX', '$6,000'],
  ['BANK_DEBIT_MAX', '0'],
  ['COINBASE_API_BASE', 'business.coinbase.com'],
  ['STRIPE_CONNECT', 'yes'],
  ['STRIPE_CONNECT_WEBHOOK_SECRET', 'whsec_a,secret'],
  ['PAYPAL_MODE', 'test'],
  ['PAYPAL_WEBHOOK_ID', 'https://market.example/api/webhooks/paypal'],
  ['PAYPAL_API_BASE', 'api-m.paypal.com'],
  ['CONTENT_STORE', 'pinata'],
  ['KUBO_URL', 'http://127.0.0.1:5001'],
  ['PINATA_JWT', 'a.b.c'],
  ['CONTENT_URL', 'ipfs'],
  ['CONTENT_URL', 'http://127.0.0.1:5001'],
  ['CONTENT_URL', 'kubo:5001'],
  ['CONTENT_URL', 'kubo://user:secret@node.example:5001'],
  ['CONTENT_URL', 'pinata://uploads.pinata.cloud'],
  ['CONTENT_URL', 'pinata://secret@uploads.pinata.cloud'],
  ['CONTENT_GATEWAY', 'https://gateway.example/ipfs/'],
  ['CONTENT_PROFILE', 'v1'],
  ['KUBO_AUTHORIZATION', 'Bearer a\nb'],
  ['PINATA_GATEWAY', 'ipfs://gateway'],
  ['FILES_KEY', 'f'.repeat(63)],
  ['FILES_KEY_PREVIOUS', 'password'],
  ['LOG_LEVEL', 'loud'],
  ['METRICS_PORT', '-1'],
])('rejects %s=%s, naming it and what is expected', (name, value) => {
  expect(() => read({ [name]: value })).toThrow(InvalidEnvironment);
  expect(() => read({ [name]: value })).toThrow(`  ${name}: `);
});

it('names all wrong variables at once', () => {
  expect(() => read({ PORT: 'x', DEMO: 'x' })).toThrow(/PORT: [\s\S]*DEMO: expected on or off/);
});

it('treats an empty variable as unset', () => {
  expect(read({ DATABASE_URL: '', PORT: '', SMTP_URL: '' })).toMatchObject({
    port: 3000,
    databaseUrl: undefined,
  });
});

it('relaxes the limits only for a demo', () => {
  expect(read({ LIMITS: 'relaxed' }).relaxedLimits).toBe(true);
  expect(() => read({ LIMITS: 'relaxed', DEMO: 'off' })).toThrow(
    'LIMITS: relaxed is refused unless DEMO is on',
  );
});

const stripe = { STRIPE_SECRET_KEY: 'sk_test_abc', STRIPE_WEBHOOK_SECRET: 'whsec_abc' };
const https = {
  PUBLIC_URL: 'https://market.example',
  SMTP_URL: 'smtp://mail.example',
  APP_SECRET: 's'.repeat(32),
};
const coinbase = {
  ...https,
  COINBASE_KEY_ID: 'organizations/1/apiKeys/2',
  COINBASE_KEY_SECRET: 'key secret',
  COINBASE_WEBHOOK_SECRET: 'webhook secret',
};

it('configures a payment provider only with all of its keys', () => {
  expect(read()).toMatchObject({ stripe: undefined, coinbase: undefined, sandboxPayments: true });
  expect(read({ ...stripe, ...coinbase })).toMatchObject({
    stripe: {
      secretKey: 'sk_test_abc',
      webhookSecret: 'whsec_abc',
      apiBase: undefined,
      publishableKey: undefined,
    },
    coinbase: {
      keyId: 'organizations/1/apiKeys/2',
      keySecret: 'key secret',
      webhookSecret: 'webhook secret',
      apiBase: undefined,
    },
  });
  const STRIPE_API_BASE = 'http://127.0.0.1:9';
  expect(read({ ...stripe, STRIPE_API_BASE }).stripe?.apiBase).toBe(STRIPE_API_BASE);
  expect(read({ STRIPE_API_BASE })).toMatchObject({ stripe: undefined, stripeApiBase: STRIPE_API_BASE });
  expect(read({}).bankDebitMaxCents).toBe(undefined);
  expect(read({ BANK_DEBIT_MAX: '6000' }).bankDebitMaxCents).toBe(6_000_00);
  const publishable = (key: string) =>
    read({ ...stripe, STRIPE_PUBLISHABLE_KEY: key }).stripe?.publishableKey;
  expect(publishable('pk_test_abc')).toBe('pk_test_abc');
  expect(() => publishable('pk_live_abc')).toThrow('STRIPE_PUBLISHABLE_KEY: not of the same mode');
  expect(() => publishable('sk_test_abc')).toThrow('STRIPE_PUBLISHABLE_KEY: expected pk_test_');
});

it("takes no test keys of a card provider in production, unless it is a demo: a test card would 'buy' a house", () => {
  const production = {
    ...stripe,
    NODE_ENV: 'production',
    DATABASE_URL: 'postgres://db/acre',
    APP_SECRET: 'x'.repeat(48),
  };
  expect(() => read(production)).toThrow('STRIPE_SECRET_KEY: a test key is refused in production');
  expect(read({ ...production, DEMO: 'on' }).stripe).toBeDefined();
  expect(read({ ...production, STRIPE_SECRET_KEY: 'sk_live_abc' }).stripe).toBeDefined();
});

it.each([
  [{ ...stripe, STRIPE_SECRET_KEY: '' }, 'STRIPE_SECRET_KEY: required with STRIPE_WEBHOOK_SECRET'],
  [{ ...stripe, STRIPE_WEBHOOK_SECRET: '' }, 'STRIPE_WEBHOOK_SECRET: required with STRIPE_SECRET_KEY'],
  [{ ...coinbase, PUBLIC_URL: 'http://market.example' }, 'PUBLIC_URL: an https address is required'],
  [{ ...coinbase, COINBASE_KEY_ID: '' }, 'COINBASE_KEY_ID: required with COINBASE_KEY_SECRET'],
  [{ ...coinbase, COINBASE_WEBHOOK_SECRET: '' }, 'COINBASE_WEBHOOK_SECRET: required with COINBASE_KEY_ID'],
])('rejects a partly configured payment provider (%#) without quoting secrets', (environment, message) => {
  expect(() => read(environment)).toThrow(message);
  expect(() => read(environment)).not.toThrow(/abc|key secret|webhook secret/);
});

it('accepts live payment keys only in declared production, and in no demo', () => {
  const live = { ...stripe, STRIPE_SECRET_KEY: 'rk_live_abc' };
  const liveBase = { ...coinbase, COINBASE_API_BASE: 'https://business.coinbase.com/api/v1' };
  const production = { NODE_ENV: 'production', APP_SECRET: 's'.repeat(32) };
  const demo = { ...production, DEMO: 'on' };
  for (const place of [{}, { ...production, ACRE_UNDECLARED: 'on' }, demo]) {
    expect(() => read({ ...live, ...place })).toThrow('STRIPE_SECRET_KEY: a live key is refused');
    expect(() => read({ ...liveBase, ...place })).toThrow('COINBASE_API_BASE: the live address is refused');
  }
  expect(read({ ...live, ...production }).stripe?.secretKey).toBe('rk_live_abc');
  expect(read({ ...liveBase, ...production }).coinbase?.apiBase).toBe(liveBase.COINBASE_API_BASE);
});

const connect = { ...stripe, STRIPE_CONNECT: 'on', STRIPE_CONNECT_WEBHOOK_SECRET: 'whsec_abc1,whsec_abc2' };
const paypal = {
  PAYPAL_MODE: 'sandbox',
  PAYPAL_CLIENT_ID: 'client abc',
  PAYPAL_SECRET: 'secret abc',
  PAYPAL_WEBHOOK_ID: '8PT597110X687430LKGECATA',
};

it('configures a provider of payouts only with all that it needs', () => {
  expect(read(stripe)).toMatchObject({ stripeConnect: undefined, paypal: undefined });
  expect(read({ ...connect, ...paypal })).toMatchObject({
    stripeConnect: { webhookSecrets: ['whsec_abc1', 'whsec_abc2'] },
    paypal: {
      mode: 'sandbox',
      clientId: 'client abc',
      clientSecret: 'secret abc',
      webhookId: '8PT597110X687430LKGECATA',
      apiBase: undefined,
    },
  });
  // Its keys may be saved by administrators.
  expect(read({ ...connect, STRIPE_SECRET_KEY: '', STRIPE_WEBHOOK_SECRET: '' })).toMatchObject({
    stripe: undefined,
    stripeConnect: { webhookSecrets: ['whsec_abc1', 'whsec_abc2'] },
  });
  expect(read({ ...connect, STRIPE_CONNECT: 'off' }).stripeConnect).toBeUndefined();
  expect(read({ STRIPE_CONNECT: 'off' }).stripeConnect).toBeUndefined();
});

it.each([
  [{ ...connect, STRIPE_CONNECT: '' }, 'STRIPE_CONNECT: required with STRIPE_CONNECT_WEBHOOK_SECRET'],
  [
    { ...connect, STRIPE_CONNECT_WEBHOOK_SECRET: '' },
    'STRIPE_CONNECT_WEBHOOK_SECRET: required with STRIPE_CONNECT',
  ],
  [{ ...paypal, PAYPAL_MODE: '' }, 'PAYPAL_MODE: required with PAYPAL_CLIENT_ID'],
  [{ ...paypal, PAYPAL_SECRET: '' }, 'PAYPAL_SECRET: required with PAYPAL_CLIENT_ID'],
  [{ ...paypal, PAYPAL_WEBHOOK_ID: '' }, 'PAYPAL_WEBHOOK_ID: required with PAYPAL_CLIENT_ID'],
  [{ PAYPAL_API_BASE: 'http://127.0.0.1:9' }, 'PAYPAL_CLIENT_ID: required with PAYPAL_API_BASE'],
  [
    { ...paypal, PAYPAL_API_BASE: 'https://api-m.paypal.com' },
    'PAYPAL_API_BASE: not the address of PAYPAL_MODE=sandbox',
  ],
  [{ ...paypal, PAYPAL_MODE: 'live' }, 'PAYPAL_MODE: live is refused unless NODE_ENV=production'],
])('rejects a partly configured provider of payouts (%#) without quoting secrets', (environment, message) => {
  expect(() => read(environment)).toThrow(message);
  expect(() => read(environment)).not.toThrow(/abc/);
});

it('sends live payouts in declared production alone, and pretends there only in a demo', () => {
  const production = { ...paypal, NODE_ENV: 'production', APP_SECRET: 's'.repeat(32) };
  expect(() => read(production)).toThrow('PAYPAL_MODE: sandbox is refused in production unless DEMO=on');
  expect(read({ ...production, DEMO: 'on' }).paypal?.mode).toBe('sandbox');
  expect(() => read({ ...production, DEMO: 'on', PAYPAL_MODE: 'live' })).toThrow(
    'PAYPAL_MODE: live is refused',
  );
  expect(read({ ...production, PAYPAL_MODE: 'live' }).paypal?.mode).toBe('live');
});

it('has sandbox payments in production only with DEMO=on', () => {
  const production = { NODE_ENV: 'production', APP_SECRET: 's'.repeat(32) };
  expect(read(production)).toMatchObject({ demo: false, sandboxPayments: false });
  expect(read({ ...production, DEMO: 'on' }).sandboxPayments).toBe(true);
  expect(read({ ...production, DEMO: 'off' }).sandboxPayments).toBe(false);
});

it.each(['SMTP_URL', 'APP_SECRET'])('does not start at an https address without %s', (name) => {
  expect(() => read({ ...https, [name]: '' })).toThrow(`${name}: required with an https PUBLIC_URL`);
  expect(read(https)).toMatchObject({ publicUrl: 'https://market.example', demo: false });
});

it.each(['http://localhost:3000', 'http://127.0.0.1', 'http://127.1.2.3:80', 'http://[::1]:3000'])(
  'shows the developer pages on %s even without the demo',
  (PUBLIC_URL) => {
    expect(read({ PUBLIC_URL, DEMO: 'off' }).developerPages).toBe(true);
    expect(read({ PUBLIC_URL, DEMO: 'off', NODE_ENV: 'production' }).developerPages).toBe(false);
  },
);

it.each(['http://127.0.0.1.market.example', 'http://localhost.example', 'http://10.0.0.7'])(
  'shows no developer pages on %s without the demo',
  (PUBLIC_URL) => expect(read({ PUBLIC_URL, DEMO: 'off' }).developerPages).toBe(false),
);

it('publishes to a folder of its own, and in declared production nowhere, unless a store is chosen', () => {
  const production = { NODE_ENV: 'production', ACRE_UNDECLARED: 'off' };
  expect(read().content).toMatchObject({ store: 'local', profile: 'unixfs-v1-2025', testDocuments: true });
  expect(read(production).content).toMatchObject({ store: 'off', testDocuments: null });
  expect(read({ ...production, DEMO: 'on' }).content.store).toBe('local');
  const kubo = { CONTENT_URL: 'kubo+https://node.example/rpc/', CONTENT_TEST_DOCUMENTS: 'on' };
  expect(read({ ...production, ...kubo }).content).toMatchObject({
    store: 'kubo',
    kubo: { url: 'https://node.example/rpc' },
    testDocuments: true,
  });
  expect(read({ CONTENT_URL: 'kubo://node.example:5001' }).content.kubo?.url).toBe(
    'http://node.example:5001',
  );
  expect(read({ CONTENT_URL: 'pinata://a.b.c@uploads.pinata.cloud' }).content.pinata).toMatchObject({
    jwt: 'a.b.c',
    uploads: 'https://uploads.pinata.cloud',
  });
  expect(read({ CONTENT_GATEWAY: 'https://gate.example/ipfs/{cid}' }).content.gateway).toBe(
    'https://gate.example/ipfs/{cid}',
  );
});

it('takes a key for files, and the one before', () => {
  expect(read().filesKeys).toEqual([]);
  const keys = read({ FILES_KEY: 'ab'.repeat(32), FILES_KEY_PREVIOUS: 'cd'.repeat(32) }).filesKeys;
  expect(keys.map(({ bytes }) => bytes.toString('hex'))).toEqual(['ab'.repeat(32), 'cd'.repeat(32)]);
  expect(new Set(keys.map(({ id }) => id)).size).toBe(2);
  expect(() => read({ FILES_KEY_PREVIOUS: 'cd'.repeat(32) })).toThrow(
    'FILES_KEY: required with FILES_KEY_PREVIOUS',
  );
});

it('takes an address past a pooler, which says nothing without that of the database', () => {
  const [DATABASE_URL, DATABASE_LISTEN_URL] = ['postgres://pooler:6432/name', 'postgres://one,two/name'];
  expect(read({ DATABASE_URL, APP_SECRET: 'x'.repeat(32) }).databaseDirectUrl).toBe(DATABASE_URL);
  expect(read({ DATABASE_URL, DATABASE_LISTEN_URL, APP_SECRET: 'x'.repeat(32) })).toMatchObject({
    databaseUrl: DATABASE_URL,
    databaseListenUrl: DATABASE_LISTEN_URL,
    databaseDirectUrl: DATABASE_LISTEN_URL,
  });
  expect(() => read({ DATABASE_LISTEN_URL })).toThrow('DATABASE_URL: required with DATABASE_LISTEN_URL');
  expect(() => read({ DATABASE_URL, DATABASE_LISTEN_URL: 'somewhere' })).toThrow('DATABASE_LISTEN_URL');
});
