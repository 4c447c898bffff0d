import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectRoot } from '#platform/project-root.ts';

/** The requirements of levels 1 and 2 of ASVS 5.0.0, by section: the numbers within it. */
const REQUIREMENTS: Readonly<Record<string, readonly number[]>> = {
  '1.1': upTo(2),
  '1.2': upTo(9),
  '1.3': upTo(11),
  '1.4': upTo(3),
  '1.5': upTo(2),
  '2.1': upTo(3),
  '2.2': upTo(3),
  '2.3': upTo(4),
  '2.4': upTo(1),
  '3.2': upTo(2),
  '3.3': upTo(4),
  '3.4': upTo(6),
  '3.5': upTo(5),
  '3.7': upTo(2),
  '4.1': upTo(3),
  '4.2': upTo(1),
  '4.3': upTo(2),
  '4.4': upTo(4),
  '5.1': upTo(1),
  '5.2': upTo(3),
  '5.3': upTo(2),
  '5.4': upTo(3),
  '6.1': upTo(3),
  '6.2': upTo(12),
  '6.3': upTo(4),
  '6.4': upTo(4),
  '6.5': upTo(5),
  '6.6': upTo(3),
  '6.8': upTo(4),
  '7.1': upTo(3),
  '7.2': upTo(4),
  '7.3': upTo(2),
  '7.4': upTo(5),
  '7.5': upTo(2),
  '7.6': upTo(2),
  '8.1': upTo(2),
  '8.2': upTo(3),
  '8.3': upTo(1),
  '8.4': upTo(1),
  '9.1': upTo(3),
  '9.2': upTo(4),
  '10.1': upTo(2),
  '10.2': upTo(2),
  '10.3': upTo(4),
  '10.4': upTo(11),
  '10.5': upTo(5),
  '10.6': upTo(2),
  '10.7': upTo(3),
  '11.1': upTo(2),
  '11.2': upTo(3),
  '11.3': upTo(3),
  '11.4': upTo(4),
  '11.5': upTo(1),
  '11.6': upTo(1),
  '12.1': upTo(3),
  '12.2': upTo(2),
  '12.3': upTo(4),
  '13.1': upTo(1),
  '13.2': upTo(5),
  '13.3': upTo(2),
  '13.4': upTo(5),
  '14.1': upTo(2),
  '14.2': upTo(4),
  '14.3': upTo(3),
  '15.1': upTo(3),
  '15.2': upTo(3),
  '15.3': upTo(7),
  '16.1': upTo(1),
  '16.2': upTo(5),
  '16.3': upTo(4),
  '16.4': upTo(3),
  '16.5': upTo(3),
  '17.1': upTo(1),
  '17.2': upTo(4),
  '17.3': upTo(2),
};

function upTo(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}

/** `1.2.6–1.2.8` stands for all between. */
function expand(entry: string): string[] {
  const [first = '', last = first] = entry.trim().split('–');
  const section = first.slice(0, first.lastIndexOf('.'));
  const number = (id: string) => Number(id.slice(id.lastIndexOf('.') + 1));
  return upTo(number(last))
    .filter((one) => one >= number(first))
    .map((one) => `${section}.${one}`);
}

const text = readFileSync(join(projectRoot, 'docs/security.md'), 'utf8');
const rows = [
  ...text.slice(text.indexOf('## ASVS')).matchAll(/^\| (\d[^|]*) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm),
];

it('the checklist has every requirement of levels 1 and 2 once', () => {
  const listed = rows.flatMap(([, ids = '']) => ids.split(',').flatMap(expand));
  const all = Object.entries(REQUIREMENTS).flatMap(([section, numbers]) =>
    numbers.map((n) => `${section}.${n}`),
  );
  expect(listed.toSorted()).toEqual(all.toSorted());
});

it('the checklist names tests that exist', () => {
  const named = rows.flatMap(([, , , , test = '']) =>
    [...test.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file),
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((file) => !existsSync(join(projectRoot, file)))).toEqual([]);
});

it('every requirement that is met has its test', () => {
  expect(rows.filter(([, , answer = '', , test = '']) => answer.startsWith('met') && test === '—')).toEqual(
    [],
  );
});
