import { describe, expect, it } from 'vitest';
import { keyHint, maskedAccount, modeToast, parseKeys, type TypedKeys } from './stripe-keys.ts';

const typed = (keys: Partial<TypedKeys>): TypedKeys => ({
  testPublishable: '',
  testSecret: '',
  livePublishable: '',
  liveSecret: '',
  ...keys,
});

describe('typed keys of Stripe', () => {
  it('are those of the boxes that were filled', () => {
    expect(parseKeys(typed({ testSecret: ' sk_test_1 ', livePublishable: 'pk_live_2' }))).toEqual({
      ok: true,
      modes: [
        { mode: 'test', publishable: null, secret: 'sk_test_1' },
        { mode: 'live', publishable: 'pk_live_2', secret: null },
      ],
    });
    expect(parseKeys(typed({ liveSecret: 'rk_live_1', testPublishable: 'pk_test_1' }))).toMatchObject({
      ok: true,
    });
  });

  it('must fit their boxes', () => {
    const wrong = (keys: Partial<TypedKeys>) => {
      const parsed = parseKeys(typed(keys));
      return parsed.ok ? {} : parsed.errors;
    };
    expect(wrong({})).toEqual({ testPublishable: 'Enter a key to save' });
    expect(
      wrong({
        testPublishable: 'sk_test_1',
        testSecret: 'sk_live_1',
        livePublishable: 'pk_test_1',
        liveSecret: 'rk_test_1',
      }),
    ).toEqual({
      testPublishable: 'A test publishable key starts with pk_test_',
      testSecret: 'A test secret key starts with sk_test_ or rk_test_',
      livePublishable: 'A live publishable key starts with pk_live_',
      liveSecret: 'A live secret key starts with sk_live_ or rk_live_',
    });
    for (const testSecret of [
      'sk_test_',
      'sk_test_a b',
      'sk_test_ä',
      `sk_test_${'x'.repeat(255)}`,
      'whsec_1',
    ])
      expect(wrong({ testSecret })).toHaveProperty('testSecret');
  });
});

it('shows the ends of keys and accounts', () => {
  expect(keyHint('sk_test_51Double1234')).toBe('sk_...1234');
  expect(keyHint('rk_live_51Double9876')).toBe('rk_...9876');
  expect(maskedAccount('acct_1DoubleOfStripe')).toBe('acct_...ripe');
});

it('says which keys the platform uses', () => {
  expect(modeToast('test')).toEqual({
    title: 'Test Mode Activated',
    text: 'The platform is now using test API keys.',
  });
  expect(modeToast('live')).toEqual({
    title: 'Live Mode Activated',
    text: 'The platform is now using live API keys.',
  });
});
