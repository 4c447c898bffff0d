import { expect, it } from 'vitest';
import { parseServers, serversOf } from './servers.ts';

it('reads one host as it is', () => {
  expect(parseServers('postgres://ann:p%40ss@db.example:5433/market?sslmode=verify-full')).toEqual({
    addresses: ['postgres://ann:p%40ss@db.example:5433/market?sslmode=verify-full'],
    target: 'read-write',
  });
});

it('reads several hosts, each with its port, and what is wanted of them', () => {
  expect(
    parseServers(
      'postgresql://ann:secret@one:5433,two,[::1]:5434/market?target_session_attrs=any&sslmode=require',
    ),
  ).toEqual({
    addresses: [
      'postgresql://ann:secret@one:5433/market?sslmode=require',
      'postgresql://ann:secret@two/market?sslmode=require',
      'postgresql://ann:secret@[::1]:5434/market?sslmode=require',
    ],
    target: 'any',
  });
});

it.each([
  'mysql://one/market',
  'postgres://one:port,two/market',
  'postgres://one,two/market?target_session_attrs=standby',
])('refuses %s', (url) => {
  expect(() => parseServers(url)).toThrow(TypeError);
});

it('says why none of several will do', async () => {
  await expect(serversOf('postgres://ann@127.0.0.1:1,127.0.0.1:2/market').choose()).rejects.toThrow(
    /No server of the database can be used: 127\.0\.0\.1:1: .*ECONNREFUSED.*; 127\.0\.0\.1:2: .*ECONNREFUSED/,
  );
});
