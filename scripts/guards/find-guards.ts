import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Guard, withSwitches } from './guard.ts';
import { rules } from './rules.ts';
import { type Node, parse, walk } from './syntax.ts';

const ROOMS = ['app', 'features', 'gateways', 'platform'];
const isSource = (file: string) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\.gen\.ts$/.test(file);

/** The sources of the server that may hold guards, by their path from `root`. */
export function sourceFiles(root: string): Map<string, string> {
  const files = ROOMS.flatMap((room) =>
    readdirSync(join(root, room), { recursive: true, encoding: 'utf8' }).map((file) => `${room}/${file}`),
  );
  return new Map(
    files
      .map((file) => file.replaceAll('\\', '/'))
      .filter(isSource)
      .sort()
      .map((file) => [file, readFileSync(join(root, file), 'utf8')]),
  );
}

/** Every guard that the rules find in the sources as they are now. */
export function findGuards(sources: ReadonlyMap<string, string>): Guard[] {
  const relevant = [...sources]
    .filter(([file]) => rules.some((rule) => rule.files.test(file)))
    .map(([file, text]) => ({ file, text, tree: parse(file, text) }));
  const open = openPermissions(relevant.map(({ tree }) => tree));
  return relevant.flatMap(({ file, text, tree }) => guardsOfFile({ file, text, tree, open }));
}

interface ParsedFile {
  file: string;
  text: string;
  tree: Node;
  open: ReadonlySet<string>;
}

function guardsOfFile({ file, text, tree, open }: ParsedFile): Guard[] {
  const fitting = rules.filter((rule) => rule.files.test(file));
  const numbers = new Map<string, number>();
  const seen = new Set<string>();
  const guards: Guard[] = [];
  for (const place of walk(tree))
    for (const { kind, find } of fitting)
      for (const edit of find(place, { text, open })) {
        const key = `${edit.start} ${edit.end} ${edit.becomes}`;
        if (seen.has(key)) continue;
        seen.add(key);
        const number = (numbers.get(kind) ?? 0) + 1;
        numbers.set(kind, number);
        guards.push({
          id: `${file}#${kind}-${number}`,
          file,
          kind,
          line: text.slice(0, edit.start).split('\n').length,
          code: shortened(text.slice(edit.start, edit.end)),
          becomes: shortened(edit.becomes),
          edit,
        });
      }
  return guards;
}

/** The names of the permissions that let everybody through. */
function openPermissions(trees: readonly Node[]): Set<string> {
  const names = new Set(['anyone']);
  for (const tree of trees)
    for (const { node } of walk(tree))
      if (
        node.type === 'VariableDeclarator' &&
        node.id.type === 'Identifier' &&
        node.init?.type === 'Identifier' &&
        node.init.name === 'anyone'
      )
        names.add(node.id.name);
  return names;
}

/** The sources with guards, each with all of its guards switchable. */
export function switchableSources(
  sources: ReadonlyMap<string, string>,
  guards: readonly Guard[],
): Map<string, string> {
  const byFile = Map.groupBy(guards, ({ file }) => file);
  return new Map([...byFile].map(([file, of]) => [file, withSwitches(sources.get(file) ?? '', of)]));
}

const shortened = (code: string) => code.trim().replace(/\s+/g, ' ').slice(0, 90);
