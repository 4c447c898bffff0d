import { describe, expect, it } from 'vitest';
import { isCommonPassword } from './common-passwords.ts';
import {
  deviceName,
  homePath,
  loginPath,
  loginRefusal,
  nameFromEmail,
  otherAccountNotice,
  parseIntent,
  passwordStrength,
  safeNext,
} from './rules.ts';

describe('password strength', () => {
  it.each([
    ['', 'weak'],
    ['Aa1!', 'weak'],
    ['Abcdef1', 'weak'],
    ['abcdefgh', 'weak'],
    ['abcdefghijkl', 'weak'],
    ['12345678', 'weak'],
    ['!!!!!!!!!!', 'weak'],
    ['1234567!', 'weak'],
    ['Abcdefgh', 'medium'],
    ['ABCDEFGH', 'medium'],
    ['abcdefg1', 'medium'],
    ['A2345678', 'medium'],
    ['Abcd123!', 'medium'],
    ['Abcde123!', 'medium'],
    ['Abcdefgh12', 'medium'],
    ['abcdefgh1!', 'medium'],
    ['ABCDEFGH1!', 'medium'],
    ['Abcdefg1!x', 'strong'],
    ['Äöüßäöü1!?', 'strong'],
    ['Abcdefgh1 x', 'medium'],
    ['😀😀😀😀😀Aa1', 'medium'],
  ])('%j is %s', (password, strength) => expect(passwordStrength(password)).toBe(strength));

  it('counts characters, not code units', () => {
    expect(passwordStrength('😀😀😀A')).toBe('weak');
  });
});

describe('the path to return to', () => {
  it.each([
    ['/', '/'],
    ['/properties?type=Commercial#map', '/properties?type=Commercial#map'],
    ['/property/1?inquire=1', '/property/1?inquire=1'],
    ['/a/../b', '/b'],
    ['/%2F%2Fevil.example', '/%2F%2Fevil.example'],
    ['/@evil.example', '/@evil.example'],
    ['/?next=https://evil.example', '/?next=https://evil.example'],
  ])('keeps %j', (raw, kept) => expect(safeNext(raw)).toBe(kept));

  it.each([
    null,
    undefined,
    '',
    'properties',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '\t//evil.example',
    ' //evil.example',
    '/ /evil.example',
    '/..//evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    '/%2e%2e//evil.example',
    '/x\\..\\..\\/evil.example',
    'https://evil.example/',
    'http:/evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    '@evil.example',
    '/\u0000',
    '/\u007f',
    `/${'a'.repeat(2_000)}`,
  ])('refuses %j', (raw) => expect(safeNext(raw)).toBeNull());

  it('never leads to another site, whatever comes before the host', () => {
    const parts = [
      '/',
      '\\',
      '.',
      '..',
      '%2f',
      '%5c',
      '%2e',
      '\t',
      '\r',
      ' ',
      '@',
      ':',
      '?',
      '#',
      'a',
      'http:',
      '//',
    ];
    for (const a of parts)
      for (const b of parts)
        for (const c of parts) {
          const kept = safeNext(`${a}${b}${c}/evil.example/`);
          if (kept !== null)
            expect(new URL(kept, 'http://localhost:3000').origin).toBe('http://localhost:3000');
        }
  });
});

describe('sign-in intents', () => {
  const id = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';
  it('parses each kind', () => {
    expect(parseIntent(`watch:${id}`)).toEqual({ kind: 'watch', propertyId: id });
    expect(parseIntent(`inquire:${id}`)).toEqual({ kind: 'inquire', propertyId: id });
    expect(parseIntent(`purchase:${id}`)).toEqual({ kind: 'purchase', propertyId: id });
  });
  it.each([null, '', 'watch', `buy:${id}`, `watch:${id} `, `watch:${id}/../x`, 'watch:1', `WATCH:${id}`])(
    'ignores %j',
    (raw) => expect(parseIntent(raw)).toBeNull(),
  );
});

describe('login roles', () => {
  it('let everyone sign in as a buyer, and only the matching role elsewhere', () => {
    for (const role of ['buyer', 'agent', 'admin'] as const) expect(loginRefusal('buyer', role)).toBeNull();
    expect(loginRefusal('agent', 'agent')).toBeNull();
    expect(loginRefusal('admin', 'admin')).toBeNull();
    for (const role of ['buyer', 'admin'] as const)
      expect(loginRefusal('agent', role)).toBe('This account does not have seller access');
    for (const role of ['buyer', 'agent'] as const)
      expect(loginRefusal('admin', role)).toBe('Unauthorized: Admin access only');
  });

  it('each have a login page and a home page', () => {
    expect([loginPath('buyer'), loginPath('agent'), loginPath('admin')]).toEqual([
      '/buyer/login',
      '/agent/login',
      '/admin',
    ]);
    expect(loginPath('agent', { next: '/agent/properties' })).toBe('/agent/login?next=%2Fagent%2Fproperties');
    expect([homePath('buyer'), homePath('agent'), homePath('admin')]).toEqual([
      '/',
      '/agent/dashboard',
      '/admin/dashboard',
    ]);
  });

  it('say which role is signed in', () => {
    expect(otherAccountNotice('agent')).toBe(
      'You are signed in as a seller – sign out to use a buyer account',
    );
  });
});

describe('common passwords', () => {
  it.each([
    'password',
    'PASSWORD',
    'Password1',
    'p@ssw0rd',
    '12345678',
    'qwertyuiop',
    'aaaaaaaa',
    'abcabcabc',
    ' iloveyou ',
  ])('rejects %j', (password) => expect(isCommonPassword(password)).toBe(true));
  it.each(['Plumb-Line 77 brass', 'AcreDemo!2026', 'abcdefgz', 'correct horse battery'])(
    'accepts %j',
    (password) => expect(isCommonPassword(password)).toBe(false),
  );
  it.each(['Acre-Trading-Post-1', 'RealEstate2026!', 'Seller#1234', 'House1House'])(
    'rejects %j, of the words of the site and its trade',
    (password) => expect(isCommonPassword(password)).toBe(true),
  );
  const ann = { email: 'ann.miller@acre.test', name: 'Ann Louise Miller' };
  it.each(['Ann.Miller1990', 'annmiller!!', 'Ann-Louise-Miller', 'ann.miller@acre.test', 'AnnLouiseMiller7'])(
    'rejects %j, of the name or address of the account',
    (password) => expect(isCommonPassword(password, ann)).toBe(true),
  );
  it.each(['Ann Miller sews', 'millers pond 12', '4711 0815 2323'])('accepts %j', (password) =>
    expect(isCommonPassword(password, ann)).toBe(false),
  );
});

describe('names', () => {
  it.each([
    ['jane.doe@acre.test', 'Jane Doe'],
    ['jane.doe+houses@acre.test', 'Jane Doe'],
    ['j_d-x@acre.test', 'J D X'],
    ['1234@acre.test', '1234'],
    ['@acre.test', 'Buyer'],
  ])('%s becomes %s', (email, name) => expect(nameFromEmail(email)).toBe(name));

  it.each([
    [null, 'Unknown device'],
    ['curl/8.0', 'Unknown device'],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
      'Firefox on Windows',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
      'Safari on macOS',
    ],
    [
      'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Mobile Safari/537.36',
      'Chrome on Android',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/130.0 Mobile/15E148 Safari/604.1',
      'Chrome on iPhone',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36 Edg/130.0',
      'Edge on Windows',
    ],
  ])('of a device: %s', (userAgent, device) => expect(deviceName(userAgent)).toBe(device));
});
