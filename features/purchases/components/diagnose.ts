import { paths } from '#app/paths.ts';
import type { Rail } from '#gateways/payments/port.ts';
import type { Diagnosis } from '../model.ts';

interface Outcome {
  /** what stands behind 'Last diagnosis: ' */
  verdict: string;
  /** ISO, UTC */
  at: string;
  problem: { title: string; text: string } | null;
}

/**
 * Looks whether a payment could be made: the endpoint must refuse to be read, then the server checks everything, and when
 * it cannot, its configuration is asked for (S0 §7, B-079, B-080). Never throws.
 */
export async function diagnose(propertyId: string, rail: Rail): Promise<Outcome> {
  const at = new Date().toISOString();
  const failed = (title: string, verdict: string, text: string): Outcome => ({
    verdict,
    at,
    problem: { title, text },
  });
  try {
    const { status } = await fetch(paths.cryptoPaymentCheck(), { method: 'HEAD' });
    if (status !== 405)
      return failed(
        'API Endpoint Check Failed',
        'endpoint check failed',
        `The payment endpoint answered ${status}, and 405 was expected.`,
      );
    const response = await fetch(paths.paymentDiagnostics(), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ paymentType: rail, propertyId }),
    });
    if (response.status === 401)
      return failed('Authentication Error', 'not signed in', 'Please log in to run the payment diagnostics.');
    if (response.ok) return outcomeOf((await response.json()) as Diagnosis);
    if (response.status === 429)
      return failed(
        'Diagnostics Failed',
        'too many in a minute',
        'Please wait a moment and run the diagnostics again.',
      );
    return failed('Diagnostics Failed', 'no answer from the diagnostics', await configurationText());
  } catch {
    return failed('Diagnostics Failed', 'connection lost', 'The server cannot be reached.');
  }
}

function outcomeOf({ ok, at, checks }: Diagnosis): Outcome {
  if (ok) return { verdict: 'all checks passed', at, problem: null };
  const wrong = checks.filter((check) => !check.ok);
  const names = wrong.map(({ name }) => name).join(', ');
  const details = wrong.map(({ name, detail }) => `${name}: ${detail}`).join(' · ');
  return { verdict: `failed (${names})`, at, problem: { title: 'Diagnostics Failed', text: details } };
}

/** What is known when the diagnosis itself gives no answer. */
async function configurationText(): Promise<string> {
  const response = await fetch(paths.stripeConfig());
  if (!response.ok) return 'Neither the diagnostics nor the payment configuration answered.';
  const { mode } = (await response.json()) as { mode: string };
  return `The diagnostics did not answer. The payment configuration did: ${mode} mode.`;
}
