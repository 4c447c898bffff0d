import { setTimeout as wait } from 'node:timers/promises';
import type { PaymentMethod } from '#gateways/payments/port.ts';
import { payExpiredCrypto } from '#gateways/payments/sandbox/settlement.ts';
import { mulberry32 } from '#illustrator/random.ts';
import { MINUTE } from '#platform/durations.ts';
import { doubleSales, moneyFindings } from '#tests/promises/money-checks.ts';
import type { Report, RunOptions } from '../promises/report.ts';
import { type Buyer, type SoakScenario, startSoakScenario } from './scenario.ts';
import { waitUntil as eventually, waitUntilSettled } from './wait-until-settled.ts';

const BUYERS = 50;
const DELAY_MS = 500;
/** Properties sold at once: most of a trial is the wait of its buyers. */
const TRIALS_AT_ONCE = 4;

/** R1 with two real processes over HTTP: two waves of fifty buyers; the first winner pays too late. */
export async function doubleSale({ size, seed }: RunOptions): Promise<Report> {
  const scenario = await startSoakScenario(BUYERS);
  const findings: string[] = [];
  let trials = 0;
  const runTrials = async () => {
    while (trials < size && findings.length < 5) {
      const at = trials++;
      const found = await trial(scenario, mulberry32(seed + at));
      findings.push(...found.map((finding) => `trial ${at}: ${finding}`));
    }
  };
  try {
    await Promise.all(Array.from({ length: TRIALS_AT_ONCE }, runTrials));
    await waitUntilSettled(scenario);
    findings.push(...(await moneyFindings(scenario)));
    return { trials, findings };
  } finally {
    await scenario.close();
  }
}

interface OpenCheckout {
  saleId: string;
  ref: string;
  method: PaymentMethod;
}

async function trial(scenario: SoakScenario, random: () => number): Promise<string[]> {
  const propertyId = await scenario.property();
  const first = await wave(scenario, propertyId, random);
  if (typeof first === 'string') return [first];
  const either = () => scenario.servers[random() < 0.5 ? 0 : 1] ?? scenario.servers[0];
  const [one, other] = [either(), either()];
  if (!one || !other) return [];
  await scenario.onPage(one, first.ref, 'expire');
  await eventually(async () => (await stateOf(scenario, first.saleId)) === 'failed/cancelled', MINUTE);
  const second = await wave(scenario, propertyId, random);
  if (typeof second === 'string') return [second];
  await Promise.all([
    first.method === 'crypto' ? payExpiredCrypto(scenario.db, first.ref, new Date()) : undefined,
    scenario.onPage(other, second.ref, 'pay'),
  ]);
  await eventually(async () => (await stateOf(scenario, second.saleId)) === 'completed/in_escrow', MINUTE);
  return doubleSales(scenario.db);
}

/** @returns the winner, or a finding */
async function wave(
  scenario: SoakScenario,
  propertyId: string,
  random: () => number,
): Promise<OpenCheckout | string> {
  const won: OpenCheckout[] = [];
  const problems: string[] = [];
  const plans = scenario.buyers.map((buyer) => ({
    buyer,
    delay: random() * DELAY_MS,
    method: random() < 0.5 ? ('card' as const) : ('crypto' as const),
    server: random() < 0.5 ? 0 : 1,
  }));
  await Promise.all(
    plans.map(async ({ buyer, delay, method, server }) => {
      await wait(delay);
      const result = await tryToBuy(scenario, server, buyer, propertyId, method);
      if (typeof result === 'string') problems.push(result);
      else if (result) won.push(result);
    }),
  );
  if (problems[0]) return problems[0];
  return won.length === 1 && won[0] ? won[0] : `double: ${won.length} buyers may pay`;
}

/** @returns the open checkout, null for an expected refusal, or a finding */
async function tryToBuy(
  scenario: SoakScenario,
  at: number,
  buyer: Buyer,
  propertyId: string,
  method: PaymentMethod,
): Promise<OpenCheckout | string | null> {
  const server = scenario.servers[at] as SoakScenario['servers'][number];
  const begun = await scenario.begin(server, buyer, propertyId, method);
  if (!begun.ok) {
    const inOrder = begun.status === 409 && begun.text.includes('another purchase is in progress');
    return inOrder ? null : `error: ${begun.status} ${begun.text}`;
  }
  const ref = await scenario.open(server, buyer, propertyId, method, begun.saleId);
  return ref ? { saleId: begun.saleId, ref, method } : 'error: no checkout was opened';
}

async function stateOf({ db }: SoakScenario, saleId: string): Promise<string> {
  const sale = await db
    .q()
    .selectFrom('property_sales')
    .select(['stripe_payment_status as payment', 'escrow_status as escrow'])
    .where('id', '=', saleId)
    .executeTakeFirstOrThrow();
  return `${sale.payment}/${sale.escrow}`;
}
