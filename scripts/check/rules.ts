import { findCycles } from './cycles.ts';
import { type Import, type Source, withoutComments } from './sources.ts';

export interface Finding {
  file: string;
  line: number | null;
  message: string;
}

/** Whom each top folder may import from. */
const LAYERS: Record<string, string[]> = {
  app: ['app', 'features', 'gateways', 'platform', 'ui', 'demo'],
  features: ['features', 'gateways', 'platform', 'ui'],
  gateways: ['gateways', 'platform'],
  platform: ['platform'],
  ui: ['ui'],
  demo: ['demo', 'features', 'gateways', 'platform'],
  bench: ['bench', 'app', 'demo', 'features', 'gateways', 'platform', 'tests', 'scripts'],
  scripts: ['scripts', 'app', 'demo', 'features', 'gateways', 'platform'],
  tests: ['tests', 'app', 'demo', 'features', 'gateways', 'platform', 'ui', 'scripts'],
};
/** The one builder of addresses is asked by everyone who writes a link, and so is that of a drawing's address. */
const SHARED = ['app/paths.ts', 'demo/illustrator/address.ts'];
const SERVER_PACKAGES =
  /^(?:node:|pg$|pg-boss$|kysely|pino$|sharp$|nodemailer$|better-auth|prom-client$|@hono\/|hono|@electric-sql\/)/;
const LONGEST = 400;
const isTest = (path: string) => /\.test\.tsx?$|\/contract\.ts$/.test(path);
const topOf = (path: string) => path.split('/')[0] ?? '';

/** Everything that breaks the rules of the house, in the order of the files. */
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
  if (target.kind === 'package' || SHARED.includes(target.path)) return [];
  const [from, to] = [topOf(source.path), topOf(target.path)];
  if (LAYERS[from] && !LAYERS[from].includes(to)) return say(`${from} must not import ${to} (${specifier})`);
  return found.typeOnly ? [] : featureBorder(source.path, target.path, say);
}

/** Another feature is entered only by its doors; the web layer also by its files named for a noun. */
function featureBorder(from: string, to: string, say: (message: string) => Finding[]): Finding[] {
  const [mine, theirs] = [featureOf(from), featureOf(to)];
  if (!theirs || mine === theirs || !/^(?:app|features)\//.test(from)) return [];
  const door = /^features\/[^/]+\/(?:(?:model|rules|reads)\.ts|(?:commands|components)\/[\w-]+\.tsx?)$/;
  const noun = /^features\/[^/]+\/[\w-]+\.ts$/;
  if (door.test(to) || (from.startsWith('app/') && noun.test(to))) return [];
  return say(`reaches into ${to}: use its model, rules, reads, commands or components`);
}

const featureOf = (path: string) => /^features\/([^/]+)\//.exec(path)?.[1];

const isForBrowsers = (path: string) =>
  path.startsWith('ui/') || /^features\/[^/]+\/(?:(?:model|rules)\.ts|components\/.*\.tsx?)$/.test(path);

/** Finds the first server module that code loaded by an import would load in turn. */
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
  if (lines > LONGEST && !path.endsWith('.gen.ts')) found.push(say(`has ${lines} lines; at most ${LONGEST}`));
  const inside = /^features\/[^/]+\/(.+)$/.exec(path)?.[1];
  if (inside && !WELL_NAMED.test(inside))
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
  if (/^(?:app|features|ui)\//.test(path) && path !== 'app/paths.ts' && !isTest(path)) {
    const url =
      /(?:href|to|action|src)=\{`\/|\b(?:redirect|navigate)\(\s*[`'"]\/|(?:href|to|action)="\/(?!\/|[\w-]+\.\w+")/.exec(
        code,
      );
    if (url) found.push(say('builds an address: use app/paths.ts', lineOf(code, url.index)));
  }
  return found;
}

const lineOf = (text: string, index: number) => text.slice(0, index).split('\n').length;

/** The vocabulary of a feature: its doors, and nouns for what would make reads.ts too long. */
const WELL_NAMED =
  /^(?:components\/[a-z0-9-]+(?:\.test)?\.tsx?|(?:[a-z-]+\/)?[a-z0-9-]+(?:(?:\.db)?\.test)?\.ts)$/;
