import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { importListings } from '#features/listing-import/commands/import-listings.ts';
import { inspectFile, type ListingsFile } from '#features/listing-import/inspect-file.ts';
import { countLines, type ImportReport, refusalLine, summaryLine } from '#features/listing-import/report.ts';
import { refreshSearchStatistics } from '#features/search/commands/refresh-search-statistics.ts';
import type { Ctx } from '#platform/context.ts';
import { withOperatorContext } from './operator-command.ts';
import { RefusalLines } from './refusal-lines.ts';

// `npm run import -- FILE.csv [--seller EMAIL] [--dry-run]`, see docs/importing.md.

const usage = 'Usage: npm run import -- FILE.csv [--seller EMAIL] [--dry-run]';

let began = false;
process.exitCode = await main().catch((error: unknown) => {
  endProgress();
  console.error(`The import has stopped: ${messageOf(error)}`);
  if (began) console.error('What was accepted so far is kept; run the same import again to complete it.');
  if (process.env.LOG_LEVEL === 'debug') console.error(error);
  return 1;
});

/** Connection errors for host names with several addresses are AggregateErrors without a message of their own. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && !error.message) return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}

async function main(): Promise<0 | 1> {
  const given = readArguments();
  if (!given) {
    console.error(usage);
    return 1;
  }
  const survey = await inspectFile(given.path);
  if (!survey.ok) {
    console.error(survey.reason);
    return 1;
  }
  return withOperatorContext('import', (ctx) => run(ctx, { ...given, file: survey.file }), 'import');
}

interface Arguments {
  path: string;
  sellerEmail: string | null;
  dryRun: boolean;
}

function readArguments(): Arguments | null {
  try {
    const { values, positionals } = parseArgs({
      options: { seller: { type: 'string' }, 'dry-run': { type: 'boolean', default: false } },
      allowPositionals: true,
    });
    const [file] = positionals;
    if (!file || positionals.length > 1) return null;
    // npm runs scripts in the project folder; INIT_CWD is where the user called it.
    const path = resolve(process.env.INIT_CWD ?? process.cwd(), file);
    return { path, sellerEmail: values.seller ?? null, dryRun: values['dry-run'] };
  } catch (error) {
    console.error(messageOf(error));
    return null;
  }
}

async function run(ctx: Ctx, request: Arguments & { file: ListingsFile }): Promise<0 | 1> {
  const refusals = new RefusalLines(join(ctx.config.dataDir, 'imports'), ctx.now());
  const result = await importListings(ctx, {
    ...request,
    onRefusal: (line, refusal) => refusals.add(refusalLine(line, refusal)),
    onProgress: (done, total) => {
      began = true;
      progress(`${done.toLocaleString('en-US')} of ${total.toLocaleString('en-US')} rows`);
    },
  });
  endProgress();
  refusals.close();
  if (!result.ok) {
    console.error(result.reason);
    return 1;
  }
  const { report, seller } = result;
  if (!request.dryRun && report.accepted + report.updated > 0) await refreshSearchStatistics(ctx);
  print(
    report,
    refusals,
    `${request.dryRun ? 'Dry run, nothing was written' : 'Imported'} for ${seller.email}`,
  );
  return 0;
}

function print(report: ImportReport, refusals: RefusalLines, title: string): void {
  console.log(`${title}:`);
  console.log(summaryLine(report));
  for (const line of refusals.first) console.log(line);
  if (refusals.path) {
    console.log(`All ${report.refused.toLocaleString('en-US')} refusals: ${refusals.path}`);
    for (const line of countLines(report.reasons)) console.log(line);
  }
  if (report.notes.size > 0) {
    console.log('Accepted with notes:');
    for (const line of countLines(report.notes)) console.log(line);
  }
}

function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${text}\x1b[K`);
}

function endProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
}
