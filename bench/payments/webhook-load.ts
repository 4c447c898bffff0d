import { setTimeout as wait } from 'node:timers/promises';
import { sandboxWebhookSecret } from '#gateways/payments/sandbox/rules.ts';
import { signWebhook, WEBHOOK_PATH } from '#gateways/payments/sandbox/webhook.ts';
import { mulberry32 } from '#illustrator/random.ts';
import type { HttpClient, HttpRequest } from '../support/http-client.ts';
import type { CheckoutCase } from './checkout-cases.ts';

/** The time within which the messages about one checkout, and duplicates, arrive. */
const WITHIN_MS = 3_000;
/** One message in this many is sent twice. */
const DUPLICATE_EVERY = 7;

/** The webhook requests in sending order: interleaved, out of order, some twice. */
export function webhookTraffic(
  cases: readonly CheckoutCase[],
  seconds: number,
  secret: string,
): HttpRequest[] {
  const random = mulberry32(3);
  const arrivals: { at: number; request: HttpRequest }[] = [];
  for (const { checkout, messages } of cases) {
    const begins = random() * (seconds * 1000 - 2 * WITHIN_MS);
    for (const { eventId, type, payload } of messages) {
      const message = { method: checkout.method, event_id: eventId, type, payload };
      const { rawBody, headers } = signWebhook(
        message,
        sandboxWebhookSecret(secret, checkout.method),
        new Date(),
      );
      const request = {
        path: WEBHOOK_PATH,
        headers: Object.fromEntries(headers),
        body: rawBody,
      };
      const at = begins + random() * WITHIN_MS;
      arrivals.push({ at, request });
      // Half of the duplicates follow at once, at the other server, the others later.
      if (Math.floor(random() * DUPLICATE_EVERY) === 0)
        arrivals.push({ at: at + Math.max(0, random() - 0.5) * 2 * WITHIN_MS, request });
    }
  }
  return arrivals.toSorted((a, b) => a.at - b.at).map(({ request }) => request);
}

/** The result of sending; times are milliseconds from when a message was due until its response. */
export interface SendReport {
  took: number[];
  /** how late each message was sent: the sender's own delay, included in `took` */
  late: number[];
  refused: string[];
}

/** Sends at a steady rate to each server in turn, without waiting for responses. */
export async function sendAll(
  requests: readonly HttpRequest[],
  clients: readonly HttpClient[],
  rate: number,
): Promise<SendReport> {
  const sent: SendReport = { took: [], late: [], refused: [] };
  const answers: Promise<void>[] = [];
  const started = performance.now();
  const send = async (request: HttpRequest, at: number) => {
    const due = started + (at * 1000) / rate;
    sent.late.push(performance.now() - due);
    const client = clients[at % clients.length];
    if (!client) throw new Error('There is no line to send on');
    const { status, text, took } = await client.send(request, due);
    sent.took.push(took);
    if (status !== 200) sent.refused.push(`${status} ${text.replace(/,"requestId.*/, '').slice(0, 200)}`);
  };
  for (let next = 0; next < requests.length; await wait(1)) {
    const due = Math.min(requests.length, Math.floor(((performance.now() - started) * rate) / 1000) + 1);
    for (const request of requests.slice(next, due)) answers.push(send(request, next++));
  }
  await Promise.all(answers);
  return sent;
}
