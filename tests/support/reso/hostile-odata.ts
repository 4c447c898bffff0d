import type { Field } from '#features/reso/model.ts';
import { resources } from '#features/reso/resources.ts';
import type { seededRandom } from '#tests/access/fuzz/hostile-input.ts';

type Random = ReturnType<typeof seededRandom>;

const names = [
  ...Object.values(resources).flatMap(({ fields, collections }) =>
    [...fields, ...collections].map(({ name }) => name),
  ),
  'Media',
  'Nope',
  '__proto__',
  'constructor',
  'p.id',
];
const words = [
  'eq',
  'ne',
  'gt',
  'ge',
  'lt',
  'le',
  'in',
  'and',
  'or',
  'not',
  'add',
  'has',
  'any',
  'all',
  'null',
  'true',
  'false',
];
const functions = [
  'contains',
  'startswith',
  'endswith',
  'indexof',
  'concat',
  'tolower',
  'toupper',
  'trim',
  'length',
  'year',
  'month',
  'day',
  'hour',
  'minute',
  'second',
  'date',
  'now',
  'pg_sleep',
  'toString',
  'hasOwnProperty',
];
const literals = [
  '0',
  '1',
  '-1',
  '3.5',
  '1e5',
  '-9e99',
  '99999999999999999999999',
  '1e-50',
  '0.000000001',
  '9223372036854775808',
  '2147483648',
  '32768',
  "'Active'",
  "'Pending'",
  "'O''Hara'",
  "''",
  "'%_\\\\'",
  "'\u00e9\ud83c\udfe0'",
  `'${'x'.repeat(300)}'`,
  "'; drop table properties; --'",
  "'\\u0000'",
  '2026-11-23',
  '2026-02-30',
  '0000-01-01',
  '9999-12-31',
  '2026-11-23T10:00:00Z',
  '0001-01-01T00:00:00+14:00',
  '9999-12-31T23:59:59.999999-14:00',
  '2026-11-23T25:00:00Z',
  '2026-11-23T10:00:00.123456789012Z',
  '00000000-0000-4000-8000-000000000000',
  'true',
  'false',
  'null',
];
const fragments = [
  '(',
  ')',
  ',',
  '/',
  ':',
  "'",
  '"',
  ' ',
  '$',
  '@',
  '\0',
  '%00',
  '--',
  '/*',
  ';',
  '\u202e',
  '\ud800',
  '{{',
  '..',
  '\\',
  '+',
];

/** An operand of a certain depth, mostly well-formed. */
function operand(random: Random, depth: number): string {
  const kind = random.below(10);
  if (kind < 4) return random.pick(names);
  if (kind < 7 || depth <= 0) return random.pick(literals);
  if (kind < 9) {
    const args = Array.from({ length: random.below(4) }, () => operand(random, depth - 1));
    return `${random.pick(functions)}(${args.join(',')})`;
  }
  return `(${condition(random, depth - 1)})`;
}

function condition(random: Random, depth: number): string {
  const kind = random.below(10);
  if (depth <= 0 || kind < 4)
    return `${operand(random, depth)} ${random.pick(words)} ${operand(random, depth)}`;
  if (kind < 6)
    return `${condition(random, depth - 1)} ${random.pick(['and', 'or'])} ${condition(random, depth - 1)}`;
  if (kind < 7) return `not ${condition(random, depth - 1)}`;
  if (kind < 8)
    return `${random.pick(['Amenities', 'Media', random.pick(names)])}/${random.pick(['any', 'all'])}(x:${condition(
      random,
      depth - 1,
    )
      .replaceAll('City', 'x')
      .replaceAll('Order', 'x/Order')})`;
  return `${operand(random, depth)} in (${Array.from({ length: 1 + random.below(5) }, () => random.pick(literals)).join(',')})`;
}

/** Damages a text at random places. */
function damaged(random: Random, text: string): string {
  let result = text;
  for (let times = 1 + random.below(3); times > 0; times--) {
    const at = random.below(result.length + 1);
    const cut = random.below(4);
    result =
      result.slice(0, at) +
      (random.percent(70) ? random.pick(fragments) : random.pick(words)) +
      result.slice(at + cut);
  }
  return result;
}

const literalsOf = (type: string): string[] => {
  if (type === 'String') return literals.filter((one) => one.startsWith("'"));
  if (type === 'Boolean') return ['true', 'false'];
  if (type === 'Date') return ['2026-11-23', '9999-12-31', '0001-01-01'];
  if (type === 'DateTimeOffset') return literals.filter((one) => /T.*(?:Z|\d\d:\d\d)$/.test(one));
  return literals.filter((one) => /^-?\d/.test(one) && !one.includes(':') && !/-\d\d-/.test(one));
};

