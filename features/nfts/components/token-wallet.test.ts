import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, it } from 'vitest';
import type { ActionData } from '#ui/action-data.ts';
import { NAME_WALLET, TokenWalletForm } from './token-wallet.tsx';

const WALLET = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';

function form(wallet: string | null, answer?: ActionData): string {
  const element = createElement(TokenWalletForm, { goal: { network: 'Base', wallet }, page: '/', answer });
  const router = createMemoryRouter([{ path: '*', element }]);
  return renderToStaticMarkup(createElement(RouterProvider, { router }));
}

it('shows the wallet that is named, or says what happens without one', () => {
  expect(form(WALLET)).toContain(`value="${WALLET}"`);
  const none = form(null);
  expect(none.replace(/<[^>]+>/g, '')).toContain('Wallet address for your completion token (optional)');
  expect(none).toContain('Without one we keep the token for you until you claim it.');
  expect(none).toContain('value=""');
});

it('shows what was typed with what is wrong about it, but no other form’s error', () => {
  const refused = { ok: false, errors: { wallet: 'Please check it' }, input: { wallet: '0x1' } };
  const ours = form(WALLET, { intent: NAME_WALLET, ...refused });
  expect(ours).toContain('Please check it');
  expect(ours).toContain('aria-invalid="true"');
  expect(ours).toContain('value="0x1"');
  const others = form(WALLET, { intent: 'claim_token', ...refused });
  expect(others).not.toContain('Please check it');
  expect(others).toContain(`value="${WALLET}"`);
});
