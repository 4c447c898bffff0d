import { type ESTree, parseSync } from 'vite';

type Node = ESTree.Node;

/** Calls that type or store their arguments; a text in them is input, not something the page has to show. */
const INPUT = /^(fill|pressSequentially|type|createListing|createConversation|route|goto|open)$/;
/** Expectations that something is not shown. */
const ABSENT = /^(not|toBeHidden)$/;
/** Actions that fail unless the page shows what they name. */
const ACTION = /^(click|check|press|focus|hover|selectOption|fill|pressSequentially|setInputFiles|waitFor)$/;

/**
 * The texts that a browser test looks up: strings and patterns in its awaited expectations and actions, also by way of a
 * constant or the list of a loop. What is expected to be absent does not count, nor what is typed in.
 */
export function lookedUpTexts(name: string, source: string): string[] {
  const { program, errors } = parseSync(name, source);
  if (errors.length > 0) throw new Error(`${name}: ${errors[0]?.message}`);
  const texts = new Set<string>();
  const named = new Map<string, Node[]>();
  const remember = (name: string, value: Node) => named.set(name, [...(named.get(name) ?? []), value]);
  visit(program, (node) => {
    if (node.type === 'VariableDeclarator' && node.init && node.id.type === 'Identifier')
      remember(node.id.name, node.init);
    if (node.type === 'ForOfStatement')
      for (const identifier of identifiersOf(node.left)) remember(identifier, node.right);
  });
  const collect = (node: Node, seen: ReadonlySet<Node>) =>
    visit(node, (inner) => {
      if (inner.type === 'CallExpression' && INPUT.test(calledName(inner) ?? '')) {
        if (inner.callee.type === 'MemberExpression') collect(inner.callee.object, seen);
        return false;
      }
      if (inner.type === 'Literal' && 'regex' in inner && inner.regex)
        texts.add(inner.regex.pattern.replace(/\\(?=[^\w])/g, ''));
      else if (inner.type === 'Literal' && typeof inner.value === 'string') texts.add(inner.value);
      else if (inner.type === 'TemplateElement' && inner.value.cooked) texts.add(inner.value.cooked);
      else if (inner.type === 'Identifier')
        for (const value of named.get(inner.name) ?? [])
          if (!seen.has(value) && !isProcedure(value)) collect(value, new Set([...seen, value]));
      return true;
    });
  visit(program, (node) => {
    if (node.type !== 'AwaitExpression' || !isLookup(node.argument)) return;
    collect(node.argument, new Set());
  });
  return [...texts];
}

/** Whether a chain of calls expects something to be there, or acts on it. */
function isLookup(expression: Node): boolean {
  const names: string[] = [];
  let step: Node = expression;
  for (;;) {
    if (step.type === 'CallExpression') {
      const [only] = step.arguments;
      if (calledName(step) === 'toHaveCount' && only?.type === 'Literal' && only.value === 0) return false;
      step = step.callee;
    } else if (step.type === 'MemberExpression') {
      if (step.property.type === 'Identifier') names.push(step.property.name);
      step = step.object;
    } else break;
  }
  if (names.some((name) => ABSENT.test(name))) return false;
  return (step.type === 'Identifier' && step.name === 'expect') || ACTION.test(names[0] ?? '');
}

/** A function with statements of its own, in contrast to one that only names a part of the page. */
const isProcedure = (node: Node) =>
  node.type === 'FunctionExpression' || (node.type === 'ArrowFunctionExpression' && !node.expression);

function calledName({ callee }: ESTree.CallExpression): string | null {
  if (callee.type === 'Identifier') return callee.name;
  return callee.type === 'MemberExpression' && callee.property.type === 'Identifier'
    ? callee.property.name
    : null;
}

function identifiersOf(node: Node): string[] {
  const names: string[] = [];
  visit(node, (inner) => {
    if (inner.type === 'Identifier') names.push(inner.name);
  });
  return names;
}

/** Calls `see` for a node and everything inside it; `false` leaves out what is inside. */
function visit(node: Node, see: (node: Node) => unknown): void {
  if (see(node) === false) return;
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, see);
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