/** A comparison whose types fit. */
function typed(random: Random, fields: readonly Field[]): string {
  const field = random.pick(fields);
  const operator = random.pick(['eq', 'ne', 'gt', 'ge', 'lt', 'le']);
  const literal = random.pick(random.percent(90) ? literalsOf(field.type) : ['null']);
  if (field.type === 'String' && random.percent(40))
    return random.percent(50)
      ? `${random.pick(['contains', 'startswith', 'endswith'])}(${random.pick(['', 'tolower'])}(${field.name}),${random.pick(literalsOf('String'))})`
      : `${random.pick(['length', 'length'])}(${field.name}) ${operator} ${random.below(9)}`;
  if (field.type === 'DateTimeOffset' && random.percent(50))
    return `${random.pick(['year', 'month', 'day', 'hour', 'minute', 'second'])}(${field.name}) ${operator} ${random.pick(literalsOf('Int32'))}`;
  if (random.percent(10)) return `${field.name} in (${literal},${random.pick(literalsOf(field.type))})`;
  if (random.percent(10))
    return `Amenities/${random.pick(['any', 'all'])}(a:a ${operator} ${random.pick(literalsOf('String'))})`;
  return random.percent(80) ? `${field.name} ${operator} ${literal}` : `${literal} ${operator} ${field.name}`;
}

/** Comparisons that fit, joined: what a program of another system sends. */
export function fittingFilter(random: Random, fields: readonly Field[]): string {
  const parts = Array.from({ length: 1 + random.below(4) }, () => typed(random, fields));
  return parts
    .map((part, at) => {
      const join = at === 0 ? '' : random.pick([' and ', ' or ']);
      return `${join}${random.percent(20) ? `not (${part})` : part}`;
    })
    .join('');
}

/** A filter: half of them well-formed, many of those with types that fit. */
export function hostileFilter(random: Random): string {
  const text = condition(random, random.below(5));
  return random.percent(30) ? damaged(random, text) : text;
}

interface HostileRequest {
  resource: string;
  params: URLSearchParams;
  prefer: string | null;
}

/** A request for a collection with options of any kind. */
export function hostileRequest(random: Random): HostileRequest {
  const resource = random.pick(['Property', 'Property', 'Property', 'Member', 'Office', 'Media', 'Nope']);
  const params = new URLSearchParams();
  const own = Object.hasOwn(resources, resource)
    ? resources[resource as keyof typeof resources].fields.map(({ name }) => name)
    : names;
  const list = (limit: number) =>
    Array.from({ length: 1 + random.below(limit) }, () => random.pick(random.percent(90) ? own : names));
  const fields = Object.hasOwn(resources, resource)
    ? resources[resource as keyof typeof resources].fields
    : [];
  const comparable = fields.filter(({ readOnly }) => !readOnly);
  const filter = () =>
    random.percent(60) && comparable.length > 0 ? fittingFilter(random, comparable) : hostileFilter(random);
  // Most are right but for one option, so that they get past the first check.
  const one = random.percent(50);
  if (random.percent(75)) params.append(random.pick(['$filter', '$filter', 'filter']), filter());
  if (one) return { resource, params, prefer: null };
  if (random.percent(40)) params.append('$select', list(4).join(random.pick([',', ', ', ';'])));
  if (random.percent(40))
    params.append(
      '$orderby',
      list(3)
        .map((name) => name + random.pick(['', ' asc', ' desc', ' up']))
        .join(','),
    );
  if (random.percent(40))
    params.append(
      '$top',
      random.pick(['0', '1', '5', '200', '201', '999999999', '-1', '1e3', '', 'ten', '٣']),
    );
  if (random.percent(30)) params.append('$skip', random.pick(['0', '3', '10000', '10001', '-5', 'x']));
  if (random.percent(30)) params.append('$count', random.pick(['true', 'false', 'TRUE', '1']));
  if (random.percent(30))
    params.append(
      '$expand',
      random.pick(['Media', 'Media($select=Order)', 'Media($select=)', 'Office', 'Media,Media', '*']),
    );
  if (random.percent(15))
    params.append('$skiptoken', random.pick(['', 'x', 'W1tdLG51bGxd.AAAA', 'e30.e30', '..', '\0']));
  if (random.percent(10))
    params.append(random.pick(['$apply', '$search', '$format', '$compute', 'x', '$']), random.pick(literals));
  const prefer = random.percent(30)
    ? `odata.maxpagesize=${random.pick(['0', '1', '7', '99999', 'x'])}`
    : null;
  return { resource, params, prefer };
}
