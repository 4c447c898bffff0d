import { expect, it } from 'vitest';
import { bindFlashToHost, clearFlash, readFlash, setFlash } from './flash.ts';

const https = { publicUrl: 'https://market.example' };
const http = { publicUrl: 'http://localhost:3000' };
const toast = { title: 'Saved', text: 'All of it.', tone: 'ok' } as const;
const asking = (cookie: string) => new Request('http://localhost/', { headers: { cookie } });

it('carries a toast to the next page, over https in a cookie that only this host can have set', () => {
  for (const config of [http, https]) {
    const headers = new Headers([
      ['set-cookie', 'other=1; Path=/'],
      ['set-cookie', setFlash(toast)],
    ]);
    bindFlashToHost(config, headers);
    const [other, flash = ''] = headers.getSetCookie();
    expect(other).toBe('other=1; Path=/');
    expect(flash.startsWith('__Host-')).toBe(config === https);
    expect(flash.includes('; Secure')).toBe(config === https);
    const [pair = ''] = flash.split(';');
    expect(readFlash(config, asking(pair))).toEqual({ ...toast, key: expect.any(String) });
  }
  const [planted = ''] = setFlash(toast).split(';');
  expect(readFlash(https, asking(planted))).toBeNull();
});

it('is cleared under the name under which it was set', () => {
  const headers = new Headers([['set-cookie', clearFlash]]);
  bindFlashToHost(https, headers);
  expect(headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__Host-acre-flash=;.* Max-Age=0; Secure$/),
  ]);
});
