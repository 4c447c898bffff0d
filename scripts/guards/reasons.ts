import { type Edit, replaced } from './guard.ts';
import { calledName, enclosingFunction, type Node, nameOf, operandsOf, type Place } from './syntax.ts';

/** Each of the reasons for a refusal. */
export function conditionsOf(node: Extract<Node, { type: 'IfStatement' }>, place: Place): Edit[] {
  return operandsOf(node.test, '||')
    .filter((reason) => !isAboutForm(reason) && !protectsLaterCode(reason, place) && !comparesLengths(reason))
    .map((reason) => replaced(reason, 'false'));
}

/** What only translates an earlier refusal, or refuses an id that the database would refuse as well. */
function isAboutForm(reason: Node): boolean {
  if (reason.type === 'BinaryExpression' && reason.operator === 'instanceof') return true;
  if (reason.type === 'UnaryExpression' && /isUuid|^test$/.test(calledName(reason.argument) ?? ''))
    return /uuid/i.test(JSON.stringify(reason.argument));
  let root = reason;
  while (
    root.type === 'UnaryExpression' ||
    root.type === 'MemberExpression' ||
    root.type === 'BinaryExpression'
  )
    root =
      root.type === 'UnaryExpression'
        ? root.argument
        : root.type === 'MemberExpression'
          ? root.object
          : root.left;
  return /^(?:result|problem|error|errors)$/.test(nameOf(root));
}

/** `!row` where `row.x` follows: without it the code can only fail, which shows nothing about who may do what. */
function protectsLaterCode(reason: Node, place: Place): boolean {
  const name = missingName(reason);
  if (!name) return false;
  const around = enclosingFunction(place)?.node;
  if (!around) return false;
  return [...walkAfter(around, reason.end)].some(
    (node) => node.type === 'MemberExpression' && !node.optional && nameOf(node.object) === name,
  );
}

/** What only keeps `timingSafeEqual` from failing. */
function comparesLengths(reason: Node): boolean {
  const isLength = (side: Node) => side.type === 'MemberExpression' && nameOf(side.property) === 'length';
  return (
    reason.type === 'BinaryExpression' &&
    reason.operator === '!==' &&
    isLength(reason.left) &&
    isLength(reason.right)
  );
}

function missingName(reason: Node): string {
  if (reason.type === 'ParenthesizedExpression') return missingName(reason.expression);
  if (reason.type === 'UnaryExpression' && reason.operator === '!') {
    const inner = reason.argument;
    return inner.type === 'MemberExpression' && /^(?:ok|success)$/.test(nameOf(inner.property))
      ? nameOf(inner.object)
      : nameOf(inner);
  }
  return reason.type === 'BinaryExpression' && reason.operator.startsWith('==') ? nameOf(reason.left) : '';
}

function* walkAfter(node: Node, position: number): Generator<Node> {
  if (node.start > position) yield node;
  for (const value of Object.values(node) as unknown[])
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value])
      if (typeof child === 'object' && child !== null && 'type' in child && 'end' in child)
        if ((child as Node).end > position) yield* walkAfter(child as Node, position);
}
