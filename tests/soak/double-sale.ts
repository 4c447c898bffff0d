import { setTimeout as wait } from 'node:timers/promises';
import type { Rail } from '#gateways/payments/port.ts';
import { lateCrypto } from '#gateways/payments/sandbox/banks.ts';
import { doubleSales, moneyFindings } from '../promises/evidence.ts';
import { type Report, randomFrom, type Size } from '../promises/report.ts';
import { type Buyer, type Market, openMarket } from './market.ts';
import { atRest, until as eventually } from './rest.ts';

const BUYERS = 50;
const DELAY_MS = 500;

/** R1 with two real processes over HTTP: fifty buyers in each of two waves, the first winner pays too late. */
export async function doubleSale({ size, seed, until = Number.POSITIVE_INFINITY }: Size): Promise<Report> {
  const market = await openMarket(BUYERS);
  const random = randomFrom(seed);
  const findings: string[] = [];
  let trials = 0;
  try {
    for (; trials < size && findings.length < 5 && Date.now() < until; trials += 1)
      findings.push(...(await trial(market, random)).map((finding) => `trial ${trials}: ${finding}`));
    await atRest(market);
    findings.push(...(await moneyFindings(market)));
    return { trials, findings };
  } finally {
    await market.close();
  }
}

interface Won {
  saleId: string;
  ref: string;
  rail: Rail;
}

async function trial(market: Market, random: () => number): Promise<string[]> {
  const house = await market.house();
  const first = await wave(market, house, random);
  if (typeof first === 'string') return [first];
  const either = () => market.servers[random() < 0.5 ? 0 : 1] ?? market.servers[0];
  const [one, other] = [either(), either()];
  if (!one || !other) return [];
  await market.onPage(one, first.ref, 'expire');
  await eventually(async () => (await stateOf(market, first.saleId)) === 'failed/cancelled', 60_000);
  const second = await wave(market, house, random);
  if (typeof second === 'string') return [second];
  await Promise.all([
    first.rail === 'crypto' ? lateCrypto(market.db, first.ref, new Date()) : undefined,
    market.onPage(other, second.ref, 'pay'),
  ]);
  await eventually(async () => (await stateOf(market, second.saleId)) === 'completed/in_escrow', 60_000);
  return doubleSales(market.db);
}

/** @returns the winner, or what is wrong */
async function wave(market: Market, house: string, random: () => number): Promise<Won | string> {
  const won: Won[] = [];
  const wrong: string[] = [];
  const plans = market.buyers.map((buyer) => ({
    buyer,
    delay: random() * DELAY_MS,
    rail: random() < 0.5 ? ('card' as const) : ('crypto' as const),
    server: random() < 0.5 ? 0 : 1,
  }));
  await Promise.all(
    plans.map(async ({ buyer, delay, rail, server }) => {
      await wait(delay);
      const result = await press(market, server, buyer, house, rail);
      if (typeof result === 'string') wrong.push(result);
      else if (result) won.push(result);
    }),
  );
  if (wrong[0]) return wrong[0];
  return won.length === 1 && won[0] ? won[0] : `double: ${won.length} buyers may pay`;
}

/** @returns the open checkout, null for a reason that is in order, or what is wrong */
async function press(
  market: Market,
  at: number,
  buyer: Buyer,
  house: string,
  rail: Rail,
): Promise<Won | string | null> {
  const server = market.servers[at] as Market['servers'][number];
  const begun = await market.begin(server, buyer, house, rail);
  if (!begun.ok) {
    const inOrder = begun.status === 409 && begun.text.includes('another purchase is in progress');
    return inOrder ? null : `error: ${begun.status} ${begun.text}`;
  }
  const ref = await market.open(server, buyer, house, rail, begun.saleId);
  return ref ? { saleId: begun.saleId, ref, rail } : 'error: no checkout was opened';
}

async function stateOf({ db }: Market, saleId: string): Promise<string> {
  const sale = await db
    .q()
    .selectFrom('property_sales')
    .select(['stripe_payment_status as payment', 'escrow_status as escrow'])
    .where('id', '=', saleId)
    .executeTakeFirstOrThrow();
  return `${sale.payment}/${sale.escrow}`;
}
