import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { type ChainConfig, chainOf, chainVariables } from './config-chain.ts';
import {
  type ContentConfig,
  contentOf,
  contentVariables,
  type FilesKey,
  filesKeysOf,
} from './config-content.ts';
import { type ProvidersConfig, providersOf, providerVariables } from './config-providers.ts';
import { databaseUrl, flag, url } from './config-types.ts';
import { prepareDataDir } from './data-dir.ts';
import { hasErrorCode } from './errors.ts';
import { isLoopback } from './http/loopback.ts';
import { InvalidEnvironment } from './invalid-environment.ts';
import { projectRoot } from './project-root.ts';

/** The configuration from the environment, validated once at startup. */
export interface Config extends ProvidersConfig {
  production: boolean;
  port: number;
  host: string;
  /** origin without a trailing slash */
  publicUrl: string;
  /** names, without ports, under which the site is served besides that of `publicUrl` and of this machine */
  allowedHosts: readonly string[];
  /** true when `x-forwarded-*` headers come from our own load balancer */
  behindProxy: boolean;
  databaseUrl: string | undefined;
  databaseReadUrl: string | undefined;
  /** the database's own address where the other two lead through a pooler in transaction mode */
  databaseListenUrl: string | undefined;
  /** the database's own address, for migrations and commands of the operator */
  databaseDirectUrl: string | undefined;
  /** connections of this process's pool; the replica has as many */
  databasePoolSize: number;
  /** seconds after which a statement is given up */
  databaseTimeoutSeconds: number;
  /** seconds for which requests are still served after SIGTERM, until the balancer has noticed */
  drainSeconds: number;
  dataDir: string;
  secret: string;
  /** the former `secret` while what is stored encrypted is being sealed anew */
  previousSecret: string | undefined;
  /** the demo market and its accounts, whose password is published */
  demo: boolean;
  /** the written mails and the component gallery under /dev */
  developerPages: boolean;
  relaxedLimits: boolean;
  smtpUrl: string | undefined;
  mailFrom: string;
  /** where mails that cannot be delivered come back to; the sender's address if undefined */
  mailReturnPath: string | undefined;
  /** shown by the mail server that hands us what came back */
  mailBounceSecret: string | undefined;
  filesUrl: string | undefined;
  /** keys that documents are encrypted with at rest, that of new files first; none: they are stored as they are */
  filesKeys: readonly FilesKey[];
  /** the daemon that scans uploaded documents for malware; without it they are not scanned */
  clamavUrl: string | undefined;
  /** `{z}/{x}/{y}` map tiles, or a PMTiles file; without it the map shows the built-in outline of the states */
  mapTilesUrl: string | undefined;
  /** the Census Bureau's geocoder; without it an address is placed at the centre of its ZIP code */
  geocoderUrl: string | undefined;
  /** the chain that hashes and tokens are written to; without one they wait */
  chain: ChainConfig | undefined;
  /** where public documents are published */
  content: ContentConfig;
  /** whether the sandbox provider, which takes no money, stands in for payment methods without keys */
  sandboxPayments: boolean;
  logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';
  metricsPort: number | undefined;
  /** the metrics' own address, this machine alone by default */
  metricsHost: string;
}

export { InvalidEnvironment };

function isScannerUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, pathname } = new URL(value);
  return protocol === 'tcp:' ? hostname !== '' : protocol === 'unix:' && pathname.length > 1;
}
const port = z.coerce.number('expected a port number').int().min(0).max(65_535);

