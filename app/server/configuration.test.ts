import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createCoinbase } from '#gateways/payments/coinbase/provider.ts';
import { payoutsOf } from '#gateways/payouts/open.ts';
import { createStripeConnect } from '#gateways/payouts/stripe/provider.ts';
import type { Ports } from '#gateways/ports.ts';
import { type Config, InvalidEnvironment, readConfig } from '#platform/config.ts';
import { projectRoot } from '#platform/project-root.ts';
import { paymentsOf } from '#tests/support/fixtures/sale-scenario.ts';
import { startupMessage } from './startup-message.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'acre-configuration-'));
afterAll(() => rmSync(dataDir, { recursive: true }));

type Environment = Record<string, string>;

const connect = { STRIPE_CONNECT: 'on', STRIPE_CONNECT_WEBHOOK_SECRET: 'whsec_2' };
const stripe = (mode: string): Environment => ({
  STRIPE_SECRET_KEY: `sk_${mode}_1`,
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
});
const coinbase = { COINBASE_KEY_ID: 'key', COINBASE_KEY_SECRET: 'secret', COINBASE_WEBHOOK_SECRET: 'hook' };
const paypal = { PAYPAL_CLIENT_ID: 'client', PAYPAL_SECRET: 'secret', PAYPAL_WEBHOOK_ID: 'hook' };

/** What the table writes for each value, and the environments that it stands for, which all come to the same. */
const columns: Record<string, Record<string, Environment[]>> = {
  // The second is what `npm start` sets for the libraries.
  NODE_ENV: {
    '—': [{}, { NODE_ENV: 'production', ACRE_UNDECLARED: 'on' }],
    production: [{ NODE_ENV: 'production' }],
  },
  DEMO: { '—': [{}], on: [{ DEMO: 'on' }], off: [{ DEMO: 'off' }] },
  PUBLIC_URL: {
    local: [{ PUBLIC_URL: 'http://127.0.0.1:3000' }],
    http: [{ PUBLIC_URL: 'http://market.example' }],
    https: [{ PUBLIC_URL: 'https://market.example' }],
  },
  DATABASE_URL: { '—': [{}], set: [{ DATABASE_URL: 'postgres://db/acre' }] },
  SMTP_URL: { '—': [{}], set: [{ SMTP_URL: 'smtp://mail.example' }] },
  APP_SECRET: { '—': [{}], set: [{ APP_SECRET: 's'.repeat(48) }] },
  Stripe: {
    // Its keys may be saved, and pay sellers, too.
    '—': [{}, connect],
    test: [stripe('test'), { ...stripe('test'), ...connect }],
    live: [stripe('live'), { ...stripe('live'), ...connect }],
  },
  Coinbase: {
    '—': [{}],
    keys: [coinbase, { ...coinbase, COINBASE_API_BASE: 'https://business.coinbase.com/sandbox/api/v1' }],
    live: ['https://business.coinbase.com/api/v1', 'https://business.coinbase.com'].map((base) => ({
      ...coinbase,
      COINBASE_API_BASE: base,
    })),
  },
  PayPal: {
    '—': [{}],
    sandbox: [{ ...paypal, PAYPAL_MODE: 'sandbox' }],
    live: [{ ...paypal, PAYPAL_MODE: 'live' }],
  },
};

interface Row {
  cells: string[];
  outcome: string;
}

/** The rows of the table in docs/production.md, whose columns must be those of this test. */
function documentedRows(): Row[] {
  const text = readFileSync(join(projectRoot, 'docs/production.md'), 'utf8');
  const section = text.split(/^#+ /m).find((part) => part.startsWith('What starts, and as what')) ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('|'));
  const [head = [], , ...rows] = lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  expect(head.map((name) => name.replaceAll('`', ''))).toEqual([...Object.keys(columns), 'Starts as']);
  return rows.map((cells) => ({ cells: cells.slice(0, -1), outcome: cells.at(-1) ?? '' }));
}

interface Combination {
  cells: string[];
  environment: Environment;
}

/** Every combination of the values, with every environment of each. */
function combinations(): Combination[] {
  return Object.values(columns).reduce<Combination[]>(
    (before, values) =>
      before.flatMap(({ cells, environment }) =>
        Object.entries(values).flatMap(([value, environments]) =>
          environments.map((one) => ({ cells: [...cells, value], environment: { ...environment, ...one } })),
        ),
      ),
    [{ cells: [], environment: {} }],
  );
}

/** What comes of an environment, in the words of the table. */
function outcomeOf(environment: Environment): string {
  let config: Config;
  try {
    config = readConfig({ DATA_DIR: dataDir, ...environment });
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidEnvironment);
    return `refused: ${/^\w+/.exec((error as Error).message)?.[0]}`;
  }
  const parts = [
    config.demo && 'demo',
    config.sandboxPayments && 'sandbox',
    config.developerPages && 'written mails and components at `/dev`',
  ].filter((part) => part !== false);
  expectBanner(startupMessage(config), config, environment);
  return parts.length > 0 ? parts.join(', ') : 'a market';
}

