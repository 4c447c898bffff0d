import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Config, InvalidEnvironment, readConfig } from '#platform/config.ts';
import { projectRoot } from '#platform/project-root.ts';
import { startupMessage } from './startup-message.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'acre-configuration-'));
afterAll(() => rmSync(dataDir, { recursive: true }));

/** What the table writes for each value, and the environment that it stands for. */
const columns: Record<string, Record<string, Record<string, string>>> = {
  NODE_ENV: { '—': {}, production: { NODE_ENV: 'production' } },
  DEMO: { '—': {}, on: { DEMO: 'on' }, off: { DEMO: 'off' } },
  PUBLIC_URL: {
    local: { PUBLIC_URL: 'http://127.0.0.1:3000' },
    http: { PUBLIC_URL: 'http://market.example' },
    https: { PUBLIC_URL: 'https://market.example' },
  },
  DATABASE_URL: { '—': {}, set: { DATABASE_URL: 'postgres://db/acre' } },
  SMTP_URL: { '—': {}, set: { SMTP_URL: 'smtp://mail.example' } },
  APP_SECRET: { '—': {}, set: { APP_SECRET: 's'.repeat(48) } },
  'Provider keys': {
    '—': {},
    test: { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' },
    live: { STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' },
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

/** Every combination of the values. */
function combinations(): string[][] {
  return Object.values(columns).reduce<string[][]>(
    (before, values) => before.flatMap((cells) => Object.keys(values).map((value) => [...cells, value])),
    [[]],
  );
}

/** What comes of an environment, in the words of the table. */
function outcomeOf(environment: Record<string, string>): string {
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
function expectBanner(banner: string, config: Config, environment: Record<string, string>): void {
  expect(banner).toContain(`Acre Trading Post is at ${config.publicUrl}\n`);
  expect(banner.includes('AcreDemo!2026')).toBe(config.demo);
  expect(banner.includes('registers at')).toBe(config.demo);
  const mails = environment.SMTP_URL
    ? 'sent by SMTP'
    : config.developerPages
      ? `written, see ${config.publicUrl}/dev/mail`
      : `written to ${dataDir}/outbox`;
  expect(banner).toContain(`Mails: ${mails}\n`);
  const none = config.sandboxPayments
    ? 'sandbox, no real money moves'
    : 'not available, no provider is configured';
  const card = environment.STRIPE_SECRET_KEY?.replace(/^sk_(test|live)_1$/, (_, mode) =>
    mode === 'test' ? 'Stripe, test mode' : 'Stripe',
  );
  expect(banner).toContain(`Payments: ${card ? `card and bank by ${card}; crypto by ${none}` : none}\n`);
}

describe('every combination of the variables', () => {
  const rows = documentedRows();
  const fits = (row: Row, cells: string[]) =>
    row.cells.every((cell, index) => cell === '*' || cell === cells[index]);
  const used = new Set<Row>();

  it('starts, or is refused, as the documentation says', () => {
    const differing: string[] = [];
    for (const cells of combinations()) {
      const row = rows.find((candidate) => fits(candidate, cells));
      if (row) used.add(row);
      const values = Object.values(columns);
      const environment = Object.assign({}, ...cells.map((cell, index) => values[index]?.[cell]));
      const outcome = outcomeOf(environment);
      if (outcome !== row?.outcome) differing.push(`${cells.join(' | ')} → ${outcome}, not ${row?.outcome}`);
    }
    expect(differing).toEqual([]);
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
  const payouts = (environment: Record<string, string>) =>
    /^Payouts: (.+)$/m.exec(startupMessage(readConfig({ DATA_DIR: dataDir, ...environment })))?.[1];
  const stripe = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' };
  const connect = { ...stripe, STRIPE_CONNECT: 'on', STRIPE_CONNECT_WEBHOOK_SECRET: 'whsec_2' };
  const production = { NODE_ENV: 'production', APP_SECRET: 's'.repeat(48) };
  const paypal = { PAYPAL_CLIENT_ID: 'client', PAYPAL_SECRET: 'secret', PAYPAL_WEBHOOK_ID: 'hook' };
  expect(payouts({})).toBe('in the sandbox, no real money moves');
  expect(payouts(production)).toBe('by hand');
  expect(payouts(connect)).toBe(
    'to accounts at Stripe by Connect, test mode; to PayPal addresses in the sandbox, no real money moves',
  );
  expect(payouts({ ...production, ...paypal, PAYPAL_MODE: 'live' })).toBe(
    'to accounts at Stripe by hand; to PayPal addresses by PayPal',
  );
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
