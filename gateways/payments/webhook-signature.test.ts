import { createHmac } from 'node:crypto';
import Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { signCoinbase, signStripe, verifyCoinbase, verifyStripe } from './webhook-signature.ts';

const NOW = new Date('2026-11-20T12:00:00.000Z');
const SECRET = 'whsec_test';
const text = '{"id":"evt_1","name":"Grüße"}';
const body = new TextEncoder().encode(text);
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);
const refused = expect.objectContaining({ name: 'PaymentError', code: 'bad_signature', retryable: false });

describe('Stripe signatures', () => {
  const verify = (header: string | null, change: { body?: Uint8Array; secret?: string; now?: Date } = {}) =>
    verifyStripe(change.body ?? body, header, change.secret ?? SECRET, change.now ?? NOW);

  it('accepts what the SDK signs, and the SDK accepts ours', () => {
    const timestamp = NOW.getTime() / 1000;
    const theirs = Stripe.webhooks.generateTestHeaderString({ payload: text, secret: SECRET, timestamp });
    expect(() => verify(theirs)).not.toThrow();
    const ours = signStripe(body, SECRET, NOW);
    const event = Stripe.webhooks.constructEvent(text, ours, SECRET, 300, undefined, NOW.getTime());
    expect(event).toMatchObject({ id: 'evt_1' });
    expect(signStripe(text, SECRET, NOW)).toBe(ours);
  });

  it('accepts several signatures if one is valid, as during a secret rotation', () => {
    const [stamp, right] = signStripe(body, SECRET, NOW).split(',');
    const [, other] = signStripe(body, 'whsec_other', NOW).split(',');
    expect(() => verify(`${stamp},${other},${right},v0=abc`)).not.toThrow();
    expect(() => verify(`${stamp},${other},v0=${right?.slice(3)}`)).toThrow(refused);
  });

  it('rejects another body, another or empty secret, and malformed signatures', () => {
    const header = signStripe(body, SECRET, NOW);
    const changed = body.with(5, 65);
    expect(() => verify(header, { body: changed })).toThrow(refused);
    expect(() => verify(header, { secret: 'whsec_other' })).toThrow(refused);
    expect(() => verify(signStripe(body, '', NOW), { secret: '' })).toThrow(refused);
    const [stamp, signature] = header.split(',');
    const wrong = [
      null,
      '',
      't',
      stamp,
      signature,
      `${stamp},v1=`,
      `t=soon,${signature}`,
      `t=-1,${signature}`,
    ];
    for (const value of [...wrong, `${header.slice(0, -1)}ä`, header.replace('t=1', 't=2')])
      expect(() => verify(value ?? null), String(value)).toThrow(refused);
  });

  it('rejects timestamps more than five minutes off in either direction', () => {
    const header = signStripe(body, SECRET, NOW);
    for (const seconds of [-300, 300]) expect(() => verify(header, { now: later(seconds) })).not.toThrow();
    for (const seconds of [-301, 301, -86_400, 86_400])
      expect(() => verify(header, { now: later(seconds) })).toThrow(refused);
  });
});

describe('Coinbase signatures', () => {
  const named = {
    'content-type': 'application/json',
    'x-event-id': 'e-1',
    'x-event-type': 'checkout.payment.success',
  };
  const stamp = String(NOW.getTime() / 1000);
  const mac = (prefix: string) => createHmac('sha256', SECRET).update(`${prefix}${text}`).digest('hex');
  const v0 = mac(`${stamp}.`);
  const names = 'content-type x-event-id x-event-type';
  const v1 = mac(`${stamp}.${names}.application/json.e-1.checkout.payment.success.`);
  const verify = (
    signature: string | null,
    change: { headers?: Record<string, string>; secret?: string; now?: Date; body?: Uint8Array } = {},
  ) => {
    const headers = new Headers({ ...named, ...change.headers });
    if (signature !== null) headers.set('X-Hook0-Signature', signature);
    verifyCoinbase({
      rawBody: change.body ?? body,
      headers,
      secret: change.secret ?? SECRET,
      now: change.now ?? NOW,
    });
  };

  it('signs as documented', () => {
    const signature = signCoinbase({ rawBody: body, secret: SECRET, at: NOW, headers: named });
    expect(signature).toBe(`t=${stamp},v0=${v0},h=${names},v1=${v1}`);
    expect(() => verify(signature)).not.toThrow();
    const { 'x-event-id': _, ...rest } = named;
    expect(() => signCoinbase({ rawBody: body, secret: SECRET, at: NOW, headers: rest })).toThrow(
      'x-event-id',
    );
  });

  it('requires v1 where present, and otherwise accepts v0', () => {
    expect(() => verify(`t=${stamp},v0=${v0}`)).not.toThrow();
    expect(() => verify(`t=${stamp},h=${names},v1=${v1}`)).not.toThrow();
    expect(() => verify(`t=${stamp},v0=${v0},h=${names},v1=${'0'.repeat(64)}`)).toThrow(refused);
    expect(() => verify(`t=${stamp},v0=${v0},v1=${v1}`)).toThrow(refused);
    expect(() => verify(`t=${stamp},v0=${v0},h=bad name:,v1=${v1}`)).toThrow(refused);
  });

  it('rejects a changed header, body or secret, an empty secret, and malformed signatures', () => {
    const signature = `t=${stamp},v0=${v0},h=${names},v1=${v1}`;
    expect(() => verify(signature, { headers: { 'x-event-id': 'e-2' } })).toThrow(refused);
    expect(() => verify(signature, { body: body.with(5, 65) })).toThrow(refused);
    expect(() => verify(signature, { secret: 'other' })).toThrow(refused);
    const byAnyone = signCoinbase({ rawBody: body, secret: '', at: NOW, headers: named });
    expect(() => verify(byAnyone, { secret: '' })).toThrow(refused);
    expect(() => verify(signature.replace(names, `${names} x-absent`))).toThrow('A signed header is missing');
    // Signed rightly, but at no time.
    expect(() => verify(`t=soon,v0=${mac('soon.')}`)).toThrow('The signature has no stamp');
    for (const value of [null, '', `t=${stamp}`, `v0=${v0}`, `t=${stamp},v0=`])
      expect(() => verify(value), String(value)).toThrow(refused);
  });

  it('rejects timestamps more than five minutes off in either direction', () => {
    const signature = `t=${stamp},v0=${v0},h=${names},v1=${v1}`;
    for (const seconds of [-300, 300]) expect(() => verify(signature, { now: later(seconds) })).not.toThrow();
    for (const seconds of [-301, 301])
      expect(() => verify(signature, { now: later(seconds) })).toThrow(refused);
  });
});
