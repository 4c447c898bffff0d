import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Rail } from '#gateways/payments/port.ts';
import { moneyFindings } from '../promises/evidence.ts';
import { type Report, randomFrom, type Size } from '../promises/report.ts';
import { type Buyer, type Market, openMarket } from './market.ts';
import { atRest } from './rest.ts';

const BUYERS = 8;
const HOUSES = 4;

/**
 * R5 with real processes: one of two is killed with SIGKILL at a random moment, again and again, while people buy; each
 * repeats a press that got no answer, with its key, at the other process. One trial is one kill. In the end the money must be
 * where it belongs and the books must be right.
 */
export async function kill({ size, seed, until = Number.POSITIVE_INFINITY }: Size): Promise<Report> {
  const market = await openMarket(BUYERS);
  const random = randomFrom(seed);
  let over = false;
  let trials = 0;
  try {
    const load = market.buyers.map(async (buyer) => {
      while (!over) await buy(market, buyer, random);
    });
    for (; trials < size && Date.now() < until; trials += 1) {
      await wait(500 + random() * 3_000);
      const at = random() < 0.5 ? 0 : 1;
      await market.servers[at]?.kill();
      market.servers[at] = await market.start();
    }
    over = true;
    await Promise.all(load);
    await atRest(market);
    return { trials, findings: await moneyFindings(market) };
  } finally {
    over = true;
    await market.close();
  }
}

const houses = new WeakMap<Market, string[]>();

/** One purchase, as far as the person wants it to go. */
async function buy(market: Market, buyer: Buyer, random: () => number): Promise<void> {
  const known = houses.get(market) ?? [];
  houses.set(market, known);
  if (known.length < HOUSES || random() < 0.2) known.unshift(await market.house());
  const house = known[Math.floor(random() * HOUSES)] ?? known[0] ?? '';
  const rail: Rail = random() < 0.5 ? 'card' : 'crypto';
  const key = randomUUID();
  const begun = await insist(market, random, (server) => market.begin(server, buyer, house, rail, key));
  if (!begun?.ok) return;
  const ref = await insist(market, random, (server) => market.open(server, buyer, house, rail, begun.saleId));
  if (!ref) return;
  const action = (['pay', 'pay', 'expire', 'pay_later'] as const)[Math.floor(random() * 4)] ?? 'pay';
  await insist(market, random, (server) => market.onPage(server, ref, action));
}

/** A person whose connection breaks presses again; after ten times they go away. */
async function insist<T>(
  market: Market,
  random: () => number,
  press: (server: Market['servers'][number]) => Promise<T>,
): Promise<T | undefined> {
  for (let count = 0; count < 10; count += 1) {
    const server = market.servers[random() < 0.5 ? 0 : 1];
    try {
      if (server) return await press(server);
    } catch {
      await wait(200);
    }
  }
  return undefined;
}
