import { setTimeout as wait } from 'node:timers/promises';
import { signedMessage, WEBHOOK_PATHS } from '#gateways/payments/sandbox/messages.ts';
import { sandboxSecret } from '#gateways/payments/sandbox/rules.ts';
import { seededRandom } from '../vocabulary.ts';
import type { Line, Question } from './ask.ts';
import type { Story } from './stories.ts';

/** How far apart the messages about one checkout come, and the same message again. */
const WITHIN_MS = 3_000;
/** One of so many messages comes twice. */
const REPEATED = 7;

/** The messages of the stories in the order in which they come: mixed, out of order, some twice. */
export function mailbag(stories: readonly Story[], seconds: number, secret: string): Question[] {
  const random = seededRandom(3);
  const arrivals: { at: number; question: Question }[] = [];
  for (const { checkout, messages } of stories) {
    const begins = random() * (seconds * 1000 - 2 * WITHIN_MS);
    for (const { eventId, type, payload } of messages) {
      const message = { rail: checkout.rail, event_id: eventId, type, payload };
      const { rawBody, headers } = signedMessage(message, sandboxSecret(secret, checkout.rail), new Date());
      const question = {
        path: WEBHOOK_PATHS[checkout.rail],
        headers: Object.fromEntries(headers),
        body: rawBody,
      };
      const at = begins + random() * WITHIN_MS;
      arrivals.push({ at, question });
      // Some come again at once, and at the other server, some later.
      if (Math.floor(random() * REPEATED) === 0)
        arrivals.push({ at: at + Math.max(0, random() - 0.5) * 2 * WITHIN_MS, question });
    }
  }
  return arrivals.toSorted((a, b) => a.at - b.at).map(({ question }) => question);
}

/** What sending came to; times are milliseconds from the moment at which a message was due to its answer. */
export interface Sent {
  took: number[];
  /** how late each message left us: this machine's own delay, which `took` contains */
  late: number[];
  refused: string[];
}

/** Sends at a steady rate, to each line in turn, whether the answers come or not. */
export async function sendAll(bag: readonly Question[], lines: readonly Line[], rate: number): Promise<Sent> {
  const sent: Sent = { took: [], late: [], refused: [] };
  const answers: Promise<void>[] = [];
  const started = performance.now();
  const send = async (question: Question, at: number) => {
    const due = started + (at * 1000) / rate;
    sent.late.push(performance.now() - due);
    const line = lines[at % lines.length];
    if (!line) throw new Error('There is no line to send on');
    const { status, text, took } = await line.ask(question, due);
    sent.took.push(took);
    if (status !== 200) sent.refused.push(`${status} ${text.replace(/,"requestId.*/, '').slice(0, 200)}`);
  };
  for (let next = 0; next < bag.length; await wait(1)) {
    const due = Math.min(bag.length, Math.floor(((performance.now() - started) * rate) / 1000) + 1);
    for (const question of bag.slice(next, due)) answers.push(send(question, next++));
  }
  await Promise.all(answers);
  return sent;
}
