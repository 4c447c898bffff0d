import { SECOND } from '#platform/durations.ts';

/** How long one part of the system may take to answer. */
const ANSWER_WITHIN_MS = 2.5 * SECOND;

/** What was asked for did not come in time. */
export class NoAnswer extends Error {
  override name = 'NoAnswer';

  constructor() {
    super(`No answer within ${ANSWER_WITHIN_MS / SECOND} seconds`);
  }
}

/**
 * The result of `work`, which is left alone when it takes too long.
 * @throws NoAnswer; whatever `work` throws
 */
export async function within<T>(work: Promise<T>, limitMs: number = ANSWER_WITHIN_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NoAnswer()), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
