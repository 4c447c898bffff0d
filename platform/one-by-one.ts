/**
 * Does the work for each item, one after the other. One that fails does not keep it from the others: what fails at every run would else
 * stop all that comes after it for good. What may succeed later, because a service does not answer, ends it: each of the others would
 * wait as long.
 * @param summary what to say of the number that failed
 * @returns what it gave for each
 * @throws AggregateError after the last one that was tried, when some failed
 */
export async function oneByOne<Item, Result>(
  items: readonly Item[],
  summary: (failed: number) => string,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const failures: unknown[] = [];
  for (const item of items) {
    try {
      results.push(await work(item));
    } catch (error) {
      failures.push(error);
      if (isRetryable(error)) break;
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, summary(failures.length));
  return results;
}

const isRetryable = (error: unknown): boolean =>
  error instanceof Error && 'retryable' in error && error.retryable === true;
