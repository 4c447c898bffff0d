import type { Browser, BrowserContext } from '@playwright/test';

/** A complaint that a test provokes on purpose: an HTTP status, matched exactly, or a pattern of its text. */
export type ExpectedProblem = number | RegExp;

/** A complaint of the browser or the server. */
export interface Problem {
  text: string;
  /** of the response that it is about, if any */
  status?: number;
}

/** Collects the complaints of a browser context and of every context that is opened until `stop`. */
export function watchConsoles(browser: Browser, first: BrowserContext) {
  const problems: Problem[] = [];
  const watch = (context: BrowserContext) => collectProblems(context, problems);
  watch(first);
  browser.on('context', watch);
  return { problems, stop: () => void browser.off('context', watch) };
}

/**
 * The texts of the problems that no expectation covers.
 * @throws Error for a pattern of bare digits: it would match the digits of any id, so a status is given as a number
 */
export function unexpectedProblems(
  problems: readonly Problem[],
  expected: readonly ExpectedProblem[],
): string[] {
  for (const one of expected)
    if (one instanceof RegExp && one.source.split('|').some((part) => /^[\d^$ ]+$/.test(part)))
      throw new Error(`${one} also matches digits of an id: give the status as a number`);
  const isExpected = ({ text, status }: Problem) =>
    expected.some((one) => (typeof one === 'number' ? one === status : one.test(text)));
  return problems.filter((problem) => !isExpected(problem)).map(({ text }) => text);
}

function collectProblems(context: BrowserContext, problems: Problem[]): void {
  context.on('console', (message) => {
    if (message.type() !== 'error') return;
    const [, status] = /^Failed to load resource: .* status of (\d{3}) /.exec(message.text()) ?? [];
    problems.push({
      text: `${message.text()} (${message.location().url})`,
      ...(status && { status: Number(status) }),
    });
  });
  context.on('weberror', (error) =>
    problems.push({ text: `uncaught: ${error.error().stack || error.error()}` }),
  );
  context.on('response', (response) => {
    const status = response.status();
    if (status >= 500) problems.push({ text: `${status} ${response.url()}`, status });
  });
}
