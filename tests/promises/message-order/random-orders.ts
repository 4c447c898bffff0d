import { mulberry32 } from '#illustrator/random.ts';
import type { Report, RunOptions } from '../report.ts';
import { longWalks } from './long-walks.ts';
import { outcomeOf } from './memory-sale.ts';
import { randomOrder } from './random-order.ts';
import type { Walk } from './steps.ts';
import { type Answers, memoryWalker } from './walker.ts';

/**
 * Tries random orders of the long walks' messages, each up to five times or never, in memory and while the provider proceeds
 * or waits for the message; after one question to the provider at the end, all of a walk must come to the same (R3).
 */
export async function randomOrdersInMemory(
  { size, seed }: RunOptions,
  walks: readonly Walk[] = longWalks,
): Promise<Report> {
  const random = mulberry32(seed);
  const known = new Map<Walk, { messages: number; expected: string }>();
  const findings: string[] = [];
  let trials = 0;
  for (; trials < size && findings.length < 5; trials += 1) {
    const walk = walks[Math.floor(random() * walks.length)];
    if (!walk) break;
    const { messages, expected } = known.get(walk) ?? (await inOrder(walk));
    known.set(walk, { messages, expected });
    const answers: Answers = random() < 0.5 ? 'current' : 'old';
    const order = randomOrder(messages, 5, random);
    const walker = memoryWalker(walk, answers);
    for (const message of order) {
      while (random() < 0.3 && (await walker.proceed()));
      await walker.deliver(message);
    }
    const outcome = outcomeOf(await walker.finish());
    if (outcome !== expected)
      findings.push(
        `${walk.name} (${answers} answers), messages ${order.join(' ') || 'none'}: ${outcome}\ninstead of ${expected}`,
      );
  }
  return { trials, findings };
}

async function inOrder(walk: Walk): Promise<{ messages: number; expected: string }> {
  const walker = memoryWalker(walk, 'current');
  return { messages: await walker.inOrder(), expected: outcomeOf(await walker.finish()) };
}
