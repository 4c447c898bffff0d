import {
  alwaysTrue,
  dropped,
  type Edit,
  joinedBy,
  leftOut,
  replaced,
  replacedFunction,
  unlinked,
} from './guard.ts';
import { conditionsOf } from './reasons.ts';
import {
  awaits,
  calledName,
  enclosingFunction,
  isFunction,
  type Node,
  nameOf,
  operandsOf,
  type Place,
  soleStatement,
  stringOf,
} from './syntax.ts';

/** What a rule knows besides the place itself. */
interface Sources {
  text: string;
  /** permissions that let everybody through */
  open: ReadonlySet<string>;
}

/** Finds the guards of one kind. */
export interface Rule {
  kind: string;
  files: RegExp;
  find(place: Place, sources: Sources): Edit[];
}

const SERVER_CODE = /^(?:features|app|platform|gateways)\/(?!.*\/components\/)/;
const FEATURE = /^features\/[^/]+\/(?:[\w-]+|commands\/[\w-]+)\.ts$/;
const DECISIONS =
  /^(?:features\/[^/]+\/[\w-]*(?:rules|transitions?)\.ts|platform\/access\.ts|app\/role-guard\.ts)$/;
const SIGNATURES =
  /^(?:gateways\/payments\/.*webhook.*|gateways\/files\/signed-link|platform\/auth\/[\w-]+|features\/payouts\/[\w-]*token)\.ts$/;

/** Somebody who does not exist, so that code behind a removed permission goes on instead of failing for want of an id. */
const NOBODY =
  "(ctx.actor.kind === 'user' ? ctx.actor : { kind: 'user', id: crypto.randomUUID(), role: 'buyer', agentId: null, " +
  "email: 'nobody@example.com', emailVerified: true, suspended: false, provedAt: null, mustAddFactor: false })";
const NO_SELLER = NOBODY.replace('agentId: null', 'agentId: crypto.randomUUID()');
const BUYERS = "(actor) => actor.kind === 'user' && actor.role === 'buyer'";
const ADMINS = "(actor) => actor.kind === 'user' && actor.role === 'admin'";
const USERS = "(actor) => actor.kind === 'user'";
/** Those of a listing that a request can act as. */
const LISTING_PARTIES = ['seller', 'admin', 'sale'];
const OPERANDS_TO = { '&&': 'true', '||': 'false' } as const;

const DECIDING =
  /^(?:may|is[A-Z]|has[A-Z]|authorize|requireRole|refuse)|Refusal$|Visibility$|Scope$|^partyOf$/;
