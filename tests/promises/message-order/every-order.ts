import { outcomeOf } from './memory-sale.ts';
import type { Walk } from './steps.ts';
import { type Answers, type MemoryKeeper, memoryWalker, type Walker } from './walker.ts';

interface OrdersReport {
  /** how many orders were tried: each message once, twice or never */
  orders: number;
  /** an order with another outcome each, at most five */
  findings: string[];
}

/** What all orders come to from here: how many there are, and one that ends otherwise. */
interface Rest {
  orders: number;
  wrong: string | null;
}

/**
 * Tries every order in which the messages of a walk can arrive, each once, twice or never, over the functions that the commands
 * themselves call and an image of the postings in memory; after one question to the provider at the end, all must come to the
 * same (R3). What follows from the same state with the same messages left is worked out once, since nothing else decides it.
 */
export async function everyOrderInMemory(walk: Walk, answers: Answers): Promise<OrdersReport> {
  const straight = memoryWalker(walk, answers);
  const messages = await straight.inOrder();
  const expected = outcomeOf(await straight.finish());
  const known = new Map<string, Rest>();
  const explore = async (walker: Walker<MemoryKeeper>, left: readonly number[]): Promise<Rest> => {
    const key = `${left} ${walker.describe()} ${walker.keeper.describe()}`;
    const before = known.get(key);
    if (before) return before;
    const outcome = outcomeOf(await walker.copyWith(walker.keeper.copy()).finish());
    const rest: Rest = { orders: 1, wrong: outcome === expected ? null : `then nothing: ${outcome}` };
    for (const [message, times] of left.entries()) {
      if (times === 0) continue;
      const next = walker.copyWith(walker.keeper.copy());
      await next.deliver(message);
      const found = await explore(next, left.with(message, times - 1));
      rest.orders += found.orders;
      if (found.wrong) rest.wrong ??= `${message} ${found.wrong}`;
    }
    known.set(key, rest);
    return rest;
  };
  const { orders, wrong } = await explore(
    memoryWalker(walk, answers),
    Array.from({ length: messages }, () => 2),
  );
  return {
    orders,
    findings: wrong ? [`${walk.name} (${answers} answers), messages ${wrong}\ninstead of ${expected}`] : [],
  };
}
