import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Node, parse, walk } from '../../scripts/guards/syntax.ts';

/** A text of the product that a person may read, with its place. */
interface OurText {
  file: string;
  line: number;
  /** data in it is `{}` */
  text: string;
}

/** Where texts that people read stand. */
const FOLDERS = ['app', 'features', 'ui'];
/** Pages for developers. */
const NOT_OURS = /^app\/routes\/dev\//;
/** Attributes that hold names for machines. */
const MACHINE_ATTRIBUTES = /^(className|d|sizes|href|to|rel|type|autoComplete|media|viewBox|style|srcSet)$/;
/** Sentences, titles and labels: words apart, or one capitalised word. */
const PROSE = /[A-Za-z]{2}.* |^[A-Z][a-z]+[.!?:…]?$/;
const QUERY = /\bselect\b.*\bfrom\b/;

/** Every text of the product's sources that looks like one for people: JSX text, strings and templates, without tests. */
export function ourTexts(root = process.cwd()): OurText[] {
  return FOLDERS.flatMap((folder) => sourceFiles(root, folder)).flatMap((file) => textsOf(root, file));
}

function sourceFiles(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.(test|spec|gen)\.tsx?$/.test(name))
    .map((name) => join(folder, name))
    .filter((file) => !NOT_OURS.test(file))
    .sort();
}

function textsOf(root: string, file: string): OurText[] {
  const source = readFileSync(join(root, file), 'utf8');
  const texts: OurText[] = [];
  for (const { node, around } of walk(parse(join(root, file), source))) {
    const text = textOf(node)?.replace(/\s+/g, ' ').trim();
    if (!text || !PROSE.test(text) || QUERY.test(text) || isForMachines(around)) continue;
    texts.push({ file, line: source.slice(0, node.start).split('\n').length, text });
  }
  return texts;
}

function textOf(node: Node): string | null {
  if (node.type === 'JSXText') return node.value;
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null;
  if (node.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.cooked ?? '').join('{}');
  return null;
}

/** Class names, addresses and the like, types, imports, SQL, and what only logs say: errors that nobody catches, log lines. */
function isForMachines(around: readonly Node[]): boolean {
  return around.some(
    (node) =>
      (node.type === 'NewExpression' && /Error$/.test(nameOf(node.callee))) ||
      (node.type === 'CallExpression' && /^(info|warn|error|debug)$/.test(nameOf(node.callee))) ||
      node.type === 'ImportDeclaration' ||
      node.type === 'TaggedTemplateExpression' ||
      node.type === 'TSLiteralType' ||
      (node.type === 'JSXAttribute' &&
        node.name.type === 'JSXIdentifier' &&
        MACHINE_ATTRIBUTES.test(node.name.name)),
  );
}

const nameOf = (node: Node): string =>
  node.type === 'Identifier' ? node.name : node.type === 'MemberExpression' ? nameOf(node.property) : '';
