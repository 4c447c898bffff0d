import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One guard taken away: in `file`, `from` becomes `to`. */
export interface Mutant {
  file: string;
  from: string;
  to: string;
  /** the position of `from` among its equals in the file */
  at: number;
}

type Change = [from: string, to: string, at?: number];

/** The guards of one file; `at` tells which one where a text stands more than once. */
export const guards = (file: string, ...changes: Change[]): Mutant[] =>
  changes.map(([from, to, at = 0]) => ({ file, from, to, at }));

/** `<file>:<line> what becomes what`, in one line. */
export function describeMutant({ file, from, to, at }: Mutant, text: string): string {
  const line = text.slice(0, positionOf(text, from, at)).split('\n').length;
  const short = (code: string) => code.trim().replace(/\s+/g, ' ').slice(0, 70) || 'nothing';
  return `${file}:${line}  ${short(from)}  →  ${short(to)}`;
}

/** @throws Error when the guard is not where it was: then the list must follow */
export function applyMutant({ file, from, to, at }: Mutant, text: string): string {
  const position = positionOf(text, from, at);
  if (position < 0) throw new Error(`${file} has no '${from}' (${at})`);
  return text.slice(0, position) + to + text.slice(position + from.length);
}

function positionOf(text: string, from: string, at: number): number {
  let position = -1;
  for (let n = 0; n <= at; n++) {
    position = text.indexOf(from, position + 1);
    if (position < 0) return -1;
  }
  return position;
}

/** A rule for finding guards in the sources: every match of `pattern` is replaced in turn. */
interface Rule {
  files: RegExp;
  pattern: RegExp;
  to(match: RegExpExecArray): string;
}

/** `signedIn` is closed further: opening it alone shows nothing, since `authorizedUser` is a second lock behind it. */
const CHANGED: Record<string, string> = {
  signedIn: "((actor) => actor.kind === 'user' && actor.role === 'buyer')",
  nobody: "((actor) => actor.kind === 'user' && actor.role === 'admin')",
  "hasRole('admin')": "((actor) => actor.kind === 'user')",
};
const OPEN = /^(?:anyone|mayUseDoors|maySeePanel|mayReceiveMessages|mayRegister)$/;
const inFeature = /^features\/[^/]+\/(?:reads|commands\/[\w-]+)\.ts$/;

const RULES: Rule[] = [
  // The first line of an operation: what is closed opens, what is open for all closes.
  {
    files: inFeature,
    pattern: /^ {2}authorize\(ctx, (\w+)\);$/gm,
    to: ([, permission = '']) => (OPEN.test(permission) ? '  authorize(ctx, () => false);' : ''),
  },
  {
    files: inFeature,
    pattern: /authorizedUser\(ctx, (\w+)\)/g,
    to: () => "(ctx.actor as Extract<typeof ctx.actor, { kind: 'user' }>)",
  },
  // Named permissions.
  {
    files: /^features\/[^/]+\/rules\.ts$/,
    pattern: /(?<=^export const may\w+ = )(?:signedIn|nobody|hasRole\('admin'\))(?=;$)/gm,
    to: ([permission = '']) => CHANGED[permission] ?? '',
  },
  // Whose row it is.
  {
    files: inFeature,
    pattern: /\.where\('(?:\w+\.)?\w+', '=', (?:user|actor|ctx\.actor)\.(?:id|agentId)\)/g,
    to: () => '',
  },
  { files: inFeature, pattern: /user_id = \$\{ctx\.actor\.id\} and /g, to: () => '' },
  // What is public.
  {
    files: inFeature,
    pattern: /\.where\('(?:properties\.)?(?:is_public|deleted_at|is_active)', (?:'=', true|'is', null)\)/g,
    to: () => '',
  },
];

/** All guards that a rule finds in the features as they are now: a new one is found by itself. */
export function foundGuards(root: string): Mutant[] {
  const files = readdirSync(join(root, 'features'), { recursive: true, encoding: 'utf8' })
    .map((file) => `features/${file}`)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .sort();
  return files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return RULES.filter((rule) => rule.files.test(file)).flatMap((rule) =>
      [...text.matchAll(rule.pattern)].map((match) => {
        const [from] = match;
        const at = text.slice(0, match.index).split(from).length - 1;
        return { file, from, to: rule.to(match as RegExpExecArray), at };
      }),
    );
  });
}
