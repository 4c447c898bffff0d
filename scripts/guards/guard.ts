import type { Node } from './syntax.ts';

/** One guard of the sources, and how it is switched off without being written anywhere. */
export interface Guard {
  /** `<file>#<kind>-<number>` */
  id: string;
  file: string;
  kind: string;
  line: number;
  /** the code in one line, shortened */
  code: string;
  /** what the code becomes when it is switched off */
  becomes: string;
  edit: Edit;
}

/**
 * How code is made switchable: text before and after a range, in which `OFF` stands for the question whether the guard is
 * off. Nothing is overwritten, so that guards may lie inside each other.
 */
export interface Edit {
  start: number;
  end: number;
  before: string;
  after: string;
  becomes: string;
  /** the value of a property that is worked out whenever it is read, so that no table has to be loaded anew */
  property?: { start: number; end: number; name: string };
}

const OFF = '__OFF__';

/** The expression becomes another one. */
export const replaced = ({ start, end }: Node, becomes: string): Edit => ({
  start,
  end,
  before: `(${OFF} ? (${becomes}) : (`,
  after: '))',
  becomes,
});

/** A function becomes another one, which is decided whenever it is called. */
export const replacedFunction = ({ start, end }: Node, becomes: string): Edit => ({
  start,
  end,
  before: `((..._asked) => (${OFF} ? (${becomes}) : (`,
  after: '))(..._asked))',
  becomes,
});

/** The statement is left out. */
export const dropped = ({ start, end }: Node): Edit => ({
  start,
  end,
  before: `{ if (!${OFF}) `,
  after: ' }',
  becomes: 'nothing',
});

/** The element of an array is left out. */
export const leftOut = ({ start, end }: Node): Edit => ({
  start,
  end,
  before: `...(${OFF} ? [] : [`,
  after: '])',
  becomes: 'nothing',
});

/** An array gets one more element after this one. */
export const joinedBy = ({ end }: Node, element: string): Edit => ({
  start: end,
  end,
  before: `, ...(${OFF} ? [${element}] : [])`,
  after: '',
  becomes: `… and ${element}`,
});

/** The link of a Kysely chain is left out: from the method's name to the end of its call. */
export const unlinked = (method: Node, call: Node): Edit => ({
  start: method.start,
  end: call.end,
  before: `$call((_query) => ${OFF} ? _query : _query.`,
  after: ')',
  becomes: 'no such condition',
});

/** The condition inside an `sql` template holds for every row. */
export const alwaysTrue = (start: number, end: number): Edit => ({
  start,
  end,
  before: '(',
  after: ` \${${OFF} ? sql\`or true\` : sql\`\`})`,
  becomes: 'true',
});

/**
 * The text of a file with all its guards switchable: each asks `globalThis.guardIsOff` with its id, where that exists. Lines
 * stay where they are.
 */
export function withSwitches(text: string, guards: readonly Guard[]): string {
  const insertions = [...changes(guards), ...getters(guards)];
  const sorted = insertions.toSorted(
    (a, b) => a.at - b.at || (a.order[0] ?? 0) - (b.order[0] ?? 0) || (a.order[1] ?? 0) - (b.order[1] ?? 0),
  );
  let result = '';
  let position = 0;
  for (const { at, text: inserted } of sorted) {
    result += text.slice(position, at) + inserted;
    position = at;
  }
  return result + text.slice(position);
}

interface Insertion {
  at: number;
  /** At one place, what ends comes first, the innermost before the others; what begins comes last, the outermost first. */
  order: [number, number];
  text: string;
}

const around = (start: number, end: number, before: string, after: string): Insertion[] => [
  { at: start, order: [1, start - end], text: before },
  { at: end, order: [0, end - start], text: after },
];

const changes = (guards: readonly Guard[]): Insertion[] =>
  guards.flatMap(({ id, edit }) => {
    const isOff = `(globalThis.guardIsOff?.(${JSON.stringify(id)}) ?? false)`;
    return around(
      edit.start,
      edit.end,
      edit.before.replaceAll(OFF, isOff),
      edit.after.replaceAll(OFF, isOff),
    );
  });

/** Of two properties of one name in an object, the second one counts. */
function getters(guards: readonly Guard[]): Insertion[] {
  const properties = new Map(
    guards.flatMap(({ edit: { property } }) => (property ? [[property.start, property]] : [])),
  );
  return [...properties.values()].flatMap(({ start, end, name }) =>
    // Outermost of all that lies in the same range.
    around(start, end, `undefined, get ${name}() { return (`, '); }').map(
      ({ at, order: [side, size], text }) => ({
        at,
        order: [side, size + (side === 1 ? -0.5 : 0.5)],
        text,
      }),
    ),
  );
}
