import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** One import of a file: the specifier as written, and the file or package it resolves to. */
export interface Import {
  specifier: string;
  line: number;
  /** erased by the compiler, so it loads no code */
  typeOnly: boolean;
  target: { kind: 'file'; path: string } | { kind: 'package'; name: string };
}

export interface Source {
  /** relative to the project root, with forward slashes */
  path: string;
  text: string;
  imports: Import[];
}

const FOLDERS = [
  'app',
  'bench',
  'demo',
  'features',
  'gateways',
  'illustrator',
  'platform',
  'routing',
  'scripts',
  'tests',
  'ui',
];

/** Every TypeScript file of the project. */
export function readSources(root: string): Source[] {
  return FOLDERS.filter((folder) => existsSync(join(root, folder))).flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
      .filter((path) => /\.tsx?$/.test(path))
      .sort()
      .map((path) => parseSource(path, readFileSync(join(root, path), 'utf8'))),
  );
}

const STATEMENT =
  /(?:^|[;\n}])\s*(?:import|export)\s+(type\s+)?(?:([\w$*{},\s]+?)\s+from\s*)?(['"])([^'"\n]+)\3|\bimport\(\s*(['"])([^'"\n]+)\5\s*\)/g;

/** Finds the imports and re-exports of a file; comments are ignored. */
export function parseSource(path: string, text: string): Source {
  const code = withoutComments(text);
  const imports = [...code.matchAll(STATEMENT)].map((match): Import => {
    const [whole, type, names, , statik, , dynamic] = match;
    const specifier = statik ?? dynamic ?? '';
    const end = (match.index ?? 0) + whole.length;
    return {
      specifier,
      line: code.slice(0, end).split('\n').length,
      typeOnly: type !== undefined || (names !== undefined && onlyTypes(names)),
      target: resolve(path, specifier),
    };
  });
  return { path, text, imports };
}

function resolve(from: string, specifier: string): Import['target'] {
  if (specifier.startsWith('.'))
    return { kind: 'file', path: posix.join(posix.dirname(from), withoutQuery(specifier)) };
  if (specifier.startsWith('#')) return { kind: 'file', path: withoutQuery(specifier.slice(1)) };
  const [scope = '', name] = specifier.split('/');
  return { kind: 'package', name: scope.startsWith('@') && name ? `${scope}/${name}` : scope };
}

const withoutQuery = (specifier: string) => specifier.replace(/\?.*$/, '');

/** `{ type A, type B }` loads nothing, `{ type A, b }` does. */
function onlyTypes(names: string): boolean {
  const inside = /^\{([^}]*)\}$/.exec(names.trim())?.[1];
  const each = inside?.split(',').flatMap((name) => name.trim() || []);
  return each !== undefined && each.length > 0 && each.every((name) => name.startsWith('type '));
}

/** Replaces comments by blanks of the same length, so that line numbers stay the same; strings are kept. */
export function withoutComments(text: string): string {
  return text.replace(
    /\/\*[\s\S]*?\*\/|(^|[^:'"`\\/])\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`/g,
    (piece, before: string | undefined) => {
      if (piece.startsWith('/*')) return piece.replace(/[^\n]/g, ' ');
      return before === undefined ? piece : before + ' '.repeat(piece.length - before.length);
    },
  );
}