const schema = z.object({
  NODE_ENV: z.string().optional(),
  // Set by `npm start` when it sets NODE_ENV=production only for the libraries.
  ACRE_UNDECLARED: flag.optional(),
  PORT: port.default(3000),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: url(['http:', 'https:'], 'expected an address such as https://market.example').optional(),
  ALLOWED_HOSTS: z
    .string()
    .regex(/^[\w.-]+(?:,[\w.-]+)*$/, 'expected names such as www.market.example,market.example')
    .optional(),
  TRUST_PROXY: flag.default('off'),
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_READ_URL: url(
    ['postgres:', 'postgresql:'],
    'expected postgres://user:password@host/database',
  ).optional(),
  DATABASE_LISTEN_URL: databaseUrl.optional(),
  DATABASE_POOL_SIZE: z.coerce.number('expected a number').int().min(2).max(500).default(10),
  DATABASE_TIMEOUT_SECONDS: z.coerce.number('expected seconds').int().min(1).max(600).default(30),
  DRAIN_SECONDS: z.coerce.number('expected seconds').min(0).max(6, 'expected at most 6 seconds').default(5),
  DATA_DIR: z.string().default('./data'),
  APP_SECRET: z.string().min(32, 'expected at least 32 characters').optional(),
  APP_SECRET_PREVIOUS: z.string().min(32, 'expected at least 32 characters').optional(),
  DEMO: flag.optional(),
  LIMITS: z.enum(['normal', 'relaxed'], 'expected normal or relaxed').default('normal'),
  SMTP_URL: url(['smtp:', 'smtps:'], 'expected smtp://user:password@host:port').optional(),
  MAIL_FROM: z.string().default('Acre Trading Post <no-reply@acre.test>'),
  MAIL_RETURN_PATH: z.email('expected an address such as bounces@market.example').optional(),
  MAIL_BOUNCE_SECRET: z.string().min(32, 'expected at least 32 characters').optional(),
  FILES_URL: url(['s3:'], 'expected s3://KEY:SECRET@host/bucket?region=…').optional(),
  CLAMAV_URL: z
    .string()
    .refine(isScannerUrl, 'expected tcp://host:3310 or unix:///run/clamav/clamd.ctl')
    .optional(),
  MAP_TILES_URL: z
    .string()
    .regex(
      /\{z\}.*\{x\}.*\{y\}|\{z\}.*\{y\}.*\{x\}|^https?:\/\/[^\s{?#]+\.pmtiles([?#]\S*)?$/,
      'expected a URL with {z}, {x} and {y}, or of a .pmtiles file',
    )
    .optional(),
  GEOCODER_URL: url(
    ['http:', 'https:'],
    'expected an address such as https://geocoding.geo.census.gov/geocoder',
  ).optional(),
  ...providerVariables,
  ...chainVariables,
  ...contentVariables,
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  METRICS_PORT: port.optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
});

/**
 * Reads and validates the environment.
 * @throws InvalidEnvironment naming every wrong variable and what is expected
 */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    const wrong = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new InvalidEnvironment(`The environment is not usable:\n${wrong.join('\n')}`);
  }
  const env = parsed.data;
  const production = env.NODE_ENV === 'production' && env.ACRE_UNDECLARED !== 'on';
  const publicUrl = new URL(env.PUBLIC_URL ?? `http://localhost:${env.PORT}`);
  const { demo, ...modes } = modesOf(env, production, publicUrl);
  if (env.LIMITS === 'relaxed' && !demo)
    throw new InvalidEnvironment('LIMITS: relaxed is refused unless DEMO is on');
  requireForHttps(env, publicUrl);
  if (env.DATABASE_LISTEN_URL && !env.DATABASE_URL)
    throw new InvalidEnvironment('DATABASE_URL: required with DATABASE_LISTEN_URL');
  const dataDir = resolve(projectRoot, env.DATA_DIR);
  return {
    production,
    port: env.PORT,
    host: env.HOST,
    publicUrl: publicUrl.href.replace(/\/+$/, ''),
    allowedHosts: env.ALLOWED_HOSTS?.toLowerCase().split(',') ?? [],
    behindProxy: env.TRUST_PROXY === 'on',
    databaseUrl: env.DATABASE_URL,
    databaseReadUrl: env.DATABASE_READ_URL,
    databaseListenUrl: env.DATABASE_LISTEN_URL,
    databaseDirectUrl: env.DATABASE_LISTEN_URL ?? env.DATABASE_URL,
    databasePoolSize: env.DATABASE_POOL_SIZE,
    databaseTimeoutSeconds: env.DATABASE_TIMEOUT_SECONDS,
    drainSeconds: env.DRAIN_SECONDS,
    dataDir,
    secret: env.APP_SECRET ?? storedSecret(dataDir, production && env.DATABASE_URL !== undefined),
    previousSecret: env.APP_SECRET_PREVIOUS,
    demo,
    ...modes,
    relaxedLimits: env.LIMITS === 'relaxed',
    smtpUrl: env.SMTP_URL,
    mailFrom: env.MAIL_FROM,
    mailReturnPath: env.MAIL_RETURN_PATH,
    mailBounceSecret: env.MAIL_BOUNCE_SECRET,
    filesUrl: env.FILES_URL,
    filesKeys: filesKeysOf(env),
    clamavUrl: env.CLAMAV_URL,
    mapTilesUrl: env.MAP_TILES_URL,
    geocoderUrl: env.GEOCODER_URL,
    ...providersOf(env, { production, demo, publicUrl }),
    chain: chainOf(env, { production, demo }),
    content: contentOf(env, { production, demo }),
    logLevel: env.LOG_LEVEL,
    metricsPort: env.METRICS_PORT,
    metricsHost: env.METRICS_HOST,
  };
}

type Environment = z.infer<typeof schema>;

/**
 * What is only for trying out. By omission it exists on a developer's machine alone: neither in declared production nor at an
 * https address, which is a public site whatever else was forgotten.
 */
function modesOf(
  env: Environment,
  production: boolean,
  publicUrl: URL,
): Pick<Config, 'demo' | 'developerPages' | 'sandboxPayments'> {
  const https = publicUrl.protocol === 'https:';
  const tryingOut = !production && !https;
  const demo = env.DEMO ? env.DEMO === 'on' : tryingOut && !env.DATABASE_URL;
  const loopback = isLoopback(publicUrl.hostname);
  return {
    demo,
    // The written mails hold the links that reset passwords: at an https address not even a demo shows them.
    developerPages: !https && (demo || (tryingOut && loopback)),
    sandboxPayments: demo || tryingOut,
  };
}

/** A public site must send its mails, and its secret must not depend on one machine's disk. */
function requireForHttps(env: Environment, publicUrl: URL): void {
  const missing = (['SMTP_URL', 'APP_SECRET'] as const).filter((name) => env[name] === undefined);
  if (publicUrl.protocol === 'https:' && missing.length > 0)
    throw new InvalidEnvironment(
      missing.map((name) => `${name}: required with an https PUBLIC_URL`).join('\n'),
    );
}

function storedSecret(dataDir: string, mustBeGiven: boolean): string {
  if (mustBeGiven) {
    throw new InvalidEnvironment(
      'APP_SECRET: required with NODE_ENV=production and DATABASE_URL, at least 32 characters',
    );
  }
  const file = join(dataDir, 'secret');
  prepareDataDir(dataDir);
  if (!existsSync(file)) {
    try {
      writeFileSync(file, randomBytes(48).toString('base64url'), { mode: 0o600, flag: 'wx' });
    } catch (error) {
      if (!hasErrorCode(error, 'EEXIST')) throw error;
    }
  }
  return readFileSync(file, 'utf8').trim();
}
