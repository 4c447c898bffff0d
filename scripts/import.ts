import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { queueFollowUps } from '#features/import-runs/follow-up.ts';
import { importListings } from '#features/listing-import/commands/import-listings.ts';
import { typeChoiceProblem } from '#features/listing-import/import-types.ts';
import { applyMapping, parseChoices, parsePreset } from '#features/listing-import/mapping.ts';
import type { ImportRequest, SameHome } from '#features/listing-import/model.ts';
import { presetLabels } from '#features/listing-import/presets.ts';
import { type ListingsFile, openListingsFile } from '#features/listing-import/read-file.ts';
import {
  columnLines,
  type ImportReport,
  noteLines,
  reasonLines,
  summaryLine,
} from '#features/listing-import/report.ts';
import { refreshSearchStatistics } from '#features/search/commands/refresh-search-statistics.ts';
import type { Ctx } from '#platform/context.ts';
import { withOperatorContext } from './operator-command.ts';
import { RefusalLines } from './refusal-lines.ts';

// `npm run import -- FILE [options]`, see docs/importing.md.

const usage = `Usage: npm run import -- FILE [--seller EMAIL] [--dry-run]
  [--preset redfin|reso|zillow|mls|assessor] [--map FIELD=COLUMN]… [--type WORD=TYPE]…
  [--activate-types] [--same-home ask|merge|keep] [--status active|pending]`;

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
  if (!given.ok) {
    console.error(given.reason);
    console.error(usage);
    return 1;
  }
  const opened = await openListingsFile(given.path);
  if (!opened.ok) {
    console.error(opened.reason);
    return 1;
  }
  const { file } = opened;
  const mapped = applyMapping(file, given);
  if (!mapped.ok) {
    console.error(mapped.reason);
    console.error('Say which column is meant with --map FIELD=COLUMN, see docs/importing.md.');
    return 1;
  }
  const { mapping } = mapped;
  console.log(fileLine(file));
  for (const line of columnLines(mapping)) console.log(line);
  const request = { ...given.request, file, mapping };
  return withOperatorContext('import', (ctx) => run(ctx, request), 'import');
}

/** 'Redfin download, CSV with semicolons, windows-1252, 350 rows' */
function fileLine({ preset, format, delimiter, encoding, rows, headerLine }: ListingsFile): string {
  const separators = { ',': 'commas', ';': 'semicolons', '\t': 'tabs', '|': 'bars' };
  return [
    preset ? presetLabels[preset] : null,
    format === 'json' ? 'JSON' : `CSV with ${separators[delimiter]}`,
    encoding,
    headerLine > 1 ? `columns named in line ${headerLine}` : null,
    `${rows.toLocaleString('en-US')} ${rows === 1 ? 'row' : 'rows'}`,
  ]
    .filter((part) => part !== null)
    .join(', ');
}

type Given =
  | {
      ok: true;
      path: string;
      preset: ListingsFile['preset'];
      map: Extract<ReturnType<typeof parseChoices>, { ok: true }>['map'];
      request: Omit<ImportRequest, 'file' | 'mapping'>;
    }
  | { ok: false; reason: string };

function readArguments(): Given {
  try {
    const { values, positionals } = parseArgs({
      options: {
        seller: { type: 'string' },
        'dry-run': { type: 'boolean', default: false },
        preset: { type: 'string' },
        map: { type: 'string', multiple: true, default: [] },
        type: { type: 'string', multiple: true, default: [] },
        'activate-types': { type: 'boolean', default: false },
        'same-home': { type: 'string', default: 'ask' },
        status: { type: 'string', default: 'active' },
      },
      allowPositionals: true,
    });
    const [file] = positionals;
    if (!file || positionals.length > 1) return { ok: false, reason: 'Name one file.' };
    const choices = parseChoices(values.map);
    if (!choices.ok) return choices;
    const preset = values.preset === undefined ? null : parsePreset(values.preset);
    if (preset?.ok === false) return preset;
    const sameHome = (['ask', 'merge', 'keep'] satisfies SameHome[]).find(
      (one) => one === values['same-home'],
    );
    if (!sameHome) return { ok: false, reason: '--same-home is ask, merge or keep.' };
    const status = { active: 'Active', pending: 'pending' }[values.status.toLowerCase()];
    if (status !== 'Active' && status !== 'pending')
      return { ok: false, reason: '--status is active or pending.' };
    const types = values.type.map((one) => one.split(/=(.*)/s));
    if (types.some(([word, name]) => !word?.trim() || name === undefined))
      return {
        ok: false,
        reason: '--type is WORD=TYPE, such as R1="Single Family"; WORD= leaves its rows out.',
      };
    return {
      ok: true,
      // npm runs scripts in the project folder; INIT_CWD is where the user called it.
      path: resolve(process.env.INIT_CWD ?? process.cwd(), file),
      preset: preset?.preset ?? null,
      map: choices.map,
      request: {
        sellerEmail: values.seller ?? null,
        dryRun: values['dry-run'],
        firstStatus: status,
        activateTypes: values['activate-types'],
        sameHome,
        types: Object.fromEntries(types.map(([word = '', name = '']) => [word.trim(), name.trim()])),
      },
    };
  } catch (error) {
    return { ok: false, reason: messageOf(error) };
  }
}

async function run(ctx: Ctx, request: ImportRequest): Promise<0 | 1> {
  const { types = {}, activateTypes = false } = request;
  const problem = await typeChoiceProblem(ctx, { chosen: types, mayActivate: activateTypes });
  if (problem) {
    console.error(problem);
    return 1;
  }
  const refusals = new RefusalLines(request.file, join(ctx.config.dataDir, 'imports'));
  const background = { places: 0, photos: 0 };
  const result = await importListings(ctx, {
    ...request,
    onBatch: async (batch) => {
      const { places, photos } = await queueFollowUps(ctx, batch, null);
      background.places += places;
      background.photos += photos;
    },
    onRefusal: (line, refusal) => refusals.add(line, refusal),
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
  const waiting = [
    ctx.config.geocoderUrl && background.places > 0 ? counted(background.places, 'place') : null,
    background.photos > 0 ? counted(background.photos, 'photo') : null,
  ].filter((part) => part !== null);
  if (waiting.length > 0) console.log(`The server fetches in the background: ${waiting.join(', ')}.`);
  // A file of which nothing could be used was not imported.
  return report.rows > 0 && report.refused === report.rows ? 1 : 0;
}

function print(report: ImportReport, refusals: RefusalLines, title: string): void {
  console.log(`${title}:`);
  console.log(summaryLine(report));
  if (report.activatedTypes.length > 0)
    console.log(`Property types switched on: ${report.activatedTypes.join(', ')}.`);
  for (const line of refusals.first) console.log(line);
  if (report.refused > 0) {
    console.log('Refused, by reason:');
    for (const line of reasonLines(report.reasons)) console.log(line);
    console.log(`All ${report.refused.toLocaleString('en-US')} refusals: ${refusals.path}`);
  }
  if (report.notes.size > 0) {
    console.log('Accepted with notes:');
    for (const line of noteLines(report.notes)) console.log(line);
  }
}

function counted(count: number, what: string): string {
  return `${count.toLocaleString('en-US')} ${what}${count === 1 ? '' : 's'}`;
}

function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${text}\x1b[K`);
}

function endProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
}
