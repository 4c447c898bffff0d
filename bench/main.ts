import { searchSuite } from './search.ts';
import { benchServer } from './server.ts';
import type { SuiteReport } from './suite.ts';

// `npm run bench`: every suite in turn; a further one is one line here. Ends with 1 when a promised figure is missed.
const suites: readonly ((serverUrl: string) => Promise<SuiteReport>)[] = [searchSuite];

const server = benchServer();
const missed: string[] = [];
try {
  for (const suite of suites) {
    const report = await suite(server.url);
    console.log(`## ${report.title}\n\n${report.text}\n`);
    missed.push(...report.missed);
  }
} finally {
  server.stop();
}
console.log(
  missed.length === 0
    ? 'Every promised figure holds.'
    : `Missed:\n${missed.map((one) => `- ${one}`).join('\n')}`,
);
process.exitCode = missed.length === 0 ? 0 : 1;
