import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** One import of a file: as written, and as a path from the project's root, or a package's name. */
export interface Import {
  specifier: string;
  line: number;
  /** erased by the compiler: no code is loaded through it */
  typeOnly: boolean;
  target: { kind: 'file'; path: string } | { kind: 'package'; name: string };
}

export interface Source {
  /** from the project's root, with slashes */
  path: string;
  text: string;
  imports: Import[];
}

const FOLDERS = ['app', 'bench', 'demo', 'features', 'gateways', 'platform', 'scripts', 'tests', 'ui'];

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

/** Reads a file's imports and re-exports; what stands in comments does not count. */
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

/** Comments become blanks of the same length, so that lines keep their numbers; strings stay. */
export function withoutComments(text: string): string {
  return text.replace(
    /\/\*[\s\S]*?\*\/|(^|[^:'"`\\/])\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`/g,
    (piece, before: string | undefined) => {
      if (piece.startsWith('/*')) return piece.replace(/[^\n]/g, ' ');
      return before === undefined ? piece : before + ' '.repeat(piece.length - before.length);
    },
  );
}