const PERSONAL_COLUMN = /(?:^|\.)(?:user_id|agent_id|buyer_id|seller_id|sender_id|blocked_id)$/;
const OWNER = /^(?:\(?ctx\.)?(?:user|actor|agent|seller|buyer|current)\w*(?:\.(?:id|agentId)|Id)\b/;
const PUBLIC_COLUMN =
  /(?:^|\.)(?:is_public|deleted_at|is_active|expires_at|used_at|archived_at|email_verified)$/;
const SHARED_CONDITION = /^is\w*(?:Visible|Public)$/;
const OWNER_IN_SQL = /(?:\b\w+\.)?\b(?:user_id|agent_id|buyer_id|seller_id)\s*=\s*$/;
const PUBLIC_IN_SQL = /(?:\b\w+\.)?\bdeleted_at is null\b|\(\s*(?:\w+\.)?is_public or [^()]*\([^()]*\)\s*\)/g;
const REFUSING_CALL =
  /^(?:refuse\w*|toLogin|redirectToSignIn|askToSignIn|notAvailable|notFound|errorResponse|onlyPost)$/;
const FAULTS = /^(?:Error|TypeError|RangeError|NotRecorded|CommissionUnknown)$/;

export const rules: Rule[] = [
  {
    kind: 'authorize',
    files: SERVER_CODE,
    find({ node }, { open }) {
      if (node.type !== 'ExpressionStatement' || calledName(node.expression) !== 'authorize') return [];
      const permission = argumentOf(node.expression, 1);
      // Where everybody may, only a refusal can be noticed.
      return permission?.type === 'Identifier' && open.has(permission.name)
        ? [replaced(permission, '() => false')]
        : [dropped(node)];
    },
  },
  {
    kind: 'authorized-user',
    files: SERVER_CODE,
    find({ node }) {
      if (calledName(node) === 'authorizedUser') return [replaced(node, NOBODY)];
      return calledName(node) === 'authorizedSeller' ? [replaced(node, NO_SELLER)] : [];
    },
  },
  {
    kind: 'permission',
    files: /^features\/[^/]+\/[\w-]*rules\.ts$/,
    find({ node }) {
      if (node.type !== 'VariableDeclarator' || !node.init || !/^may/.test(nameOf(node.id))) return [];
      const permission = nameOf(node.init);
      // Open for all it would show nothing: `authorizedUser` is a second lock behind it.
      if (permission === 'signedIn') return [replacedFunction(node.init, BUYERS)];
      if (permission === 'nobody') return [replacedFunction(node.init, ADMINS)];
      return calledName(node.init) === 'hasRole' ? [replacedFunction(node.init, USERS)] : [];
    },
  },
  { kind: 'operand', files: DECISIONS, find: operandsOfDecision },
  {
    kind: 'decision',
    files: DECISIONS,
    find(place) {
      const { node } = place;
      if (node.type !== 'IfStatement' || node.alternate || isRefusal(node.consequent)) return [];
      return isDeciding(place) && soleStatement(node.consequent)?.type === 'ReturnStatement'
        ? conditionsOf(node, place)
        : [];
    },
  },
  {
    kind: 'decision',
    files: DECISIONS,
    find({ node, around }) {
      if (node.type !== 'ConditionalExpression' || !isAnswer(node, around)) return [];
      const [ifTrue, ifFalse] = [node.consequent, node.alternate];
      return isNull(ifTrue) !== isNull(ifFalse) && (stringOf(ifTrue) ?? stringOf(ifFalse)) !== null
        ? [replaced(node, 'null')]
        : [];
    },
  },
  {
    kind: 'refusal',
    files: /^(?:features\/[^/]+\/(?:[\w-]+|commands\/[\w-]+)\.ts|app\/|platform\/http\/)/,
    find(place) {
      const { node } = place;
      return node.type === 'IfStatement' && !node.alternate && isRefusal(node.consequent)
        ? conditionsOf(node, place)
        : [];
    },
  },
  {
    kind: 'signature',
    files: SIGNATURES,
    find(place) {
      const { node } = place;
      if (node.type === 'IfStatement' && !node.alternate && isRefusal(node.consequent))
        return conditionsOf(node, place);
      if (node.type === 'ExpressionStatement')
        return /^(?:verify|requireMatch)/.test(calledName(node.expression) ?? '') ? [dropped(node)] : [];
      return node.type === 'LogicalExpression' && calledName(node.right) === 'timingSafeEqual'
        ? [replaced(node, 'true')]
        : [];
    },
  },
  {
    kind: 'ownership',
    files: FEATURE,
    find(place, { text }) {
      const { node } = place;
      const [column, operator, value] = conditionOf(node);
      if (column === null || operator !== '=' || !value || isOnlyLock(place, text)) return [];
      const owner = OWNER.test(text.slice(value.start, value.end));
      return PERSONAL_COLUMN.test(column) || owner ? linkOf(node) : [];
    },
  },
  {
    kind: 'visibility',
    files: FEATURE,
    find({ node }) {
      const [column] = conditionOf(node);
      const shared = calledName(node) === 'where' ? argumentOf(node, 0) : null;
      const isPublic = column === null ? SHARED_CONDITION : PUBLIC_COLUMN;
      return isPublic.test(column ?? calledName(shared ?? node) ?? '') ? linkOf(node) : [];
    },
  },
  { kind: 'ownership', files: FEATURE, find: ownersInSql },
  { kind: 'visibility', files: FEATURE, find: publicInSql },
  {
    // The condition that the queries of all features share.
    kind: 'visibility',
    files: FEATURE,
    find: (place) =>
      isSql(place.node) && SHARED_CONDITION.test(enclosingFunction(place)?.name ?? '')
        ? [replaced(place.node, 'sql`true`')]
        : [],
  },
  {
    kind: 'own-fields',
    files: /^features\/[^/]+\/(?:[\w-]*reads|[\w-]+-(?:page|view|row|file|sales|details))\.ts$/,
    find({ node }, { text }) {
      if (node.type !== 'ConditionalExpression') return [];
      const test = text.slice(node.test.start, node.test.end);
      if (!/\b(?:party|actor|role|viewer|actor_role)\b/.test(test)) return [];
      if (isNull(node.consequent) === isNull(node.alternate)) return [];
      const shown = isNull(node.consequent) ? node.alternate : node.consequent;
      return [replaced(node, text.slice(shown.start, shown.end))];
    },
  },
  { kind: 'rate-limit', files: SERVER_CODE, find: statementCalling(/^takeTokens$/) },
  { kind: 'audit', files: FEATURE, find: statementCalling(/^(?:audit|setAuditActor)$/) },
  {
    kind: 'transition',
    files: /^features\/[^/]+\/[\w-]*transitions\.ts$/,
    find({ node }) {
      if (node.type !== 'ObjectExpression') return [];
      const elements = (name: string) => {
        const value = propertyOf(node, name);
        return value?.type === 'ArrayExpression' ? value.elements.filter((element) => element !== null) : [];
      };
      const whenRead = (name: string, edits: Edit[]) => {
        const { start = 0, end = 0 } = propertyOf(node, name) ?? {};
        return edits.map((edit) => ({ ...edit, property: { start, end, name } }));
      };
      const by = elements('by');
      const last = by.at(-1);
      const parties = by.map((party) => stringOf(party));
      const others = ['buyer', 'seller', 'admin'].filter((party) => !parties.includes(party));
      // What only the system does is no form's business; a third party is what a form could name.
      const joined =
        last && !parties.includes('system') ? others.map((other) => joinedBy(last, `'${other}'`)) : [];
      const only = propertyOf(node, 'by');
      const handed = LISTING_PARTIES.filter((party) => only && stringOf(only) && stringOf(only) !== party);
      const given = handed.flatMap((party) => (only ? [replaced(only, `'${party}'`)] : []));
      return [
        ...whenRead('guards', elements('guards').map(leftOut)),
        ...whenRead('by', [...joined, ...given]),
      ];
    },
  },
  {
    kind: 'middleware',
    files: /^app\//,
    find(place) {
      const { node } = place;
      if (node.type === 'ArrayExpression' && isMiddleware(place))
        return node.elements.flatMap((element) =>
          element && (isFunction(element) || calledName(element) === 'requireRole') ? [leftOut(element)] : [],
        );
      if (node.type !== 'ExpressionStatement') return [];
      const name = calledName(node.expression) ?? '';
      if (/^refuseOtherRoles$/.test(name)) return [dropped(node)];
      const first = argumentOf(node.expression, 0);
      const second = argumentOf(node.expression, 1);
      const called = first && (nameOf(first) || (calledName(first) ?? ''));
      if (name === 'use' && /^(?:require|reject|limit|security|only)/.test(called ?? ''))
        return [dropped(node)];
      return name === 'get' && nameOf(second) === 'onlyPost' ? [dropped(node)] : [];
    },
  },
  {
    kind: 'safe-address',
    files: /^app\//,
    find({ node }, { text }) {
      const given = calledName(node) === 'safeNext' ? argumentOf(node, 0) : null;
      return given ? [replaced(node, text.slice(given.start, given.end))] : [];
    },
  },
];

/** True for a statement that turns a request away: an error for the asker, or a result with `ok: false`. */
function isRefusal(consequent: Node): boolean {
  const statement = soleStatement(consequent);
  if (statement?.type === 'ThrowStatement') {
    const { argument } = statement;
    if (argument.type === 'NewExpression') return !FAULTS.test(nameOf(argument.callee));
    return argument.type === 'CallExpression' && calledName(argument) !== 'redirect';
  }
  if (statement?.type !== 'ReturnStatement' || !statement.argument) return false;
  const { argument } = statement;
  if (argument.type === 'ObjectExpression') {
    const ok = propertyOf(argument, 'ok');
    return ok?.type === 'Literal' && ok.value === false;
  }
  if (/^(?:ended|forged)$/.test(stringOf(argument) ?? nameOf(argument))) return true;
  const name = calledName(argument) ?? '';
  if (name === 'json') return Number(literalOf(argumentOf(argument, 1))) >= 400;
  return REFUSING_CALL.test(name);
}

function operandsOfDecision(place: Place): Edit[] {
  const { node, around } = place;
  const [parent] = around;
  if (node.type !== 'LogicalExpression' || node.operator === '??' || !isDeciding(place)) return [];
  // Each chain once, from its top; the conditions of ifs have their own rule.
  if (parent?.type === 'LogicalExpression' && parent.operator === node.operator) return [];
  if (around.some((outer) => outer.type === 'IfStatement' && outer.test.end >= node.end)) return [];
  const { operator } = node;
  return operandsOf(node, operator).map((operand) => replaced(operand, OPERANDS_TO[operator]));
}

/** True inside a function that decides who may do what: by its name, or because the actor is its first parameter. */
function isDeciding(place: Place): boolean {
  const around = enclosingFunction(place);
  const [first] = around?.node.params ?? [];
  return DECIDING.test(around?.name ?? '') || nameOf(first) === 'actor';
}

/** The value that a function returns. */
function isAnswer(node: Node, around: readonly Node[]): boolean {
  const [parent] = around;
  if (!parent) return false;
  return (
    parent.type === 'ReturnStatement' ||
    (isFunction(parent) && parent.body === node) ||
    isWrapped(parent, around)
  );
}

const isWrapped = (parent: Node, around: readonly Node[]): boolean =>
  parent.type === 'ParenthesizedExpression' && isAnswer(parent, around.slice(1));

/** Column, operator and value of `.where('column', '=', value)`. */
function conditionOf(node: Node): [column: string | null, operator: string | null, value: Node | null] {
  if (calledName(node) !== 'where') return [null, null, null];
  return [stringOf(argumentOf(node, 0)), stringOf(argumentOf(node, 1)), argumentOf(node, 2)];
}

/** A query that locks rows and shows none: of a lock too many, no answer tells. */
function isOnlyLock({ around }: Place, text: string): boolean {
  const end = around.findIndex(({ type }) => type !== 'MemberExpression' && type !== 'CallExpression');
  const [query, awaited, statement] = around.slice(end - 1);
  return (
    awaited?.type === 'AwaitExpression' &&
    statement?.type === 'ExpressionStatement' &&
    query !== undefined &&
    /\.for(?:NoKey)?Update\(\)/.test(text.slice(query.start, query.end))
  );
}

function linkOf(node: Node): Edit[] {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return [];
  return node.arguments.some(awaits) ? [] : [unlinked(node.callee.property, node)];
}

function ownersInSql({ node }: Place): Edit[] {
  if (!isSql(node)) return [];
  const { quasis } = node.quasi;
  return quasis.flatMap((quasi, index) => {
    const found = OWNER_IN_SQL.exec(quasi.value.raw);
    const next = quasis[index + 1];
    if (!found || !next) return [];
    const [cast = ''] = /^::\w+/.exec(next.value.raw) ?? [];
    return [alwaysTrue(textStart(quasi) + found.index, textStart(next) + cast.length)];
  });
}

function publicInSql({ node }: Place): Edit[] {
  if (!isSql(node)) return [];
  return node.quasi.quasis.flatMap((quasi) =>
    [...quasi.value.raw.matchAll(PUBLIC_IN_SQL)].map(({ index, 0: condition }) =>
      alwaysTrue(textStart(quasi) + index, textStart(quasi) + index + condition.length),
    ),
  );
}

function statementCalling(names: RegExp): Rule['find'] {
  return ({ node }) => {
    if (node.type !== 'ExpressionStatement') return [];
    const called = node.expression.type === 'AwaitExpression' ? node.expression.argument : node.expression;
    return names.test(calledName(called) ?? '') ? [dropped(node)] : [];
  };
}

/** Inside `export const middleware = […]`. */
function isMiddleware({ around: [parent] }: Place): boolean {
  return parent?.type === 'VariableDeclarator' && nameOf(parent.id) === 'middleware';
}

function propertyOf(node: Extract<Node, { type: 'ObjectExpression' }>, name: string): Node | null {
  for (const property of node.properties)
    if (property.type === 'Property' && nameOf(property.key) === name) return property.value;
  return null;
}

function isSql(node: Node): node is Extract<Node, { type: 'TaggedTemplateExpression' }> {
  return node.type === 'TaggedTemplateExpression' && nameOf(node.tag) === 'sql';
}

const argumentOf = (node: Node, index: number): Node | null =>
  (node.type === 'CallExpression' && node.arguments[index]) || null;
const literalOf = (node: Node | null): unknown => (node?.type === 'Literal' ? node.value : null);
const isNull = (node: Node): boolean => node.type === 'Literal' && node.value === null;
/** Where the text of a piece begins: its node begins with the backtick or brace before it. */
const textStart = (quasi: Node): number => quasi.start + 1;
