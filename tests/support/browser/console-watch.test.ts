import { expect, test } from 'vitest';
import { unexpectedProblems } from './console-watch.ts';

const ID = '4097c3de-5032-4a4f-9d6e-000000000409';
const problems = [
  {
    text: `Failed to load resource: the server responded with a status of 409 (Conflict) (/x/${ID})`,
    status: 409,
  },
  { text: `503 /agent/${ID}`, status: 503 },
  { text: `TypeError: something broke (/property/${ID})` },
];

test('a status excuses only responses with exactly that status', () => {
  expect(unexpectedProblems(problems, [409, 503])).toEqual([problems[2]?.text]);
  expect(unexpectedProblems(problems, [40, 50, 4097, 5032])).toHaveLength(3);
});

test('a pattern excuses by text, and may not be a bare status', () => {
  expect(unexpectedProblems(problems, [/something broke/])).toHaveLength(2);
  for (const bare of [/409/, /^503 /, /422|Failed/])
    expect(() => unexpectedProblems(problems, [bare])).toThrow('give the status as a number');
});
