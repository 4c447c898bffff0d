const NAME = /^the sandbox of (.+) \(needs (.+)\)$/;

/** What this needs of a JSON report of Vitest. */
interface Report {
  testResults: { assertionResults: { status: string; ancestorTitles: string[] }[] }[];
}

/** The real sandboxes of providers that a run of the tests did not ask, because their keys are not in the environment. */
export function sandboxesNotAsked({ testResults }: Report): { provider: string; needs: string }[] {
  const found = new Map<string, string>();
  for (const { assertionResults } of testResults)
    for (const { status, ancestorTitles } of assertionResults) {
      const [, provider, needs] = NAME.exec(ancestorTitles[0] ?? '') ?? [];
      if (provider && needs && status !== 'passed' && status !== 'failed') found.set(provider, needs);
    }
  return [...found].map(([provider, needs]) => ({ provider, needs }));
}
