import { findCycles } from './cycles.ts';
import type { Finding } from './finding.ts';
import { type Import, type Source, withoutComments } from './sources.ts';

/** The top-level folders that each top-level folder may import from. */
const LAYERS: Record<string, string[]> = {
  app: ['app', 'features', 'gateways', 'platform', 'ui', 'demo', 'illustrator', 'routing'],
  features: ['features', 'gateways', 'platform', 'ui', 'routing', 'illustrator'],
  gateways: ['gateways', 'platform'],
  platform: ['platform'],
  ui: ['ui'],
  routing: ['routing'],
  illustrator: ['illustrator', 'platform', 'gateways'],
  demo: ['demo', 'features', 'gateways', 'platform', 'illustrator', 'routing'],
  bench: [
    'bench',
    'app',
    'demo',
    'illustrator',
    'routing',
    'features',
    'gateways',
    'platform',
    'tests',
    'scripts',
  ],
  scripts: ['scripts', 'app', 'demo', 'illustrator', 'routing', 'features', 'gateways', 'platform'],
  tests: [
    'tests',
    'app',
    'demo',
    'illustrator',
    'routing',
    'features',
    'gateways',
    'platform',
    'ui',
    'scripts',
  ],
};
const SERVER_PACKAGES =
  /^(?:node:|pg$|pg-boss$|kysely|pino$|sharp$|nodemailer$|better-auth|prom-client$|@hono\/|hono|@electric-sql\/)/;
const MAX_LINES = 400;
/** The only code that changes the status of a listing. */
const MOVE_LISTING = 'features/listings/commands/move-listing.ts';
const isTest = (path: string) => /\.test\.tsx?$|\/contract\.ts$/.test(path);
const topOf = (path: string) => path.split('/')[0] ?? '';

/** All violations of the architecture rules, in file order. */
export function checkSources(sources: Source[]): Finding[] {
  const reach = serverReach(sources);
  return [
    ...sources.flatMap((source) => [
      ...source.imports.flatMap((found) => importFindings(source, found, reach)),
      ...textFindings(source),
    ]),
    ...findCycles(sources),
  ];
}

function importFindings(source: Source, found: Import, reach: (found: Import) => string | null): Finding[] {
  if (isTest(source.path)) return [];
  const say = (message: string): Finding[] => [{ file: source.path, line: found.line, message }];
  const { target, specifier } = found;
  if (isForBrowsers(source.path)) {
    const server = reach(found);
    if (server) return say(`may be loaded by a browser and reaches ${server} (${specifier})`);
  }
  if (target.kind === 'package') return [];
  const [from, to] = [topOf(source.path), topOf(target.path)];
  if (LAYERS[from] && !LAYERS[from].includes(to)) return say(`${from} must not import ${to} (${specifier})`);
  return found.typeOnly ? [] : featureBorder(source.path, target.path, say);
}

/**
 * Further modules of a feature that others may import. What moves a sale has no permission of its own and needs its caller's
 * transaction, so it is neither a command nor a read: checkout and payments authorise, and call it. So it is with what plans
 * money: balances, allocation and the table of transitions are pure, and the books of a sale are read under its lock; what
 * sellers owe is the same for a payout and for its plan. Steps and details of a sale are for whoever has authorised and read it. How an
 * uploaded picture is received, stored and swept is the same for whatever shows it. How a document is stored, registered and anchored
 * is decided by whoever adds it, in the transaction of what it belongs to; the documents of a closing are put together by `features/closing`.
 */
const SHARED_MODULES = new Set([
  'features/sales/transition-sale.ts',
  'features/sales/sale-row.ts',
  'features/sales/transitions.ts',
  'features/sales/sale-books.ts',
  'features/sales/load-books.ts',
  'features/sales/next-steps.ts',
  'features/sales/sale-details.ts',
  'features/ledger/allocation.ts',
  'features/ledger/claw-back.ts',
  'features/ledger/payout-postings.ts',
  'features/ledger/balances.ts',
  'features/payments/sale-port.ts',
  'features/payouts/debts.ts',
  'features/payments/ask-provider.ts',
  'features/sales/amounts.ts',
  'features/sales/limits.ts',
  'features/sales/timeline.ts',
  'features/tasks/administrators.ts',
  'features/chain/address.ts',
  'features/chain/configured-network.ts',
  'features/chain/explorer.ts',
  'features/chain/queue-anchor.ts',
  'features/chain/queue-mint.ts',
  'features/chain/recipient-wallet.ts',
  'features/payments/messages.ts',
  'features/sales/refund-request.ts',
  'features/photos/store-upload.ts',
  'features/documents/document-format.ts',
  'features/documents/discard-unnamed.ts',
  'features/documents/insert-document.ts',
  'features/documents/store-upload.ts',
  'features/settings/setting.ts',
  'features/documents/store-made.ts',
  'features/documents/sale-files.ts',
  'features/payments/ask-first.ts',
  'features/seller-shares/reopen-payout.ts',
  'features/seller-shares/take-back-job.ts',
  'features/seller-shares/take-back.ts',
  'features/sales/act-as-party.ts',
  'features/sales/sale-of-party.ts',
  'features/sales/announce-sale.ts',
  'features/sales/ask-closing-documents.ts',
  'features/sales/closing-receipt.ts',
  'features/sales/income.ts',
  'features/sales/receipt-pdf.ts',
  'features/statements/load-statement.ts',
  'features/statements/statement-pdf.ts',
  'features/photos/jobs.ts',
  'features/search/jobs.ts',
  'features/chain/merkle.ts',
  'features/listings/hold-listings.ts',
  'features/listings/ownership-fact.ts',
  'features/listings/refusals.ts',
  'features/listings/sale-hold.ts',
  'features/listings/seller-fact.ts',
  'features/listing-form/find-seller.ts',
  'features/listing-import/fields.ts',
  'features/listing-import/import-types.ts',
  'features/listing-import/mapping.ts',
  'features/listing-import/presets.ts',
  'features/listing-import/property-types.ts',
  'features/listing-import/read-file.ts',
  'features/listing-import/report.ts',
  'features/listing-import/type-words.ts',
  'features/listing-geocoding/queue-places.ts',
  'features/remote-photos/queue-photos.ts',
]);

