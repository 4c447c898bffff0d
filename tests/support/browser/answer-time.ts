import type { Page, Response } from '@playwright/test';

/** R6: within so many milliseconds a page answers, whatever a provider does. */
export const ANSWER_LIMIT_MS = 10_000;

/** The requests of a purchase, one after another. */
const PURCHASE = /\/purchase$|^\/api\/payments\//;

/**
 * How long the server took, as the browser measured it, to answer the pages and the purchase that `act` asked for. What a busy
 * machine needs to show an answer is not in it.
 */
export async function answerTime(page: Page, act: () => Promise<unknown>): Promise<number> {
  const answers: Response[] = [];
  const collect = (answer: Response) => {
    const asked = answer.request();
    if (asked.isNavigationRequest() || PURCHASE.test(new URL(asked.url()).pathname)) answers.push(answer);
  };
  page.on('response', collect);
  await act();
  page.off('response', collect);
  if (answers.length === 0) throw new Error('Nothing was asked');
  let sum = 0;
  for (const answer of answers) {
    await answer.finished();
    const { requestStart, responseEnd } = answer.request().timing();
    sum += responseEnd - requestStart;
  }
  return sum;
}
