import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { PaymentMethod } from '#gateways/payments/port.ts';
import { mulberry32 } from '#illustrator/random.ts';
import { moneyFindings } from '#tests/promises/money-checks.ts';
import type { Report, RunOptions } from '../promises/report.ts';
import { type Buyer, type SoakScenario, startSoakScenario } from './scenario.ts';
import { waitUntilSettled } from './wait-until-settled.ts';

const BUYERS = 8;
const PROPERTIES = 4;

/**
 * R5 with real processes: while users buy, one of two processes is repeatedly killed with SIGKILL at a random moment. Requests
 * without a response are repeated with the same key, possibly at the other process. One trial is one kill. In the end the
 * money must be where it belongs and the books must balance.
 */
export async function kill({ size, seed }: RunOptions): Promise<Report> {
  const scenario = await startSoakScenario(BUYERS);
  const random = mulberry32(seed);
  let over = false;
  let trials = 0;
  try {
    const load = scenario.buyers.map(async (buyer) => {
      while (!over) await buy(scenario, buyer, random);
    });
    for (; trials < size; trials += 1) {
      await wait(500 + random() * 3_000);
      const at = random() < 0.5 ? 0 : 1;
      await scenario.servers[at]?.kill();
      scenario.servers[at] = await scenario.start();
    }
    over = true;
    await Promise.all(load);
    await waitUntilSettled(scenario);
    return { trials, findings: await moneyFindings(scenario) };
  } finally {
    over = true;
    await scenario.close();
  }
}

const propertyIds = new WeakMap<SoakScenario, string[]>();

/** One purchase, up to a random point. */
async function buy(scenario: SoakScenario, buyer: Buyer, random: () => number): Promise<void> {
  const ids = propertyIds.get(scenario) ?? [];
  propertyIds.set(scenario, ids);
  if (ids.length < PROPERTIES || random() < 0.2) ids.unshift(await scenario.property());
  const propertyId = ids[Math.floor(random() * PROPERTIES)] ?? ids[0] ?? '';
  const method: PaymentMethod = random() < 0.5 ? 'card' : 'crypto';
  const key = randomUUID();
  const begun = await withRetries(scenario, random, (server) =>
    scenario.begin(server, buyer, propertyId, method, key),
  );
  if (!begun?.ok) return;
  const ref = await withRetries(scenario, random, (server) =>
    scenario.open(server, buyer, propertyId, method, begun.saleId),
  );
  if (!ref) return;
  const action = (['pay', 'pay', 'expire', 'pay_later'] as const)[Math.floor(random() * 4)] ?? 'pay';
  await withRetries(scenario, random, (server) => scenario.onPage(server, ref, action));
}

/** Retries a request whose connection breaks, up to ten times. */
async function withRetries<T>(
  scenario: SoakScenario,
  random: () => number,
  send: (server: SoakScenario['servers'][number]) => Promise<T>,
): Promise<T | undefined> {
  for (let count = 0; count < 10; count += 1) {
    const server = scenario.servers[random() < 0.5 ? 0 : 1];
    try {
      if (server) return await send(server);
    } catch {
      await wait(200);
    }
  }
  return undefined;
}