/** A feature may import only the public modules of another one; `app` may import all its top-level modules. */
function featureBorder(from: string, to: string, say: (message: string) => Finding[]): Finding[] {
  const [mine, theirs] = [featureOf(from), featureOf(to)];
  if (!theirs || mine === theirs || !/^(?:app|features)\//.test(from)) return [];
  const publicModule =
    /^features\/[^/]+\/(?:(?:model|rules|display|reads|sql|mails)\.ts|(?:commands|components)\/[\w-]+\.(?:tsx?|css))$/;
  const topLevelModule = /^features\/[^/]+\/[\w-]+\.ts$/;
  if (publicModule.test(to) || SHARED_MODULES.has(to) || (from.startsWith('app/') && topLevelModule.test(to)))
    return [];
  return say(`reaches into ${to}: use its model, rules, display, reads, sql, mails, commands or components`);
}

const featureOf = (path: string) => /^features\/([^/]+)\//.exec(path)?.[1];

const isForBrowsers = (path: string) =>
  path.startsWith('ui/') || /^features\/[^/]+\/(?:(?:model|rules)\.ts|components\/.*\.tsx?)$/.test(path);

/** Returns a function that finds the first server module that an import loads, directly or indirectly. */
function serverReach(sources: Source[]): (found: Import) => string | null {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const known = new Map<string, string | null>();
  const ofFile = (path: string): string | null => {
    const before = known.get(path);
    if (before !== undefined) return before;
    known.set(path, null);
    const own = path.startsWith('platform/db/') ? path : null;
    const through = byPath.get(path)?.imports.reduce<string | null>((met, next) => met ?? of(next), null);
    known.set(path, own ?? through ?? null);
    return own ?? through ?? null;
  };
  const of = ({ target, specifier, typeOnly }: Import): string | null => {
    if (typeOnly) return null;
    if (target.kind === 'package') return SERVER_PACKAGES.test(specifier) ? specifier : null;
    return ofFile(target.path);
  };
  return of;
}

function textFindings({ path, text }: Source): Finding[] {
  const say = (message: string, line: number | null = null): Finding => ({ file: path, line, message });
  const found: Finding[] = [];
  const lines = text.split('\n').length - 1;
  if (lines > MAX_LINES && !path.endsWith('.gen.ts'))
    found.push(say(`has ${lines} lines; at most ${MAX_LINES}`));
  const inside = /^features\/[^/]+\/(.+)$/.exec(path)?.[1];
  if (inside && !FEATURE_FILE_NAME.test(inside))
    found.push(
      say('is no file of a feature: model, rules, reads, commands/, components/, or a noun of its own'),
    );
  if (/(?:^|\/)(?:utils?|helpers?|common|misc|index)(?:\.tsx?|\/)/.test(path))
    found.push(say('is named for nothing: name it for what it holds'));
  const code = withoutComments(text);
  if (/^app\/(?:routes|shell)\//.test(path) && !isTest(path)) {
    const sql = /\bsql`|\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(|\.pool\.query\(/.exec(code);
    if (sql) found.push(say('is a route and must not hold SQL', lineOf(code, sql.index)));
  }
  if (/^(?:app|features)\//.test(path) && !isTest(path) && path !== MOVE_LISTING) {
    const move = /updateTable\('properties'\)(?:(?!\.where\()[\s\S])*\bstatus\b/.exec(code);
    if (move)
      found.push(say(`changes the status of a listing: only ${MOVE_LISTING} may`, lineOf(code, move.index)));
  }
  if (!isTest(path)) {
    // Whoever has one IPv6 address has its whole network.
    const key =
      /\b(?:take|has|reset)Tokens?\((?:(?!\);)[\s\S])*?(?<!networkOf\(|NetworkOf\()\bctx\.ip\b/.exec(code);
    if (key) found.push(say('limits by an address: use networkOf', lineOf(code, key.index)));
  }
  if (/^(?:app|features|ui)\//.test(path) && !isTest(path)) {
    const url =
      /(?:href|to|action|src)=\{`\/|\b(?:redirect|navigate)\(\s*[`'"]\/|(?:href|to|action)="\/(?!\/|[\w-]+\.\w+")/.exec(
        code,
      );
    if (url) found.push(say('builds an address: use routing/paths.ts', lineOf(code, url.index)));
  }
  return found;
}

const lineOf = (text: string, index: number) => text.slice(0, index).split('\n').length;

/** The file names allowed in a feature. */
const FEATURE_FILE_NAME =
  /^(?:components\/[a-z0-9-]+(?:\.test)?\.tsx?|(?:[a-z-]+\/)?[a-z0-9-]+(?:(?:\.db)?\.test)?\.ts)$/;