/** What is printed at the start says what the server is. */
function expectBanner(banner: string, config: Config, environment: Environment): void {
  const mails = environment.SMTP_URL
    ? 'sent by SMTP'
    : config.developerPages
      ? `written, see ${config.publicUrl}/dev/mail`
      : `written to ${dataDir}/outbox`;
  const sandbox = config.sandboxPayments && 'sandbox, no real money moves';
  const none = sandbox || 'not available, no provider is configured';
  const test = environment.STRIPE_SECRET_KEY?.startsWith('sk_test_') ? ', test mode' : '';
  const card = environment.STRIPE_SECRET_KEY ? `Stripe${test}` : none;
  const crypto = environment.COINBASE_KEY_ID ? 'Coinbase' : none;
  const byHand = sandbox ? `in the ${sandbox}` : 'by hand';
  const accounts = environment.STRIPE_CONNECT && environment.STRIPE_SECRET_KEY ? `by Connect${test}` : byHand;
  const addresses = environment.PAYPAL_MODE
    ? `by PayPal${environment.PAYPAL_MODE === 'sandbox' ? ', its sandbox' : ''}`
    : byHand;
  const said = [
    `Acre Trading Post is at ${config.publicUrl}\n`,
    `Mails: ${mails}\n`,
    `Payments: ${card === crypto ? card : `card and bank by ${card}; crypto by ${crypto}`}\n`,
    `Payouts: ${accounts === addresses ? byHand : `to accounts at Stripe ${accounts}; to PayPal addresses ${addresses}`}\n`,
  ];
  const isWrong =
    said.some((line) => !banner.includes(line)) ||
    ['AcreDemo!2026', 'registers at'].some((words) => banner.includes(words) !== config.demo);
  // One assertion for each of thousands of combinations would take longer than all the rest.
  if (isWrong) expect(banner).toBe([...said, `the demo's accounts: ${config.demo}`].join(''));
}

describe('every combination of the variables', () => {
  const rows = documentedRows();
  const fits = (row: Row, cells: string[]) =>
    row.cells.every((cell, index) => cell === '*' || cell === cells[index]);
  const used = new Set<Row>();

  it('starts, or is refused, as the documentation says', () => {
    const differing: string[] = [];
    for (const { cells, environment } of combinations()) {
      const row = rows.find((candidate) => fits(candidate, cells));
      if (row) used.add(row);
      const outcome = outcomeOf(environment);
      if (outcome !== row?.outcome) differing.push(`${cells.join(' | ')} → ${outcome}, not ${row?.outcome}`);
    }
    expect(differing.slice(0, 20)).toEqual([]);
  });

  it('is documented without a row that is never reached', () => {
    expect(rows.filter((row) => !used.has(row)).map(({ cells }) => cells.join(' | '))).toEqual([]);
  });
});

