/** Maximum lines of each error message: enough to see the cause. */
const LINES = 12;
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal color codes start with one
const COLORS = /\u001b\[[0-9;]*m/g;

/**
 * The failed tests in a JSON report of Vitest or Playwright, to be listed at the end of a long run.
 * @param {any} report the parsed report, or null when there is none
 * @returns {{ title: string, message: string }[]}
 */
export function failedTests(report) {
  return report?.testResults ? ofVitest(report.testResults) : ofPlaywright(report?.suites ?? []);
}

function ofVitest(files) {
  return files.flatMap((file) => {
    const failed = file.assertionResults.filter((test) => test.status === 'failed');
    if (failed.length === 0 && file.status === 'failed') return [entry(file.name, file.message)];
    return failed.map((test) => entry(`${file.name} › ${test.fullName}`, test.failureMessages.join('\n')));
  });
}

function ofPlaywright(suites, path = []) {
  return suites.flatMap((suite) => {
    const here = [...path, suite.title];
    const failed = (suite.specs ?? []).flatMap((spec) =>
      spec.tests
        .filter((test) => test.status === 'unexpected' || test.status === 'flaky')
        .map((test) =>
          entry(
            [`[${test.projectName}]`, ...here, spec.title].join(' › '),
            test.results
              .flatMap((result) => result.errors.map((error) => `${lineOf(error)}${error.message}`))
              .join('\n'),
          ),
        ),
    );
    return [...failed, ...ofPlaywright(suite.suites ?? [], here)];
  });
}

/** Where in the test it failed: a message of Playwright does not say. */
function lineOf({ location }) {
  return location ? `line ${location.line}: ` : '';
}

function entry(title, message) {
  const lines = String(message ?? '')
    .replace(COLORS, '')
    .split('\n')
    .filter((line) => line.trim());
  return { title, message: lines.slice(0, LINES).join('\n') };
}
