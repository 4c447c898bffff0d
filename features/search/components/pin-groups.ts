/** Pixels; `x` and `y` are the center. */
interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** What is drawn as one pin: a single member, or several that would cover each other. */
export interface PinGroup<Member> extends Box {
  members: readonly Member[];
}

type SizeOf<Member> = (members: readonly Member[]) => { width: number; height: number };

/** Pixels that pins keep between them. */
const GAP = 4;

const overlap = (a: Box, b: Box): boolean =>
  Math.abs(a.x - b.x) < (a.width + b.width) / 2 + GAP &&
  Math.abs(a.y - b.y) < (a.height + b.height) / 2 + GAP;

/**
 * Joins pins that would cover each other, until none does, so that every pin can be pressed.
 * @param sizeOf the drawn size of a pin with these members
 */
export function groupPins<Member extends { x: number; y: number }>(
  members: readonly Member[],
  sizeOf: SizeOf<Member>,
): PinGroup<Member>[] {
  const groups: PinGroup<Member>[] = [];
  for (const member of members) {
    let group = groupOf([member], sizeOf);
    for (let at = indexOver(groups, group); at >= 0; at = indexOver(groups, group)) {
      const joined = groups.splice(at, 1).flatMap((one) => one.members);
      group = groupOf([...joined, ...group.members], sizeOf);
    }
    groups.push(group);
  }
  return groups;
}

const indexOver = (groups: readonly Box[], box: Box): number => groups.findIndex((one) => overlap(one, box));

function groupOf<Member extends { x: number; y: number }>(
  members: readonly Member[],
  sizeOf: SizeOf<Member>,
): PinGroup<Member> {
  const middle = (axis: 'x' | 'y') => members.reduce((sum, member) => sum + member[axis], 0) / members.length;
  return { members, x: middle('x'), y: middle('y'), ...sizeOf(members) };
}