describe('the chain', () => {
  const rpc = {
    CHAIN: 'rpc',
    CHAIN_RPC_URL: 'https://rpc.test',
    CHAIN_ID: '8453',
    CHAIN_SIGNER_KEY: `0x${'1'.repeat(64)}`,
  };
  const production = { NODE_ENV: 'production', APP_SECRET: 's'.repeat(48) };
  /** The words of the table in docs/production.md for what each value stands for. */
  const chains: Record<string, Record<string, string>> = {
    '—': {},
    local: { CHAIN: 'local' },
    rpc,
    'rpc without its keys': { CHAIN: 'rpc' },
    off: { CHAIN: 'off' },
  };
  const places: Record<string, Record<string, string>> = {
    'the demo': { DEMO: 'on' },
    production,
    'a demo in production': { ...production, DEMO: 'on' },
    elsewhere: { DEMO: 'off' },
  };
  function outcome(environment: Record<string, string>): string {
    try {
      const config = readConfig({ DATA_DIR: dataDir, ...environment });
      expect(startupMessage(config)).toMatch(/^Chain: .+$/m);
      return /^Chain: (.+)$/m.exec(startupMessage(config))?.[1] ?? '';
    } catch (error) {
      expect(error).toBeInstanceOf(InvalidEnvironment);
      return `refused: ${/^\w+/.exec((error as Error).message)?.[0]}`;
    }
  }

  it('is what the documentation says, for every value in every place', () => {
    const text = readFileSync(join(projectRoot, 'docs/production.md'), 'utf8');
    const section = text.split(/^#+ /m).find((part) => part.startsWith('Which chain')) ?? '';
    const rows = section
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim().replaceAll('`', '')),
      );
    const names = Object.keys(places);
    expect(rows[0]).toEqual(['CHAIN', ...names]);
    const actual = Object.entries(chains).map(([name, chain]) => [
      name,
      ...names.map((place) => outcome({ ...places[place], ...chain })),
    ]);
    expect(rows.slice(1)).toEqual(actual);
  });

  it('is final after one block on this machine, elsewhere after ten, unless it is said', () => {
    const confirmations = (environment: Record<string, string>) =>
      readConfig({ DATA_DIR: dataDir, ...environment }).chain?.confirmations;
    expect(confirmations({ CHAIN: 'local' })).toBe(1);
    expect(confirmations(rpc)).toBe(10);
    expect(confirmations({ ...rpc, CHAIN_CONFIRMATIONS: '3' })).toBe(3);
  });

  it('limits what a transaction offers, except on a chain of this machine', () => {
    const limit = (environment: Record<string, string>) =>
      readConfig({ DATA_DIR: dataDir, ...environment }).chain?.maxFeeGwei;
    expect(limit({ CHAIN: 'local' })).toBeNull();
    expect(limit(rpc)).toBe(10);
    expect(limit({ ...rpc, CHAIN_MAX_FEE_GWEI: '0.05' })).toBe(0.05);
  });

  it.each([
    ['CHAIN', { CHAIN: 'base' }],
    ['CHAIN_SIGNER_KEY', { ...rpc, CHAIN_SIGNER_KEY: 'key' }],
    ['CHAIN_MAX_FEE_GWEI', { ...rpc, CHAIN_MAX_FEE_GWEI: '0' }],
    ['CHAIN_ID', { ...rpc, CHAIN_ID: 'base' }],
    ['CHAIN_RPC_URL', { ...rpc, CHAIN_RPC_URL: 'rpc.test' }],
    ['CHAIN_CONFIRMATIONS', { ...rpc, CHAIN_CONFIRMATIONS: '0' }],
    ['CHAIN_MAINNET_WRITES', { ...rpc, CHAIN_MAINNET_WRITES: 'yes' }],
  ])('refuses a malformed %s', (name, environment) => {
    expect(() => readConfig({ DATA_DIR: dataDir, ...environment })).toThrow(`${name}:`);
  });
});

it('says how sellers are paid', () => {
  const payouts = (environment: Record<string, string>, ports?: Pick<Ports, 'payments' | 'payouts'>) =>
    /^Payouts: (.+)$/m.exec(startupMessage(readConfig({ DATA_DIR: dataDir, ...environment }), ports))?.[1];
  const connectWith = (secretKey: string) => createStripeConnect({ secretKey, webhookSecrets: ['whsec_2'] });
  const production = { NODE_ENV: 'production', APP_SECRET: 's'.repeat(48) };
  expect(payouts({})).toBe('in the sandbox, no real money moves');
  expect(payouts(production)).toBe('by hand');
  expect(payouts({ ...stripe('test'), ...connect })).toBe(
    'to accounts at Stripe by Connect, test mode; to PayPal addresses in the sandbox, no real money moves',
  );
  expect(payouts({ ...production, ...paypal, PAYPAL_MODE: 'live' })).toBe(
    'to accounts at Stripe by hand; to PayPal addresses by PayPal',
  );
  expect(payouts({ ...production, ...connect })).toBe('by hand');
  const saved = { payments: paymentsOf(), payouts: payoutsOf([connectWith('sk_live_1')]) };
  expect(payouts({ ...production, ...connect }, saved)).toBe(
    'to accounts at Stripe by Connect with saved keys; to PayPal addresses by hand',
  );
});

it('says whether Coinbase is its sandbox', () => {
  const production = {
    NODE_ENV: 'production',
    APP_SECRET: 's'.repeat(48),
    PUBLIC_URL: 'https://market.example',
  };
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const payments = (sandbox: boolean) => {
    const config = readConfig({
      DATA_DIR: dataDir,
      SMTP_URL: 'smtp://mail.example',
      ...production,
      ...coinbase,
    });
    const port = createCoinbase({
      keyId: 'key',
      keySecret: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
      webhookSecret: 'hook',
      sandbox,
    });
    const ports = { payments: paymentsOf(port), payouts: payoutsOf([]) };
    return /^Payments: (.+)$/m.exec(startupMessage(config, ports))?.[1];
  };
  expect(payments(true)).toMatch(/crypto by Coinbase, its sandbox$/);
  expect(payments(false)).toMatch(/crypto by Coinbase$/);
});

it('never opens the demo, written mails or sandbox of a public site by omission', () => {
  const https = {
    PUBLIC_URL: 'https://market.example',
    SMTP_URL: 'smtp://mail.example',
    APP_SECRET: 's'.repeat(48),
  };
  for (const environment of [https, { ...https, NODE_ENV: 'production' }, { NODE_ENV: 'production' }])
    expect(readConfig({ DATA_DIR: dataDir, ...environment })).toMatchObject({
      demo: false,
      developerPages: false,
      sandboxPayments: false,
    });
});
