import { expect, it } from 'vitest';
import { MessageAssembler, message, simpleQuery } from './wire.ts';

const turn = Buffer.concat([
  message('P', Buffer.from('\0insert\0\0\0')),
  message('B', Buffer.alloc(300, 'x')),
  message('E', Buffer.alloc(5)),
  message('S', Buffer.alloc(0)),
]);

it.each([1, 2, 5, 7, 64, 1_000])('reassembles messages that arrive in chunks of %i bytes', (size) => {
  const sent = Buffer.concat([turn, simpleQuery('commit'), turn]);
  const messages = new MessageAssembler();
  const passed: Buffer[] = [];
  for (let at = 0; at < sent.length; at += size) {
    const whole = messages.add(sent.subarray(at, at + size));
    if (whole) passed.push(whole);
  }
  expect(Buffer.concat(passed)).toEqual(sent);
  const ends = [turn.length, turn.length + simpleQuery('commit').length, sent.length];
  let at = 0;
  for (const whole of passed) {
    at += whole.length;
    expect(ends).toContain(at);
  }
});

it('holds back messages until one that expects a reply', () => {
  const messages = new MessageAssembler();
  expect(messages.add(turn.subarray(0, -5))).toBeNull();
  expect(messages.add(turn.subarray(-5))).toEqual(turn);
});
