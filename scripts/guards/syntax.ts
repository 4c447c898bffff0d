import { type ESTree, parseSync } from 'vite';

export type Node = ESTree.Node;

/** A node with the nodes around it, the nearest first. */
export interface Place {
  node: Node;
  around: readonly Node[];
}

/** @throws Error when the text is not valid TypeScript */
export function parse(file: string, text: string): Node {
  const { program, errors } = parseSync(file, text);
  const [error] = errors;
  if (error) throw new Error(`${file}: ${error.message}\n${error.codeframe ?? ''}`);
  return program;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

/** Every node of a tree, each before its children. */
export function* walk(node: Node, around: readonly Node[] = []): Generator<Place> {
  yield { node, around };
  const inside = [node, ...around];
  for (const child of childrenOf(node)) yield* walk(child, inside);
}

export const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode);

/** True when `await` stands in the node outside of nested functions; such code cannot move into a plain function. */
export const awaits = (node: Node): boolean =>
  [...walk(node)].some(
    ({ node: inner, around }) =>
      inner.type === 'AwaitExpression' && !around.some((outer) => isFunction(outer)),
  );

type FunctionNode = Extract<
  Node,
  { type: 'FunctionDeclaration' | 'FunctionExpression' | 'ArrowFunctionExpression' }
>;

export const isFunction = (node: Node): node is FunctionNode =>
  node.type === 'FunctionDeclaration' ||
  node.type === 'FunctionExpression' ||
  node.type === 'ArrowFunctionExpression';

/** The nearest function around a place with the name it is declared or stored under, if it has one. */
export function enclosingFunction({ around }: Place): { node: FunctionNode; name: string } | null {
  const index = around.findIndex((node) => isFunction(node));
  const node = around[index];
  if (!node || !isFunction(node)) return null;
  const parent = around[index + 1];
  const name = node.id ?? (parent?.type === 'VariableDeclarator' ? parent.id : null);
  return { node, name: name?.type === 'Identifier' ? name.name : '' };
}

/** The name of a called function or method: `f` of `f()` and of `a.b.f()`. */
export function calledName(node: Node): string | null {
  if (node.type !== 'CallExpression') return null;
  const { callee } = node;
  if (callee.type === 'Identifier') return callee.name;
  return callee.type === 'MemberExpression' && callee.property.type === 'Identifier'
    ? callee.property.name
    : null;
}

/** The name of an identifier; empty for any other node. */
export const nameOf = (node: Node | null | undefined): string =>
  node?.type === 'Identifier' ? node.name : '';

/** The text of a string literal; null for any other node. */
export const stringOf = (node: Node | null | undefined): string | null =>
  node?.type === 'Literal' && typeof node.value === 'string' ? node.value : null;

/** The operands of a chain of one logical operator, from left to right. */
export function operandsOf(node: Node, operator: '&&' | '||'): Node[] {
  if (node.type === 'ParenthesizedExpression') return operandsOf(node.expression, operator);
  if (node.type !== 'LogicalExpression' || node.operator !== operator) return [node];
  return [...operandsOf(node.left, operator), ...operandsOf(node.right, operator)];
}

/** The only statement of a block, or the statement itself. */
export const soleStatement = (node: Node): Node | null =>
  node.type !== 'BlockStatement' ? node : node.body.length === 1 ? (node.body[0] ?? null) : null;
