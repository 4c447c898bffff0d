import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { PurchaseResponse } from '#features/checkout/model.ts';
import { purchaseErrorMessage } from '#features/checkout/rules.ts';
import { DEFAULT_ADMIN_PERCENTAGE } from '#features/commission/model.ts';
import { chargedFees } from '#features/fees/reads.ts';
import { saleTerms } from '#features/sales/amounts.ts';
import type { PaymentMethod } from '#gateways/payments/port.ts';
import { decimalAmount } from '#platform/money.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { type Buyer, buyersWithSessions } from '../support/buyers.ts';
import { type HttpClient, openClient } from '../support/http-client.ts';
import type { SuiteReport } from '../support/suite-report.ts';
import { milliseconds, table, timingRow, timings } from '../support/timings.ts';
import { type TwoServers, twoServers } from '../support/two-servers.ts';

const PROMISED_MS = 200;
const BUYERS = 50;
const PROPERTIES = Number(process.env.BENCH_HOUSES ?? 20);
/** The first requests after a start load code and are not measured. */
const WARM_UP = 10;
const PRICE_CENTS = 640_000_00;

/** The result of one attempt. `begun` and `opened` are milliseconds since its start; only the winner has `opened`. */
interface Attempt {
  begun: number;
  opened: number | null;
  saleId: string | null;
}
interface RushResult {
  attempts: Attempt[];
  problems: string[];
}

/**
 * Fifty signed-in buyers try to buy the same property at the same moment through two servers, one property after the other;
 * the winner goes on to open the checkout. Promised: one winner per property, a reason for everybody else, and p95 of begin
 * under 200 ms.
 */
export async function purchasesSuite(serverUrl: string): Promise<SuiteReport> {
  const servers = await twoServers(serverUrl, 'purchases');
  const rushes: RushResult[] = [];
  const clients: HttpClient[] = [];
  try {
    for (const origin of servers.origins) clients.push(await openClient(origin, BUYERS / 2));
    const seller = await createUser(servers.db, 'agent');
    for (let property = 0; property < WARM_UP + PROPERTIES; property++) {
      const rush = await runRush(servers, clients, await createListing(servers.db, seller.agentId, facts));
      if (property >= WARM_UP || rush.problems.length > 0) rushes.push(rush);
    }
    process.stderr.write(servers.recentLogs());
  } finally {
    for (const client of clients) client.close();
    await servers.stop();
  }
  return report(rushes);
}

const facts = { price_cents: PRICE_CENTS };

async function runRush(servers: TwoServers, clients: HttpClient[], property: string): Promise<RushResult> {
  const { db, system } = servers;
  const buyers = await buyersWithSessions(system, BUYERS);
  const total = saleTerms(PRICE_CENTS, await chargedFees(system), DEFAULT_ADMIN_PERCENTAGE).totalCents;
  const forms = await Promise.all(buyers.map((_, at) => formOf(methodFor(at), total)));
  const problems: string[] = [];
  const attempts = await Promise.all(
    buyers.map(async (buyer, at): Promise<Attempt> => {
      const client = clients[at % clients.length];
      const form = forms[at];
      if (!client || !form) throw new Error('There are more buyers than lines and forms');
      const since = performance.now();
      const answer = await client.send(
        {
          path: `/property/${property}/purchase`,
          headers: { ...browserHeaders(buyer), ...form.headers },
          body: form.body,
        },
        since,
      );
      const none: Attempt = { begun: answer.took, opened: null, saleId: null };
      const reply = answer.status === 200 ? (JSON.parse(answer.text) as PurchaseResponse) : null;
      if (!reply?.ok) {
        if (reply?.text !== purchaseErrorMessage('in_progress'))
          problems.push(`A loser was answered ${answer.status} ${answer.text.slice(0, 200)}`);
        return none;
      }
      const call = { propertyId: property, amount: decimalAmount(total), transactionId: reply.saleId };
      const opened = await client.send(
        {
          path: `/api/payments/create-${methodFor(at) === 'card' ? 'card' : 'coinbase'}-payment`,
          headers: { ...browserHeaders(buyer), 'content-type': 'application/json' },
          body: JSON.stringify({ ...call, buyerEmail: buyer.email }),
        },
        since,
      );
      const { url } = JSON.parse(opened.text) as { url?: string };
      if (!url?.includes('/sandbox/checkout/')) problems.push(`The winner was answered ${opened.text}`);
      return { ...none, opened: opened.took, saleId: reply.saleId };
    }),
  );
  const winners = attempts.flatMap(({ saleId }) => saleId ?? []);
  if (winners.length !== 1) problems.push(`${winners.length} buyers won one property`);
  const { rows } = await sql<{ id: string }>`
    select id from property_sales where property_id = ${property} and checkout_url is not null`.execute(
    db.q(),
  );
  if (rows.map(({ id }) => id).join() !== winners.join())
    problems.push('Not the winner alone has a checkout');
  return { attempts, problems };
}

const methodFor = (at: number): PaymentMethod => (at % 4 < 2 ? 'card' : 'crypto');

const browserHeaders = (buyer: Buyer) => ({
  cookie: buyer.cookie,
  accept: 'application/json',
  'sec-fetch-site': 'same-origin',
  'sec-fetch-dest': 'empty',
});

/** The form as a page's script sends it. */
async function formOf(method: PaymentMethod, total: number) {
  const form = new FormData();
  const fields = { method, total: String(total), key: randomUUID(), intent: 'begin' };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  const encoded = new Response(form);
  return {
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
    body: new Uint8Array(await encoded.arrayBuffer()),
  };
}

function report(rushes: RushResult[]): SuiteReport {
  const attempts = rushes.flatMap((rush) => rush.attempts);
  const begun = timings(attempts.map((attempt) => attempt.begun));
  const rows = (
    [
      ['begin, everybody', begun],
      ['begin, who got the property', timings(attempts.flatMap((one) => (one.saleId ? one.begun : [])))],
      [
        'until the provider’s page, who got the property',
        timings(attempts.flatMap((one) => one.opened ?? [])),
      ],
    ] as const
  ).map(([name, timed]) => timingRow(name, timed));
  const missed = [...new Set(rushes.flatMap((rush) => rush.problems))];
  if (!(begun.p95 < PROMISED_MS))
    missed.push(`Begin has a p95 of ${milliseconds(begun.p95)} ms, promised ${PROMISED_MS}`);
  return {
    title: `${BUYERS} buyers for one property`,
    text: `${table(['milliseconds', 'n', 'p50', 'p95', 'p99', 'max'], rows)}\n
${rushes.length} properties, ${rushes.filter(({ problems }) => problems.length === 0).length} with one winner and a reason for everybody else. Promised: all of
them, and begin under ${PROMISED_MS} ms (p95).`,
    missed,
  };
}
