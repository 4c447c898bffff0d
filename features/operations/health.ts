import { PaymentError, paymentMethods } from '#gateways/payments/port.ts';
import { type PayoutMethod, payoutMethods } from '#gateways/payouts/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import type { Ctx } from '#platform/context.ts';
import { DAY, HOUR, SECOND } from '#platform/durations.ts';
import { NoAnswer, within } from '#platform/within.ts';
import { BACKUP_MARK } from './commands/mark-backup.ts';

/** `off`: not configured, which may be meant */
export type HealthState = 'ok' | 'warn' | 'bad' | 'off';

/** One part of what the marketplace depends on, as it is now. */
export interface HealthItem {
  name: string;
  state: HealthState;
  /** in words: what it is, and what is wrong with it */
  text: string;
  /** milliseconds until it answered; null where nothing was asked */
  tookMs: number | null;
}

type Verdict = Pick<HealthItem, 'state' | 'text'>;
type HealthCtx = CtxWith<'files' | 'mailer' | 'malware' | 'payments' | 'payouts'>;

/** After this time without a backup it is a warning. */
const BACKUP_MAX_AGE_MS = DAY;

/** Asks every part at the same time; none is waited for longer than its limit. */
export function healthOf(ctx: HealthCtx): Promise<HealthItem[]> {
  const { config } = ctx;
  return Promise.all([
    ask('Database', async () => {
      await ctx.db.ping();
      return ok(ctx.db.embedded ? 'Embedded database' : 'PostgreSQL');
    }),
    ask('Replica', async () => replica(ctx)),
    ask('File storage', async () => {
      await ctx.files.check();
      return ok(config.filesUrl ? 'Object storage' : 'A folder of this server');
    }),
    ask('Email', async () => {
      if (!config.smtpUrl) return { state: 'off', text: 'Not configured: emails are written to a folder.' };
      await ctx.mailer.check();
      return ok('Mail server');
    }),
    ask('Malware scanner', async () => {
      if (!config.clamavUrl)
        return { state: 'off', text: 'Not configured: uploaded documents are not scanned.' };
      await ctx.malware.check();
      return ok('ClamAV');
    }),
    ...paymentMethods.map((method) =>
      ask(method === 'card' ? 'Card payments' : 'Crypto payments', () => provider(ctx, method)),
    ),
    ...payoutMethods.map((method) =>
      ask(method === 'stripe' ? 'Stripe payouts' : 'PayPal payouts', () => payoutProvider(ctx, method)),
    ),
    ask('Last backup', () => lastBackup(ctx)),
  ]);
}

const ok = (text: string): Verdict => ({ state: 'ok', text });

async function ask(name: string, check: () => Promise<Verdict>): Promise<HealthItem> {
  const start = performance.now();
  try {
    const verdict = await within(check());
    return { name, ...verdict, tookMs: Math.round(performance.now() - start) };
  } catch (error) {
    const text = error instanceof NoAnswer ? `${error.message}.` : reasonOf(error);
    return { name, state: 'bad', text, tookMs: Math.round(performance.now() - start) };
  }
}

/** What a failure says, without addresses that may hold passwords. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return `Not reachable: ${message.replace(/\w+:\/\/\S+/g, 'its address').slice(0, 200)}`;
}

function replica({ db }: Ctx): Verdict {
  const state = db.replicaState();
  if (state === null) return { state: 'off', text: 'Not configured: everything is read from the database.' };
  if (!state.usable)
    return {
      state: 'warn',
      text: `Not used, because it is ${reasons[state.reason]}; the database serves instead.`,
    };
  return ok(`Used, at most ${(state.lagMs / SECOND).toFixed(1)} seconds behind`);
}
const reasons = {
  unreachable: 'not reachable',
  'not a replica': 'no longer a replica',
  lagging: 'too far behind',
};

async function provider(ctx: HealthCtx, method: (typeof paymentMethods)[number]): Promise<Verdict> {
  const port = configured(ctx, method);
  if (!port) return { state: 'off', text: 'Not configured: no one can pay this way.' };
  await port.check();
  const name = port.provider.startsWith('sandbox')
    ? 'Sandbox'
    : port.provider === 'stripe'
      ? 'Stripe'
      : 'Coinbase';
  return port.livemode
    ? ok(`${name}, live`)
    : { state: 'warn', text: `${name}, in test mode: no real money moves.` };
}

async function payoutProvider({ payouts }: HealthCtx, method: PayoutMethod): Promise<Verdict> {
  const port = payouts.forMethod(method);
  if (!port) return { state: 'off', text: 'Not configured: these payouts are made by hand.' };
  await port.check();
  const name = port.provider.startsWith('sandbox') ? 'Sandbox' : method === 'stripe' ? 'Stripe' : 'PayPal';
  return port.livemode
    ? ok(`${name}, live`)
    : { state: 'warn', text: `${name}, in test mode: no real money moves.` };
}

function configured({ payments }: HealthCtx, method: (typeof paymentMethods)[number]) {
  try {
    return payments.forMethod(method);
  } catch (error) {
    if (error instanceof PaymentError && error.code === 'unavailable') return null;
    throw error;
  }
}

async function lastBackup(ctx: Ctx): Promise<Verdict> {
  const mark = await ctx.db
    .q()
    .selectFrom('audit_log')
    .select('at')
    .where('action', '=', BACKUP_MARK)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!mark) return { state: 'off', text: 'No backup has been recorded yet.' };
  const age = ctx.now().getTime() - mark.at.getTime();
  const text = `${Math.floor(age / HOUR)} hours ago`;
  return age > BACKUP_MAX_AGE_MS ? { state: 'warn', text: `${text}: more than a day` } : ok(text);
}
