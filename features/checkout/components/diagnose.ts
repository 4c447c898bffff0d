import type { PaymentMethod } from '#gateways/payments/port.ts';
import { purchasePaths } from '#routing/purchase-paths.ts';
import { postJson } from '#ui/post-and-read.ts';
import type { Diagnosis } from '../model.ts';

interface DiagnosisOutcome {
  /** what follows 'Last diagnosis: ' */
  verdict: string;
  /** ISO, UTC */
  at: string;
  problem: { title: string; text: string } | null;
}

const LOST = ['Diagnostics Failed', 'connection lost', 'The server cannot be reached.'] as const;

/**
 * Checks whether a payment could be made: the payment endpoint must answer 405 to HEAD, then the server runs its checks; if
 * that fails, the payment configuration is requested instead. Never throws.
 */
export async function diagnose(propertyId: string, method: PaymentMethod): Promise<DiagnosisOutcome> {
  const at = new Date().toISOString();
  const failed = (title: string, verdict: string, text: string): DiagnosisOutcome => ({
    verdict,
    at,
    problem: { title, text },
  });
  try {
    const { status } = await fetch(purchasePaths.cryptoPaymentCheck(), { method: 'HEAD' });
    if (status !== 405)
      return failed(
        'API Endpoint Check Failed',
        'endpoint check failed',
        `The payment endpoint answered ${status}, and 405 was expected.`,
      );
    const fields = { paymentType: method, propertyId };
    const response = await postJson<Diagnosis>(purchasePaths.diagnostics(), fields);
    if (!response) return failed(...LOST);
    if (response.status === 401)
      return failed('Authentication Error', 'not signed in', 'Please log in to run the payment diagnostics.');
    if (response.ok && response.body) return outcomeOf(response.body);
    if (response.status === 429)
      return failed(
        'Diagnostics Failed',
        'too many in a minute',
        'Please wait a moment and run the diagnostics again.',
      );
    return failed('Diagnostics Failed', 'no answer from the diagnostics', await configurationText());
  } catch {
    return failed(...LOST);
  }
}

function outcomeOf({ ok, at, checks }: Diagnosis): DiagnosisOutcome {
  if (ok) return { verdict: 'all checks passed', at, problem: null };
  const wrong = checks.filter((check) => !check.ok);
  const names = wrong.map(({ name }) => name).join(', ');
  const details = wrong.map(({ name, detail }) => `${name}: ${detail}`).join(' · ');
  return { verdict: `failed (${names})`, at, problem: { title: 'Diagnostics Failed', text: details } };
}

/** What can still be said when the diagnosis itself does not answer. */
async function configurationText(): Promise<string> {
  const response = await fetch(purchasePaths.stripeConfig());
  if (!response.ok) return 'Neither the diagnostics nor the payment configuration answered.';
  const { mode } = (await response.json()) as { mode: string };
  return `The diagnostics did not answer. The payment configuration did: ${mode} mode.`;
}
