import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#platform/project-root.ts';
import { sandboxesNotAsked } from './sandboxes-not-asked.ts';

test('without their keys, the report of a run says which real sandboxes were not asked', () => {
  const files = ['payments', 'payouts'].map((area) => `gateways/${area}/real-sandboxes.test.ts`);
  const { PATH, HOME } = process.env;
  const folder = mkdtempSync(join(tmpdir(), 'acre-sandboxes-'));
  const report = join(folder, 'report.json');
  try {
    execFileSync(
      process.execPath,
      [
        join(projectRoot, 'node_modules/vitest/vitest.mjs'),
        'run',
        '--reporter=json',
        `--outputFile.json=${report}`,
        ...files,
      ],
      { cwd: projectRoot, env: { PATH, HOME }, stdio: 'ignore' },
    );
    expect(sandboxesNotAsked(JSON.parse(readFileSync(report, 'utf8')))).toEqual(
      expect.arrayContaining([
        { provider: 'Stripe', needs: 'STRIPE_SANDBOX_KEY' },
        { provider: 'Coinbase', needs: 'COINBASE_SANDBOX_KEY_ID and COINBASE_SANDBOX_KEY_SECRET' },
        { provider: 'Stripe Connect', needs: 'STRIPE_SANDBOX_KEY' },
        { provider: 'PayPal', needs: 'PAYPAL_SANDBOX_CLIENT_ID and PAYPAL_SANDBOX_SECRET' },
      ]),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a sandbox that was asked is not among them, nor is any other test that was skipped', () => {
  const result = (status: string, ...ancestorTitles: string[]) => ({ status, ancestorTitles });
  const assertionResults = [
    result('passed', 'the sandbox of Stripe'),
    result('failed', 'the sandbox of Coinbase', 'before anybody pays'),
    result('skipped', 'payments: Stripe', 'disputes'),
    result('skipped'),
  ];
  expect(sandboxesNotAsked({ testResults: [{ assertionResults }] })).toEqual([]);
});
