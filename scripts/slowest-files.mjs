/**
 * The slowest test files of JSON reports of Vitest and Playwright; a file that ran on two databases is listed for each.
 * @param {{ name: string, report: any }[]} runs the parsed reports, or null for one that is missing
 * @returns {{ file: string, run: string, seconds: number }[]}
 */
export function slowestFiles(runs, many = 15) {
  return runs
    .flatMap(({ name, report }) =>
      (report?.testResults ? ofVitest(report.testResults) : ofPlaywright(report?.suites ?? [])).map(
        (entry) => ({ ...entry, run: name }),
      ),
    )
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, many);
}

function ofVitest(files) {
  return files.map(({ name, startTime, endTime }) => ({ file: name, seconds: (endTime - startTime) / 1000 }));
}

/** Tests of a file may run in several workers at once, so this is the sum of its tests, not the time on the clock. */
function ofPlaywright(suites) {
  return suites.map((suite) => ({ file: suite.title, seconds: durationOf(suite) / 1000 }));
}

function durationOf(suite) {
  const own = (suite.specs ?? []).flatMap(({ tests }) => tests.flatMap(({ results }) => results));
  const nested = (suite.suites ?? []).reduce((sum, inner) => sum + durationOf(inner), 0);
  return own.reduce((sum, { duration }) => sum + duration, nested);
}
